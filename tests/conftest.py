"""Settings of the whole test suite."""

from hypothesis import settings

# The same examples on every machine and in every run: a red test is a changed library.
settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("reproducible")
