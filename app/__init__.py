"""The program: command line, configuration, pipeline, alerts and the screen."""
