// Package annotation is one person's session at one queue: what every screen
// needs on which a person works through items.
//
//	keys --> QueueSession --> annotate.Session --act--> Journal (ordered, durable)
//	            |  ^                                  |
//	            |  '---- loaded, grown, heard --------'
//	            '--> tea.Cmd --> Items, Pictures
//
// It has the session and what is saved of it, the items and pictures that are likely to be in front
// soon, the note, the time spent, and the words for all of these. It refuses to know what an item looks
// like and what can be said of it: that is the screen's, which has it and gives it its Part. Update and
// View do no I/O. Its one invariant: a key that records something is about the item that its frame
// shows, and is never kept for a later one.
package annotation
