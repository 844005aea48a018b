"""The engines that think for an agent: `rules` (built in)."""
