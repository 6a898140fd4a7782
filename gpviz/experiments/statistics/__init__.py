"""Statistics of experiments: cells, distributions, growth with n, drift, and the paper's tables."""
