package criteria

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/widget"
)

// pagePart is what a page shows beside the question.
type pagePart uint8

const (
	partCriteria pagePart = iota
	partReview
	partHistory
	partGuide
	parts
)

var partNames = [parts]string{"Criteria", "Review", "History", "Guideline"}

// samplePage is one sample on the whole screen.
type samplePage struct {
	at       int // in rows
	sample   eval.Ordinal
	part     pagePart
	top      [parts]int
	revision int // shown by the history; -1: the last one
	editor   *editor

	loaded  bool
	gallery drilldown.Pictures
}

// pendingTicks are a reviewer's answers to the checklist that are not given yet.
type pendingTicks map[criteria.ChecklistItem]bool

func (m *pageReader) takeLoadedPictures(of *samplePage, gallery widget.Gallery) tea.Cmd {
	if m.page != of {
		return nil
	}
	m.page.loaded, m.page.gallery.Gallery = true, gallery
	for n, of := range m.rows[m.page.at].Sample.Pictures {
		if pic := gallery.PictureAt(n); pic != nil {
			m.sizes[of.Hash] = measuredPicture{size: criteria.Size{Width: pic.Width, Height: pic.Height}}
		}
	}
	return m.drawPicture()
}

func (m *pageReader) drawPicture() tea.Cmd {
	p := m.page
	if p == nil {
		return nil
	}
	cols, rows := m.pictureRoom()
	if cols < 4 || rows < 2 {
		return nil
	}
	return m.viewer.DrawPicture(p.gallery.PictureInFront(), cols, rows)
}

// pictureLines is the picture in the room that it has; nil before it is drawn.
func (m *pageReader) pictureLines() []string {
	cols, rows := m.pictureRoom()
	if cols < 4 || rows < 2 {
		return nil
	}
	return m.viewer.PictureLines(m.page.gallery.PictureInFront(), cols, rows)
}

// handlePictureKey takes a key of the picture that fills the screen, and reports whether it was one.
func (m *pageReader) handlePictureKey(name string) (tea.Cmd, bool) {
	if m.page == nil {
		return nil, false
	}
	cols, rows := m.pictureRoom()
	return m.page.gallery.HandleFullPictureKey(name, cols, rows, m.drawPicture)
}

func (m *pageReader) showOtherPart(by int) tea.Cmd {
	m.page.part = pagePart((int(m.page.part) + by + int(parts)) % int(parts))
	return m.drawPicture()
}

func (m *pageReader) stepRevision(by int) tea.Cmd {
	p := m.page
	n := len(m.rows[p.at].Set.Revisions)
	if n == 0 {
		return widget.NotifyCmd(widget.Info, "nothing is written yet")
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
	return m.drawPicture()
}

// cyclePointTick ticks a point of the checklist: passed, failed, not applicable.
func (m *pageReader) cyclePointTick(name string) tea.Cmd {
	p := m.page
	i := int(name[0] - '1')
	points := criteria.ChecklistPoints()
	if i < 0 || i >= len(points) {
		return nil
	}
	given := m.givenTicks(p)
	switch ok, answered := given[points[i].Item]; {
	case !answered:
		given[points[i].Item] = true
	case ok:
		given[points[i].Item] = false
	default:
		delete(given, points[i].Item)
	}
	m.mark[p.sample], p.part = given, partReview
	return m.drawPicture()
}

// givenTicks are the answers to the checklist as they stand here: those of the
// present round, until the person changes them.
func (m *pageReader) givenTicks(p *samplePage) pendingTicks {
	if g, ok := m.mark[p.sample]; ok {
		return g
	}
	g := make(pendingTicks)
	for item, t := range m.rows[p.at].Set.Ticks {
		g[item] = t.OK
	}
	return g
}

// listTicks lists the answers in the order of the checklist.
func (g pendingTicks) listTicks() []criteria.Tick {
	return eval.FilterMap(criteria.ChecklistPoints(), func(p criteria.Point) (criteria.Tick, bool) {
		ok, answered := g[p.Item]
		return criteria.Tick{Item: p.Item, OK: ok}, answered
	})
}
