// Package term is the one place that speaks to the terminal besides
// bubbletea: it decides whether there is a terminal fit to draw on, and hands
// bubbletea an input from which the terminal's own answers are cut.
//
//	tty --> Input (cuts APC, OSC, DCS, CSI ? ... replies) --> bubbletea keys
//
// It refuses to ask the terminal anything. Its one invariant: what a person
// types reaches the program unchanged and in order, and what a terminal
// answers never does.
package term
