// Package eval holds the vocabulary of an evaluation: datasets, samples, passes, runs, predictions,
// extractions, judgments, and what is derived from them alone. Package engine turns a plan into such facts.
//
// It imports the standard library only. Files, endpoints, rules and storage
// are reached through the small interfaces that it declares; the command
// plugs them in. It refuses to know people: what they do lives in annotate.
//
// Its one invariant: facts are told apart from opinions. What a reader makes
// of a prediction is derived again at any time.
package eval
