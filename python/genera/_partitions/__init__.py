"""Fits over partitions of rows that never meet: a driver, workers, and an engine between them.

A fit is a short program of rounds. In each round the driver sends bytes, each worker answers with
the bytes of sums over its partition, and the answers are merged in a tree whose shape depends on
the number of partitions only. So the model has the same bits whatever the number of workers and
the order in which they finish. Engines (Dask, Spark, a list in memory) only move the bytes.
"""
