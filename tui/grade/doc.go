// Package grade is the screen on which a person grades responses by criteria: the
// response at the left, the criteria at the right, one key a criterion. An
// adjudicator decides on it the criteria on which people differ.
//
//	keys --> annotation.QueueSession --act--> journal
//
// Each verdict is committed by itself, and the last one of a response is its label,
// or its ruling, with all of them. The screen refuses to know models, judges and what
// others say. A key that grades means the criterion under the cursor of the frame
// that was seen.
package grade
