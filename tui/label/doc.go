// Package label is the screen on which a person reads answers: one item in front, one key to say which
// option it chose, or how right an open answer is, and the next one.
//
//	keys --> annotation.QueueSession --act--> annotate.Journal
//	           |   ^
//	         Press, Lay, ImageSize (what this screen does for its session)
//
// It refuses to know truths, models and other people's labels: what it is handed holds none, and what
// it asks for afterwards comes through annotate.Session.PrepareReveal. Update and View do no I/O. Its one
// invariant is its session's: a key that labels always labels the item that is in front when its turn
// comes, and turns come in the order in which keys were pressed.
package label
