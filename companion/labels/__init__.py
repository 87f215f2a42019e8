"""Printed labels: a sheet of QR codes for a game's box, as PDF."""
