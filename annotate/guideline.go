package annotate

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Guideline is one version of the text that a queue's annotators go by. The
// zero value is no guideline: a screen then shows the standard one.
type Guideline struct {
	Version int // from 1, in the order in which they were written; 0: none
	Text    string
	By      Annotator
	At      time.Time
}

// ErrSameGuideline says that a text is the guideline in force already.
var ErrSameGuideline = errors.New("this is the guideline in force")

// Next is the version that follows g. It gives ErrSameGuideline when it would
// say the same, so that writing a file twice makes no second version.
func (g Guideline) Next(text string, by Annotator, at time.Time) (Guideline, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	switch {
	case text == "":
		return g, errors.New("the guideline is empty")
	case text == strings.TrimSpace(g.Text):
		return g, fmt.Errorf("version %d: %w", g.Version, ErrSameGuideline)
	}
	return Guideline{Version: g.Version + 1, Text: text, By: by, At: at}, nil
}

// Of is the version that a label was made under while g is in force; 0 when
// that was none, or is not known. A label of before there were versions says
// nothing: it was made under the first one, unless it is older.
func (g Guideline) Of(l *Label) int { return g.VersionAt(l.Guideline, l.Imported, l.At) }

// VersionAt is the version that was in force at a time, given what an act says of
// it; see Of.
func (g Guideline) VersionAt(version int, imported bool, at time.Time) int {
	if version == 0 && !imported && g.Version == 1 && !at.Before(g.At) {
		return 1
	}
	return version
}
