// Package pairs shows the pairs of answers behind a figure over votes: a list,
// and each with its picture, question, criteria, both answers, every vote of a
// judge with its raw reply, and what people voted.
//
//	Query --> Source.RowsOfPairs (pulled a page at a time) --> list --> page of a pair
//
// It computes no figure and merges no votes: that is the source's. Its one invariant: it asks for one
// person, and shows what it was handed; of a pair that waits for that person's own vote the source
// hands over no model's name and no vote.
package pairs
