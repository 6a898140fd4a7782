"""The sources of the shipped lectures; ``python -m scripts.lectures`` writes their files anew."""
