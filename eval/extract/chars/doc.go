// Package chars tells apart the bytes and characters of an answer, finds words
// in it eight bytes at a time, and folds what is written in many ways into one.
//
// It knows nothing of options and answers.
//
// Its one invariant: what is found eight bytes at a time is what a look at each byte finds.
package chars
