"""The paper's experiments done again, told as one self-contained web page."""
