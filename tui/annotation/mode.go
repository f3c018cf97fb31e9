package annotation

// Mode is what keys mean now. The zero value is reading: one key answers.
type Mode uint8

// The modes that every screen has. Its own begin at More.
const (
	Reading    Mode = iota
	Noting          // typing a note: keys are text
	Guiding         // the guideline is open
	Zooming         // the picture fills the screen
	Revealed        // what machines made of the item is open
	Explaining      // typing a reason: keys are text
	Weighing        // saying how sure one is: digits
	More
)
