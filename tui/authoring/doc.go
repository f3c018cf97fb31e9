// Package authoring is the page on which people write multiple-choice samples and review
// what others and models wrote.
//
//	n, e --> editor --(pause, esc)--> a draft --ctrl+k--> in review
//	y, x --> accepted, or changes requested, of what somebody else wrote
//
// A sample is one text, a field a line (package annotate/authoring). Its one invariant: what is said to
// be saved is stored, and a text that could not be stored stays in the editor.
package authoring
