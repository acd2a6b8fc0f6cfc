"""A fit and predictions on a local Spark: make cluster-try-spark."""

import numpy as np
import pandas
from pyspark.sql import SparkSession

import genera.spark


def main():
    spark = SparkSession.builder.master("local[2,4]").getOrCreate()
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, 30_000)
    rows = pandas.DataFrame(rng.normal(size=(30_000, 4)) + kind[:, None], columns=list("abcd"))
    rows["kind"] = np.array(["x", "y", "z"])[kind]
    frame = spark.createDataFrame(rows).repartition(4)
    model = genera.spark.fit(frame, "kind", "qda")
    answered = model.transform(frame, log_density="log_density", outlier="tail")
    answered.select("kind", "prediction", "probability", "log_density", "tail").show(3)
    right = answered.where("prediction = kind").count()
    print(f"{model.estimator.rounds_} round, accuracy {right / 30_000:.3f}")
    spark.stop()


if __name__ == "__main__":
    main()
