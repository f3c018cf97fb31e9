// Package ranking puts several models in an order and says how much of the order holds: scores on the same
// samples, and strengths from pairwise votes (Bradley-Terry with ties and a position effect), each with
// ranks whose intervals hold for all models at once, and with the models that cannot be told from the best.
//
// It knows models by their index and nothing of where scores and votes come from.
package ranking
