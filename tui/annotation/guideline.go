package annotation

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// Guide opens and closes the guideline.
func (s *Sitting[B]) Guide(string) tea.Cmd {
	if s.Mode == Guiding {
		s.Mode = Reading
	} else {
		s.Mode = Guiding
	}
	return nil
}

// OpenGuideline asks for the page of a queue's guideline, where its versions
// are looked at and the next one is written.
type OpenGuideline struct{ Queue annotate.QueueName }

// GuidePage asks for that page.
func (s *Sitting[B]) GuidePage(string) tea.Cmd {
	q := s.deps.Queue
	return func() tea.Msg { return OpenGuideline{q} }
}

// Guided takes up a version that came into force while the sitting is open:
// labels from here on are made under it.
func (s *Sitting[B]) Guided(name annotate.QueueName, g annotate.Guideline) {
	if s.Session == nil || name != s.deps.Queue {
		return
	}
	q := s.Session.Queue()
	if g.Version > q.Guideline.Version {
		q.Guideline = g
		s.Session.SetQueue(q)
	}
}

// GuideText is the queue's guideline, else the standard one.
func (s *Sitting[B]) GuideText(standard string) []string {
	g := s.Session.Queue().Guideline
	if g.Version == 0 {
		return widget.Wrap(standard, s.measure())
	}
	lines := widget.Wrap(g.Text, s.measure())
	lines = append(lines, "")
	for _, l := range widget.Wrap(s.version(g), s.measure()) {
		lines = append(lines, s.Theme.Faint.Render(l))
	}
	return lines
}

// Guideline shows the guideline from a line on.
func (s *Sitting[B]) Guideline(standard string, from, height int) []string {
	lines := s.GuideText(standard)
	rows := height - 1
	from = max(0, min(from, len(lines)-rows))
	out := []string{Section(s.Theme, "Guideline", from, rows, len(lines), s.Keyed("{j k} scroll"), true, s.Width)}
	for _, l := range lines[from:min(from+rows, len(lines))] {
		out = append(out, " "+l)
	}
	return widget.Block(out, s.Width, height)
}

// measure is how wide a text is set that is read whole.
func (s *Sitting[B]) measure() int { return max(1, min(s.Width-2, 90)) }

// version says which version of the guideline is in force, whose it is, and how
// many of the annotator's labels were made under another one.
func (s *Sitting[B]) version(g annotate.Guideline) string {
	out := fmt.Sprintf("Version %d", g.Version)
	if !g.At.IsZero() {
		out += ", " + g.At.Local().Format("2 January 2006")
	}
	if g.By != "" {
		out += ", by " + widget.Line(string(g.By))
	}
	if n := s.Session.Outdated(); n > 0 {
		out += fmt.Sprintf(". Of your labels here, %s made under another version.", were(n))
	}
	return out
}

func were(n int) string {
	if n == 1 {
		return "1 was"
	}
	return widget.Count(n) + " were"
}

// amended tells somebody who comes back that the guideline is not the one that
// their labels were made under.
func (s *Sitting[B]) amended() tea.Cmd {
	g := s.Session.Queue().Guideline
	if g.Version == 0 || !s.Session.Amended() {
		return nil
	}
	return notify(widget.Info, fmt.Sprintf("the guideline has changed since your last label: %s shows version %d", s.Spelled("i"), g.Version))
}
