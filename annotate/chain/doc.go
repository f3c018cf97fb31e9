// Package chain binds each person's acts to those before them: each act holds the hash of the one that
// the same person did before it, in whatever queue, on whatever criteria or pool, and a head says which
// one is the last. An act that is changed, taken out, put in or moved no longer fits.
//
// It knows how an act is hashed and how a chain is checked, and stores nothing.
// What is hashed is a form of its own, so that a chain can be checked without
// the store, and holds when the store's codec changes:
//
//	concord act 1
//	NAME LENGTH:VALUE
//	...
//
// One line for each field that has a value, in the order in which NewActForm, NewCriteriaForm, NewCurationForm, NewGradingForm and NewAuthoringForm write them; LENGTH
// counts the bytes of VALUE, so that no text can pass for a field. Numbers are
// decimal, times are milliseconds since 1970 and durations nanoseconds, what is
// one of several is its name, and a yes is 1. An act that is chained ends with
// its place in the chain, from 1, and with the hash, in hexadecimal, that it
// holds. A field that is added later changes no hash of an act without it; one
// that changes its meaning needs a new first line.
//
// The hash is SHA-256. The first act of a chain holds that of what was there before: the line "concord
// chain 1", the person, and the person's acts of before the chain, in the order of their keys.
//
// Its invariant: whoever does not change all that follows, the head included,
// is found out. Whoever can write the file can change all of that; only a head
// that others have seen, as one in a saved report, then tells.
package chain
