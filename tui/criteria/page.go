package criteria

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/widget"
)

// part is what a page shows beside the question.
type part uint8

const (
	partCriteria part = iota
	partReview
	partHistory
	partGuide
	parts
)

var partNames = [parts]string{"Criteria", "Review", "History", "Guideline"}

// page is one sample on the whole screen.
type page struct {
	at       int // in rows
	sample   eval.Ordinal
	part     part
	top      [parts]int
	revision int // shown by the history; -1: the last one
	editor   *editor

	loaded  bool
	gallery widget.Gallery
	full    bool // the picture fills the screen
}

// ticks are a reviewer's answers to the checklist that are not given yet.
type ticks map[criteria.Item]bool

// load reads the pictures of a sample, in a command.
func load(images *widget.ImageRenderer, source Source, pictures []eval.Picture) (out widget.Gallery) {
	for _, pic := range pictures {
		if pic.Hash == "" {
			out.Add(nil, pic.Name, fmt.Errorf("%s: %w", widget.Line(pic.Name), widget.ErrNoPicture))
			continue
		}
		shown, err := images.Open(string(pic.Hash), func() ([]byte, error) { return source.Picture(pic.Hash) })
		out.Add(shown, pic.Name, err)
	}
	return out
}

// illustrate takes the pictures that were read of a page.
func (m *reader) illustrate(of *page, gallery widget.Gallery) tea.Cmd {
	if m.page != of {
		return nil
	}
	m.page.loaded, m.page.gallery = true, gallery
	for n, of := range m.rows[m.page.at].Sample.Pictures {
		if pic := gallery.At(n); pic != nil {
			m.sizes[of.Hash] = measured{size: criteria.Size{Width: pic.Width, Height: pic.Height}}
		}
	}
	return m.draw()
}

// draw draws the picture for the room that it has, in a command.
func (m *reader) draw() tea.Cmd {
	p := m.page
	if p == nil {
		return nil
	}
	cols, rows := m.pictureRoom()
	if cols < 4 || rows < 2 {
		return nil
	}
	return m.viewer.Draw(p.gallery.Front(), cols, rows)
}

// art is the picture in the room that it has; nil before it is drawn.
func (m *reader) art() []string {
	cols, rows := m.pictureRoom()
	if cols < 4 || rows < 2 {
		return nil
	}
	return m.viewer.Lines(m.page.gallery.Front(), cols, rows)
}

// look takes a key of the picture that fills the screen, and reports whether
// it was one.
func (m *reader) look(name string) (tea.Cmd, bool) {
	p := m.page
	if p == nil || !p.gallery.Seen() || !p.full && name != "=" {
		return nil, false
	}
	if name == "o" {
		return m.viewer.Outside(p.gallery.Front(), p.gallery.Name()), true
	}
	cols, rows := m.pictureRoom()
	if !m.viewer.Press(name, p.gallery.Front(), cols, rows) {
		return nil, false
	}
	return m.draw(), true
}

// another shows the next of the sample's pictures.
func (m *reader) another() tea.Cmd {
	m.page.gallery.Next()
	return m.draw()
}

// turn goes to another part of the page.
func (m *reader) turn(by int) tea.Cmd {
	m.page.part = part((int(m.page.part) + by + int(parts)) % int(parts))
	return m.draw()
}

// older walks the revisions.
func (m *reader) older(by int) tea.Cmd {
	p := m.page
	n := len(m.rows[p.at].Set.Revisions)
	if n == 0 {
		return widget.Tell(widget.Info, "nothing is written yet")
	}
	at := p.revision
	if at < 0 || p.part != partHistory {
		at = n - 1
		if p.part != partHistory {
			by = 0
		}
	}
	p.part, p.top[partHistory] = partHistory, 0
	p.revision = max(0, min(at+by, n-1))
	return m.draw()
}

// answer ticks a point of the checklist: passed, failed, not applicable.
func (m *reader) answer(name string) tea.Cmd {
	p := m.page
	i := int(name[0] - '1')
	points := criteria.Checklist()
	if i < 0 || i >= len(points) {
		return nil
	}
	given := m.given(p)
	switch ok, answered := given[points[i].Item]; {
	case !answered:
		given[points[i].Item] = true
	case ok:
		given[points[i].Item] = false
	default:
		delete(given, points[i].Item)
	}
	m.mark[p.sample], p.part = given, partReview
	return m.draw()
}

// given are the answers to the checklist as they stand here: those of the
// present round, until the person changes them.
func (m *reader) given(p *page) ticks {
	if g, ok := m.mark[p.sample]; ok {
		return g
	}
	g := make(ticks)
	for item, t := range m.rows[p.at].Set.Ticks {
		g[item] = t.OK
	}
	return g
}

// list are the answers in the order of the checklist.
func (g ticks) list() []criteria.Tick {
	var out []criteria.Tick
	for _, p := range criteria.Checklist() {
		if ok, answered := g[p.Item]; answered {
			out = append(out, criteria.Tick{Item: p.Item, OK: ok})
		}
	}
	return out
}
