// Package samples shows the samples behind a figure: a list, and each with its picture, question, every
// pass, what was read out of it and what people said.
//
//	Query --> Source.RowsOfKeys (pulled a page at a time) --> list --> detail
//
// It computes no figure: which samples are behind one is the source's to say.
// Its one invariant: it asks for one person, and shows what it was handed; what
// that person must not see yet, the source does not hand over.
package samples
