// Package term is the one place that speaks to the terminal besides bubbletea: it decides whether there
// is a terminal fit to draw on, asks it once what it is before anything is drawn, and hands bubbletea
// an input from which the terminal's own answers are cut, and an output that paints its frames and that
// pictures can be sent to between two of them.
//
//	tty <-- Probe --> Session --> Choice (how pictures are shown)
//	tty --> Input (cuts APC, OSC, DCS, CSI ? ... replies) --> bubbletea keys
//	tty <-- Output <-- Painter (frames), bubbletea's modes, Graphics' pictures
//
// It refuses to ask the terminal anything while the app runs. Its one invariant: what a person types
// reaches the program unchanged and in order, and what a terminal answers never does.
package term
