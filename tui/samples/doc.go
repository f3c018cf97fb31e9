// Package samples shows the samples behind a figure: a list, and each with
// its picture, question, every pass, what was read out of it and what people
// said.
//
//	Query --> Source.Rows (pulled a page at a time) --> list --> detail
//
// It computes no figure: which samples are behind one is the source's to say.
// Its one invariant: of a prediction that the annotator is yet to answer it
// shows no text, no reading and no verdict, and of a sample whose truth would
// answer such an item it shows no truth.
package samples
