// Package vote is the screen on which a person says which of two answers is better: a question with its
// picture and criteria, the two answers, one key, and the next pair.
//
//	keys --> annotation.QueueSession --act--> annotate.Journal
//	           |   ^
//	         Press, Lay, ImageSize (what this screen does for its session)
//
// It refuses to know whose answers they are: what it is handed holds no model's
// name, and what it asks for afterwards comes through session.Session.PreparePairReveal.
// Update and View do no I/O. Its one invariant: Answer 1 is the answer that the
// session says is shown first, on the screen and in the vote that is stored.
package vote
