package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// terms are the words of the screens with what they mean. The vocabulary of
// ARCHITECTURE.md has each of them.
var terms = [][2]string{
	{"sample", "one question of a dataset with image and ground truth"},
	{"run", "one model asked about one dataset"},
	{"pass", "one rotation of a question's options"},
	{"response", "what the model answered"},
	{"extraction", "the choice read out of a response"},
	{"unparsed", "no choice could be extracted"},
	{"judge", "a model that extracts, votes or scores"},
	{"queue", "items for people to label"},
	{"consensus", "what the labels of an item come to"},
	{"adjudication", "one person's decision on a disagreement"},
	{"agreement", "how far raters say the same"},
	{"gold item", "an item with a known answer"},
	{"blind", "labeled before anything was revealed"},
	{"curation", "which samples need their image"},
	{"criteria", "what a good answer must do"},
	{"cluster", "units that depend on each other"},
}

// glossary is the last part of the help page.
func glossary() widget.Group {
	g := widget.Group{Title: "Glossary", Keys: make([]key.Binding, len(terms))}
	for i, t := range terms {
		g.Keys[i] = widget.Bind("·", t[0]+": "+t[1], t[0])
	}
	return g
}
