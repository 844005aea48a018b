"""The screens: monitor, feeds, help, too small."""
