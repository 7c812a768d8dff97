"""What an analysis found: findings by key, and all of them as results."""
