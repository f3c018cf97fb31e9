package extract

import (
	"strings"
	"testing"

	"concord/eval"
)

// The recipe "add a rule set" of ARCHITECTURE.md, followed: a type with Version and
// Read, and its row in builtInSets.

// lastWord takes the option that the last word of an answer names.
type lastWord struct{}

func (lastWord) Version() string { return "1" }

func (lastWord) Read(options []eval.Option, text string) eval.Extraction {
	words := strings.Fields(text)
	for _, o := range options {
		if len(words) > 0 && words[len(words)-1] == string(o.Letter) {
			return eval.Extraction{Choice: o.Letter, Status: eval.Found, Method: "last-word"}
		}
	}
	return eval.Extraction{Status: eval.Missing, Method: "last-word"}
}

func TestARuleSetIsATypeAndARow(t *testing.T) {
	toy := Set{name: "toy", choice: lastWord{}}
	options := []eval.Option{{Letter: "A", Text: "red"}, {Letter: "B", Text: "blue"}}
	if got := toy.Read(eval.KindChoice, options, "It is B"); !got.IsFound() || got.Choice != "B" {
		t.Errorf("read %+v", got)
	}
	if got := toy.Read(eval.KindChoice, options, "no idea"); got.IsFound() || !got.IsUnparsable() || got.Method == "" {
		t.Errorf("read %+v", got)
	}
	if toy.ReadsKind(eval.KindYesNo) || toy.Version() != "1" {
		t.Errorf("version %q", toy.Version())
	}
}
