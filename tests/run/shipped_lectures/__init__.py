"""The sources of the shipped lectures; ``python -m tests.run.shipped_lectures`` writes their files anew."""
