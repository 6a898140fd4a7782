"""Plays runs: any number of them under one cursor and one clock, each made by a worker in a thread of its own."""
