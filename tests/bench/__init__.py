"""Speed and memory, shown by ``make bench``: medians of one run, as ratios to a yardstick of the same run."""
