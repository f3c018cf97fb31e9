// Package correct says what a machine's score is once people's labels are taken into account:
// prediction-powered inference over numbers that a machine gave to all items and people to some. It
// knows nothing of predictions, votes or queues, and draws nothing: whoever hands it strata vouches
// that the labelled items of each are a random sample of it.
//
// Its one invariant: a score that the labels do not determine is undefined
// with the reason, and one that they do comes with its interval.
package correct
