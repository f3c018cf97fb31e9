// Package eval holds what machines did: the vocabulary of an evaluation
// (datasets, samples, passes, runs, predictions, extractions, judgments) and
// the engine that turns a plan into facts.
//
//	Source -> Runner -> Model -> Reader -> Judge -> recorders
//	(samples)  (plan)  (answer)  (rules)   (the rest)  (facts, durable before they count)
//
// The engine is a crew of workers on a job, which comes in units of work
// (unit.go). A run is a job (answering.go) and its questions are the units:
// their passes, and the judges' readings of what the rules leave. Votes,
// scores and captions are jobs too (asking.go), of single calls. A unit says
// call by call what to ask of which line (line.go), and settles what came of
// it. Canary calls, retries, pausing, the budget, holding still before a
// silent endpoint, cancelling and the grace period are the crew's, alike for
// all.
//
// It imports the standard library only. Files, endpoints, rules and storage
// are reached through the small interfaces that it declares; the command
// plugs them in. It refuses to know people: what they do lives in annotate.
//
// Its one invariant: a fact is recorded before it is counted.
package eval
