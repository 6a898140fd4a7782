"""Benchmarks: each prints a table. They are run by `scripts/benchmark`, never by the tests."""
