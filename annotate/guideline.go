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

// follows reports whether a label was made under g. One that does not say so
// was, unless it is older: before there were versions a queue had one guideline.
func (g Guideline) follows(version int, at time.Time) bool {
	return version == g.Version || version == 0 && !at.Before(g.At)
}

// Outdated is how many of the annotator's labels were made under another
// version of the guideline than the one in force, those from files left aside.
func (s *Session) Outdated() int {
	n := 0
	for _, l := range s.state.Labels {
		if !l.Imported && !s.queue.Guideline.follows(l.Guideline, l.At) {
			n++
		}
	}
	return n
}

// Amended reports whether the annotator labelled last under another version of
// the guideline than the one in force.
func (s *Session) Amended() bool {
	for i := len(s.acts) - 1; i >= 0; i-- {
		if a := &s.acts[i]; a.Kind == Labelled && !a.Imported {
			return !s.queue.Guideline.follows(a.Guideline, a.At)
		}
	}
	return false
}
