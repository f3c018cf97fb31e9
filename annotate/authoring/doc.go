// Package authoring holds how people write multiple-choice samples: the text that a
// sample is written as, the acts of authors and reviewers, and what follows from them.
//
//	text --ParseText--> eval.Sample (or what is wrong with it)
//	Act, Act, ... --FoldActs--> Set (state, text, authors) --WithAct: may this act come next?
//
// A model's translation is an act like a person's: it names its original. The package
// refuses to know storage, files and screens. Its one invariant: nothing is accepted
// that does not read, nor by one of its authors.
package authoring
