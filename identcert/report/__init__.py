"""Pictures and pages about an evidence folder; it computes nothing."""
