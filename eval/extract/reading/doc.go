// Package reading holds what a rule makes of a text: a choice, or an abstention
// with its reason; and the abstentions that every set of rules knows: failed
// calls, refusals, and options that name a way out.
//
// Its one invariant: a choice is an option of the question.
package reading
