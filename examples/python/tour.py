# %% [markdown]
# A tour in cells, as notebooks have them: each can be run after those before it.

# %% Mixed columns with holes, straight from a frame
import numpy as np

import genera
from genera import datasets

penguins = datasets.load_penguins(as_frame=True)
classifier = genera.MixedNB().fit(penguins.data, penguins.target)
print(f"penguins: {penguins.data.isna().any(axis=1).sum()} rows lack something,", end=" ")
print(f"accuracy {classifier.score(penguins.data, penguins.target):.3f}")
print(classifier.explain(penguins.data.iloc[:1], most=3)[0])

# %% A model that is chosen by itself
X, y = datasets.load_crabs(return_X_y=True)
chosen = genera.GenerativeClassifier().fit(X, y)
print("chosen:", chosen.choice_)
print(chosen.report_)

# %% Most labels are missing
wine, cultivar = datasets.load_wine(return_X_y=True)
unknown = np.random.default_rng(1).random(len(cultivar)) < 0.85
labels = np.where(unknown, None, cultivar)
few = genera.LDA().fit(wine[~unknown], cultivar[~unknown])
every = genera.LDA().fit(wine, labels)
print(f"wine, {every.report_.unlabelled_rows} of {len(wine)} rows without a label:", end=" ")
print(f"accuracy {few.score(wine, cultivar):.3f} without them, {every.score(wine, cultivar):.3f} with")

# %% Parts, and what is forgotten
parts = genera.QDA().partial_fit(X[::2], y[::2]).partial_fit(X[1::2], y[1::2])
whole = genera.QDA().fit(X, y)
print(f"parts and the whole: {np.abs(parts.predict_proba(X) - whole.predict_proba(X)).max():.0e} apart")
parts.forget(X[1::2], y[1::2])
print("rows after forgetting half of them:", sum(rows for rows, _ in parts.statistics_.classes.values()))

# %% Groups without labels
groups = genera.GaussianMixture((1, 5), starts=3).fit(datasets.load_faithful_unlabelled().data)
print(f"eruptions of Old Faithful: {groups.n_components_} groups, structure {groups.covariance_}")

# %% Texts
texts = ["cheap pills", "buy cheap watches", "lunch at noon", "see you at lunch"]
spam = genera.TextClassifier().fit(texts, ["spam", "spam", "ham", "ham"])
print("spam?", spam.predict_proba(["cheap lunch pills"]).round(2), spam.classes_)

# %% What scikit-learn's users have already
from sklearn.model_selection import GridSearchCV  # noqa: E402

search = GridSearchCV(genera.RDA(), {"alpha": [0, 0.5, 1], "gamma": [0, 0.1, 0.5]}, cv=5).fit(X, y)
print("the best of a grid:", search.best_params_)

from genera.sklearn import LinearDiscriminantAnalysis  # noqa: E402

print("canonical variates:", LinearDiscriminantAnalysis(n_components=2).fit_transform(X, y).shape)
