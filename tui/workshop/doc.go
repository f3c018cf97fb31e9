// Package workshop is the page on which a judge's prompt is written and tried on what
// people have labelled in a queue, measured on the held-out part, and promoted.
//
//	editor --Source.KeepPrompt--> prompts --Source.Start--> (asked in the background)
//	Source.ReadBench --> figures of each prompt, what it fixed and broke --> Answers, Promote
//
// It knows no store, no report and no endpoint. Its one invariant: nothing is asked before its cost was
// shown, and nothing is promoted before its look at the held-out part is saved.
package workshop
