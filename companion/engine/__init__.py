"""The engine protocol for testers, bots and fuzzers, and scenario files."""
