"""Questions with answers to choose from: a linear model of a few shapes (src/router/features/exam-shapes.ts), strongly regularized."""
import numpy as np
from sklearn.linear_model import LogisticRegression

#: From a quarter to four times as much the AUC stays within 0.003. The intercept is held back as well, or folds without the hard subjects would
#: score all of theirs lower than other folds score theirs.
STRENGTH = 0.004
FOLDS = 5


def folds_of(subjects, tested, seed):
    """The tested rows of a fifth of the subjects, five times."""
    names = sorted(set(subjects[tested]))
    np.random.default_rng(seed).shuffle(names)
    return [tested & np.isin(subjects, names[fold::FOLDS]) for fold in range(FOLDS)]


def fit_exams(shapes, fails, weight):
    """Estimates between 0 and 1 count as both outcomes, in shares. → log-odds of failing = bias + weights . shapes"""
    mean, spread = shapes.mean(0), shapes.std(0) + 1e-6
    labels, shares = np.repeat([1, 0], len(shapes)), np.concatenate([weight * fails, weight * (1 - fails)])
    used = shares > 0
    fitted = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=1).fit(np.vstack([(shapes - mean) / spread] * 2)[used], labels[used], shares[used])
    weights = fitted.coef_[0] / spread
    return {"bias": float(fitted.intercept_[0] - weights @ mean), "weights": [float(w) for w in weights]}


def score_exams(model, shapes):
    return shapes @ np.array(model["weights"]) + model["bias"]


def interval(figure, subjects, draws=500):
    """Nine in ten of the figures over subjects drawn again and again."""
    rng, rows = np.random.default_rng(5), {s: np.where(subjects == s)[0] for s in sorted(set(subjects))}
    names = list(rows)
    figures = [figure(np.concatenate([rows[names[i]] for i in rng.integers(0, len(names), len(names))])) for _ in range(draws)]
    return [float(bound) for bound in np.percentile(figures, [5, 95])]
