// Package published reproduces the rules that published figures were computed
// with: VLMEvalKit in two versions, step 1 of the MMBench paper, the MMStar
// authors' rule and the MME tool's rule, defects included.
//
// It refuses to be better than they are.
//
// Its one invariant: a text is read as the published code reads it.
package published
