// Package jobs makes and runs evaluations and the jobs of single calls: answers,
// votes of judges, scores, grades, captions and inspections.
//
//	order --configure--> eval.Config --open--> eval.Run --plan--> engine.Plan --> Running, or runToEnd
//	order of votes, scores, grades, captions --Factory--> job (due, left out and why) --> engine.Runner
//
// It knows no screen but the forms that start and steer a job, and no command but the flags
// that say what to ask. Its invariant: a job of single calls has no record of its own. What is
// due is found out from what is stored, so the same order continues where it stopped.
package jobs
