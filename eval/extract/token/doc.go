// Package token cuts a text into the words, numbers and signs by which answers
// and options are compared.
//
// It compares nothing itself.
//
// Its one invariant: two spellings of one number, or of one word, give the same token.
package token
