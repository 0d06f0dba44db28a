"""Weights of the parts of ROI, learned from what became of promotions, not from the score."""

from reverie.learning.weights.learner import LEARNERS, Learner, learner_of
from reverie.learning.weights.outcome import Outcome
from reverie.learning.weights.trainer import AutoTrainer, Trained, train

__all__ = ["LEARNERS", "AutoTrainer", "Learner", "Outcome", "Trained", "learner_of", "train"]
