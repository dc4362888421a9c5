"""Numerical kernels: plain NumPy on arrays that were checked before."""
