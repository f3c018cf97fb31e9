// Package agree is the statistics of agreement: between people, between machines, and between the two.
// It works on a neutral table of items and raters and knows nothing of predictions, queues or screens.
//
// Every function is pure and deterministic; what resamples takes a seed. Its one invariant: a statistic
// that the data do not determine is undefined with the reason, never 0, 1 or NaN.
package agree
