package table

import "concord/eval/text"

// visible is text from outside in a cell, a title or a note.
func visible(s string) string { return text.Outside(s).Cell() }
