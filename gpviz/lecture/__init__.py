"""Lectures and scenes as data. No Qt."""
