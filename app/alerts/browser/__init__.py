"""The page on which a browser subscribes to alerts, served to this machine alone while a person does so."""
