// Package lexicon knows the words and phrases by which English answers name a
// choice: the class of a word, and phrasebooks that find phrases in a text.
//
// It holds no rule: what a word near a letter means is decided by the rules.
//
// Its one invariant: a word is looked up in a few steps, however many there are.
package lexicon
