"""A classifier in a few lines: learn, ask, explain, forget."""

import numpy as np

from genera import LDA, datasets

X, y = datasets.load_iris(return_X_y=True)
classifier = LDA().fit(X, y)
print(f"accuracy on the training rows: {classifier.score(X, y):.3f}")

flower = np.array([[6.0, 2.9, np.nan, 1.6]])  # its petals could not be measured
print("posterior without the petal length:", classifier.predict_proba(flower).round(3))
print(classifier.explain(flower, most=2)[0])

before = classifier.predict_proba(X)
classifier.forget(X[:10], y[:10]).partial_fit(X[:10], y[:10])
print(f"forgotten and learned again: {np.abs(classifier.predict_proba(X) - before).max():.1e} apart")

rows, labels = classifier.sample(3, random_state=1)
print("drawn from the model:", list(zip(labels.tolist(), rows.round(1).tolist())))
