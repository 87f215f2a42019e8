"""What people see of a snapshot; pure."""
