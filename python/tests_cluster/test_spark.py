"""genera.spark, on classic Spark and (GENERA_TEST_CONNECT=1) on Spark Connect."""

import os
import signal

import numpy as np
import pytest

import genera
import genera.spark

FEATURES = ["a", "b", "c", "colour"]
connect = bool(os.environ.get("GENERA_TEST_CONNECT"))
classic_only = pytest.mark.skipif(connect, reason="the same code on classic Spark is enough")


@pytest.fixture(scope="module")
def frame(spark, table):
    frame = spark.createDataFrame(table).repartition(5).persist()
    frame.count()
    return frame


def assert_same(ours, theirs, rows, tolerance=1e-12):
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    p, q = ours.predict_proba(rows), theirs.predict_proba(rows)
    np.testing.assert_allclose(p, q, rtol=0, atol=tolerance)


def test_closed_form_takes_one_round_and_equals_one_table(frame, table):
    model = genera.spark.fit(frame, "kind", "qda")
    assert model.estimator.rounds_ == 1
    theirs = genera.GenerativeClassifier("qda").fit(table[FEATURES], table["kind"])
    assert_same(model.estimator, theirs, table[FEATURES])


def test_transform_adds_columns(frame, table):
    model = genera.spark.fit(frame, "kind", genera.MixedNB())
    found = model.transform(frame, log_density="density", outlier="tail").toPandas()
    rows = found[FEATURES]
    local = model.estimator
    assert found["prediction"].tolist() == local.predict(rows).tolist()
    np.testing.assert_array_equal(np.vstack(found["probability"]), local.predict_proba(rows))
    np.testing.assert_array_equal(found["density"], local.score_samples(rows))
    np.testing.assert_array_equal(found["tail"], local.outlier_tail(rows))
    assert set(found.columns) - set(table.columns) == {"prediction", "probability", "density", "tail"}


def test_em(spark, table):
    lacking = table.copy()
    lacking.loc[::6, "a"] = np.nan
    frame = spark.createDataFrame(lacking).repartition(3)
    model = genera.spark.fit(frame, "kind", "lda")
    theirs = genera.GenerativeClassifier("lda").fit(lacking[FEATURES], lacking["kind"])
    assert_same(model.estimator, theirs, lacking[FEATURES], 1e-6)


@classic_only
def test_softmax_regression_and_weights(spark, table):
    weighted = table.assign(w=np.arange(len(table)) % 3 + 0.5)
    frame = spark.createDataFrame(weighted).repartition(3)
    model = genera.spark.fit(frame, "kind", "logistic", weight="w")
    theirs = genera.SoftmaxRegression().fit(table[FEATURES], table["kind"], weighted["w"])
    assert_same(model.estimator, theirs, table[FEATURES], 1e-6)


def test_texts(spark):
    texts = ["cheap pills now", "buy cheap watches", "lunch at noon", "see you at lunch"] * 5
    labels = ["spam", "spam", "ham", "ham"] * 5
    frame = spark.createDataFrame(list(zip(texts, labels)), "text string, label string")
    model = genera.spark.fit(frame.repartition(3), "label", genera.TextClassifier())
    assert_same(model.estimator, genera.TextClassifier().fit(texts, labels), texts)
    assert [row["prediction"] for row in model.transform(frame).collect()] == labels


def test_errors_name_the_partition_and_the_column(spark, frame, table):
    with pytest.raises(genera.Error, match="there is no column 'sort'"):
        genera.spark.fit(frame, "sort")
    bad = table.copy()
    bad.loc[777, "b"] = np.inf
    with pytest.raises(genera.Error, match=r"^partition \d: "):
        genera.spark.fit(spark.createDataFrame(bad).repartition(4), "kind")


@classic_only
def test_a_failing_source_is_blamed(spark, frame):
    from pyspark.sql.functions import udf

    def explode(a):
        raise RuntimeError("the disk is on fire")

    rows = frame.withColumn("a", udf(explode, "double")("a"))
    with pytest.raises(genera.Error, match="the disk is on fire"):
        genera.spark.fit(rows, "kind")


@classic_only
def test_a_killed_python_worker_changes_no_bit(spark, table, tmp_path):
    """Spark repeats the task: local[2,4] allows four attempts."""
    first = genera.spark.fit(spark.createDataFrame(table).repartition(4), "kind", "qda")
    once = str(tmp_path / "killed")

    def kill_once(batches):
        try:
            os.close(os.open(once, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
            return
        os.kill(os.getpid(), signal.SIGKILL)

    rows = spark.createDataFrame(table).repartition(4)
    rows = rows.mapInArrow(kill_once, rows.schema)
    again = genera.spark.fit(rows, "kind", "qda")
    assert os.path.exists(once)
    assert first.estimator.model_.to_bytes() == again.estimator.model_.to_bytes()


@classic_only
def test_a_pipeline_with_cross_validation_saves_and_loads(spark, table, tmp_path):
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.feature import VectorAssembler
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    numbers = table[["a", "b", "c"]].assign(label=(table["kind"] == "x").astype(float))
    frame = spark.createDataFrame(numbers).repartition(2)
    rda = genera.spark.GeneraClassifier(model="rda", featuresCols=["features"], logDensityCol="density")
    pipeline = Pipeline(stages=[VectorAssembler(inputCols=["a", "b", "c"], outputCol="features"), rda])
    search = CrossValidator(
        estimator=pipeline,
        estimatorParamMaps=ParamGridBuilder().addGrid(rda.alpha, [0.0, 1.0]).build(),
        evaluator=MulticlassClassificationEvaluator(metricName="logLoss"),
        numFolds=2,
    )
    best = search.fit(frame).bestModel
    local = best.stages[-1].fitted.estimator
    theirs = genera.GenerativeClassifier("rda", alpha=local.alpha).fit(
        numbers[["a", "b", "c"]].to_numpy(), numbers["label"]
    )
    rows = numbers[["a", "b", "c"]].rename(columns={"a": "features_0", "b": "features_1", "c": "features_2"})
    assert_same(local, theirs_with_names(theirs, rows, numbers["label"]), rows)
    path = str(tmp_path / "pipeline")
    best.write().save(path)
    before = best.transform(frame).orderBy("a").toPandas()
    after = PipelineModel.load(path).transform(frame).orderBy("a").toPandas()
    assert before["prediction"].tolist() == after["prediction"].tolist()
    assert before["density"].tolist() == after["density"].tolist()


def theirs_with_names(estimator, rows, labels):
    return type(estimator)(**estimator.get_params()).fit(rows, labels)
