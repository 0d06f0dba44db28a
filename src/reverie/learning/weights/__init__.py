"""Weights of the parts of ROI, learned from what became of promotions, not from the score."""

from reverie.learning.weights.learners import LEARNERS, Learner, Outcome, learner_of
from reverie.learning.weights.trainer import AutoTrainer, Trained, train

__all__ = ["LEARNERS", "AutoTrainer", "Learner", "Outcome", "Trained", "learner_of", "train"]
