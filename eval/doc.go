// Package eval holds what machines did: the vocabulary of an evaluation
// (datasets, samples, passes, runs, predictions, extractions, judgments) and
// the engine that turns a plan into facts.
//
//	Source -> Runner -> Model -> Reader -> Recorder
//	(samples)  (plan)  (answer)  (rules)   (facts, durable before they count)
//
// It imports the standard library only. Files, endpoints, rules and storage
// are reached through the small interfaces that it declares; the command
// plugs them in. It refuses to know people: what they do lives in annotate.
//
// Its one invariant: a fact is recorded before it is counted.
package eval
