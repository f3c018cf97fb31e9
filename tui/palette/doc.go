// Package palette is the dialog in which everything is found by typing a part of its name: what can be
// done on the screen, places to go to, samples, and commands for a shell.
//
//	open(entries) --typed--> matches --enter--> the entry's message
//	           \--typed, rested--> Search in a command --> samples below them
//
// It knows no screen and does nothing itself: whoever opens it gives entries, and gets back the one
// that was chosen. What it is given is names and questions, never a truth or a reading.
//
// Its one invariant: a key is answered from what is at hand; what has to be
// read comes later, and moves nothing that is above it.
package palette
