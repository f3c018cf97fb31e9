// Package engine turns a plan into facts.
//
//	Source -> Runner -> Model -> Reader -> Judge -> recorders
//	(samples)  (plan)  (answer)  (rules)   (the rest)  (facts, durable before they count)
//
// The engine is a pool of workers on a job, which comes in units of work (worker.go). A run is
// a job (task.go) and its questions are the units: their passes, and the judges' readings of
// what the rules leave. Votes, scores and captions are jobs too (singlecalls.go), of single
// calls. A unit says call by call what to ask of which line (line.go), and settles what came of
// it. Canary calls, retries, pausing, the budget, holding still before a silent endpoint,
// cancelling and the grace period are the pool's, alike for all.
//
// It knows no file, no wire format and no screen: it calls the interfaces of
// eval, and says how far it is by an eval.Progress.
//
// Its one invariant: a fact is recorded before it is counted.
package engine
