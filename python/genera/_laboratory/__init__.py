"""The verbs of the command line that judge models, a file each."""
