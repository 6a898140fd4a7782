"""What one moment of a run means, in sentences and in data to draw. No Qt."""
