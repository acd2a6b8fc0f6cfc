"""A program of a user, for type checkers: lines that are wrong end in the word `wrong`."""

import numpy as np

import genera
from genera import datasets, plot

X, y = datasets.load_iris(return_X_y=True)
iris = datasets.load_iris()
rows = iris.data

lda = genera.LDA(shrinkage="oas", n_components=2).fit(X, y)
labels: np.ndarray = lda.predict(X)
posterior: np.ndarray = lda.predict_proba(X)
variates: np.ndarray = lda.transform(X)
density: np.ndarray = lda.score_samples(X)
drawn, classes = lda.sample(3, random_state=1)
share: float = float(lda.probability({0: (5, 6)}).value)
lda.partial_fit(X, y).save("model.json")
loaded = genera.load("model.json")
loaded.predict(X)
auto: genera.GenerativeClassifier = genera.GenerativeClassifier("auto", folds=5).fit(X, y)
stated = genera.GenerativeClassifier.from_parameters([[0, 0], [1, 1]], np.eye(2), priors=[0.5, 0.5])
stated.predict_proba([[0.0, 1.0]])
model = genera.Model.from_parameters([0, 1], variances=[1, 1], classes=["a", "b"])
model.posterior([[0.5]])
groups = genera.GaussianMixture((1, 3)).fit(X)
criterion: float = groups.bic(X)
chosen = genera.select(X, y, models=["lda", "qda"], grid={"shrinkage": [0, 0.1]}, divisor="mle")
chosen.best_estimator
compared = genera.compare(X, y, pairs=["lda"], sizes=[30], repeats=2, ridge=1.0)
found = genera.evaluate(lda, X, y)
loss: float = found.log_loss
axes = plot.regions(lda, X, y)
axes.set_title("iris")

genera.LDA(shrinkage="oas", n_component=2)  # wrong
genera.LDA().fit(X, y).predict()  # wrong
genera.QDA().fit(X, y).predict_proba(X, 3)  # wrong
genera.LDA().fit(X, y).score_samples()  # wrong
genera.LDA().fit(X, y).sample(n=3)  # wrong
genera.GaussianNB(1.0)  # wrong
genera.select(X, y, modles=["lda"])  # wrong
genera.select(X, y, divisor=2)  # wrong
genera.compare(X, y, repeat=2)  # wrong
genera.evaluate(lda, X)  # wrong
datasets.load_irises(return_X_y=True)  # wrong
number: int = genera.LDA().fit(X, y).predict(X)  # wrong
text: str = genera.load("model.json").predict(X)  # wrong
plot.regions(lda, X, y, feature=(0, 1))  # wrong
plot.regions(lda, X, y).set_titel("iris")  # wrong
genera.Model.from_parameters(mean=[0, 1])  # wrong
genera.LDA().fit(X, y).decide(X, cost=[[0, 1], [1, 0]])  # wrong
