// Package sample draws the items of a queue: at random or by interest, from predictions or whole samples,
// by strata of a taxonomy, as pairs, with items whose answer is known among them, and while a run goes on.
//
// It knows what a rule asks for and keeps nothing; what is drawn is stored by others. It refuses random
// generators. Its one invariant: whether something is drawn follows from the rule, its seed and the
// keys alone, so that a draw can be repeated by anybody, and a crash changes none.
package sample
