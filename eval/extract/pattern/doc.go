// Package pattern is rule sets as data: a file of regular expressions that are
// tried in order, of phrases that refuse, and of how a response is prepared
// before. Whoever wants another rule set writes a file.
//
// It refuses to run anything: expressions are RE2, whose time is linear in the length of a response
// (Go, regexp/syntax), and a key that it does not know is an error.
//
// Its one invariant: a choice is an option of the question, and equal files give
// equal readings. The version of a set is the hash of its file.
package pattern
