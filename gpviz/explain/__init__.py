"""What one moment of a run means, in words and in data to draw. No Qt."""
