package annotation

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// Guide is the guideline of the queue, beside its items.
type Guide struct {
	*State
}

// Toggle opens and closes the guideline.
func (gl *Guide) Toggle(string) tea.Cmd {
	if gl.Mode == Guiding {
		gl.Mode = Reading
	} else {
		gl.Mode = Guiding
	}
	return nil
}

// Versions asks for the page of its versions.
func (gl *Guide) Versions(string) tea.Cmd {
	q := gl.deps.Queue
	return func() tea.Msg { return OpenGuideline{q} }
}

// Text is the queue's guideline, else the standard one.
func (gl *Guide) Text(standard string) []string {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 {
		return widget.Wrap(standard, gl.measure())
	}
	lines := widget.Wrap(g.Text, gl.measure())
	lines = append(lines, "")
	for _, l := range widget.Wrap(gl.version(g), gl.measure()) {
		lines = append(lines, gl.Theme.Faint.Render(l))
	}
	return lines
}

// Lines show the guideline from a line on.
func (gl *Guide) Lines(standard string, from, height int) []string {
	lines := gl.Text(standard)
	rows := height - 1
	from = max(0, min(from, len(lines)-rows))
	out := []string{Section(gl.Theme, "Guideline", from, rows, len(lines), gl.Keyed("{up down} scroll"), true, gl.Width)}
	for _, l := range lines[from:min(from+rows, len(lines))] {
		out = append(out, " "+l)
	}
	return widget.Block(out, gl.Width, height)
}

// measure is how wide a text is set that is read whole.
func (gl *Guide) measure() int { return max(1, min(gl.Width-2, 90)) }

// version says which version of the guideline is in force, whose it is, and how
// many of the annotator's labels were made under another one.
func (gl *Guide) version(g annotate.Guideline) string {
	out := fmt.Sprintf("Version %d", g.Version)
	if !g.At.IsZero() {
		out += ", " + g.At.Local().Format("2 January 2006")
	}
	if g.By != "" {
		out += ", by " + widget.Line(string(g.By))
	}
	if n := gl.Session.Own.Outdated(); n > 0 {
		out += fmt.Sprintf(". Of your labels here, %s made under another version.", were(n))
	}
	return out
}

// amended tells somebody who comes back that the guideline is not the one that
// their labels were made under.
func (gl *Guide) amended() tea.Cmd {
	g := gl.Session.Own.Queue().Guideline
	if g.Version == 0 || !gl.Session.Own.Amended() {
		return nil
	}
	return notify(widget.Info, fmt.Sprintf("the guideline has changed since your last label: %s shows version %d", gl.Spelled("guideline"), g.Version))
}

// OpenGuideline asks for the page of a queue's guideline, where its versions
// are looked at and the next one is written.
type OpenGuideline struct{ Queue annotate.QueueName }

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return widget.Count(n) + " were"
}
