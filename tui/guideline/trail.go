package guideline

import (
	"strings"

	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
)

// longest is how many steps can be taken back.
const longest = 200

// deed is what a key does to a text. Letters of one word are one step, and so
// is what is taken away in a row.
type deed uint8

const (
	deedNone deed = iota
	deedWord
	deedSpace
	deedCut
	deedWhole // a step by itself
)

// moment is a text with its caret.
type moment struct {
	text        string
	row, column int
}

// trail is how a text came about.
type trail struct {
	past, future []moment
	last         deed
}

func current(a *textarea.Model) moment {
	info := a.LineInfo()
	return moment{a.Value(), a.Line(), info.StartColumn + info.ColumnOffset}
}

// restore puts a text back, with its caret.
func restore(a *textarea.Model, m moment) {
	a.SetValue(m.text)
	for range strings.Count(m.text, "\n") + len(m.text) {
		if a.Line() <= m.row {
			break
		}
		a.CursorUp()
	}
	a.SetCursor(m.column)
}

// does is what a key will do.
func does(msg tea.KeyMsg) deed {
	switch {
	case msg.Paste || len(msg.Runes) > 1 || msg.Type == tea.KeyEnter:
		return deedWhole
	case msg.Type == tea.KeySpace:
		return deedSpace
	case msg.Type == tea.KeyRunes && !msg.Alt:
		return deedWord
	}
	return deedCut
}

// edit changes the text by a key, and remembers what it was where a step
// begins. A key that only moves the caret ends the step.
func (tr *trail) edit(a *textarea.Model, msg tea.KeyMsg, change func()) {
	before := current(a)
	change()
	d := does(msg)
	on := d == tr.last || d == deedSpace && tr.last == deedWord
	switch {
	case a.Value() == before.text:
		tr.last = deedNone
		return
	case d == deedWhole, !on:
		tr.past = append(tr.past, before)
		tr.past = tr.past[max(0, len(tr.past)-longest):]
	}
	tr.last, tr.future = d, nil
}

// back takes the last step back, and reports whether there was one.
func (tr *trail) back(a *textarea.Model) bool { return tr.step(a, &tr.past, &tr.future) }

// forth does it again.
func (tr *trail) forth(a *textarea.Model) bool { return tr.step(a, &tr.future, &tr.past) }

func (tr *trail) step(a *textarea.Model, from, to *[]moment) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, current(a))
	restore(a, (*from)[n-1])
	*from, tr.last = (*from)[:n-1], deedNone
	return true
}
