package criteria

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/keymap"
)

// place is where a key works.
type place uint8

const (
	onShelf place = 1 << iota
	onList
	onPage
	onReview // the page's part with the checklist
	anywhere = onList | onPage | onReview
	onSample = onPage | onReview
)

// reader shows one sample: its parts, its pictures, and the criteria that are
// being written.
type reader struct {
	*collection

	page *page                                 // nil: the list is shown
	lost map[eval.Ordinal][]criteria.Criterion // drafts that could not be saved
	mark map[eval.Ordinal]ticks                // of reviews that are not given yet
}

func newReader(c *collection) reader {
	return reader{collection: c, lost: make(map[eval.Ordinal][]criteria.Criterion), mark: make(map[eval.Ordinal]ticks)}
}

func (m *reader) noPicture() string {
	if m.page == nil || !m.page.gallery.Seen() {
		return "the project holds no image of this sample"
	}
	return ""
}

func (m *reader) noOtherPicture() string {
	if why := m.noPicture(); why != "" {
		return why
	}
	if m.page.gallery.Len() < 2 {
		return "there is no other image of this sample"
	}
	return ""
}

// here is where keys go now.
func (m *reader) here() place {
	switch {
	case m.page != nil && m.page.part == partReview:
		return onReview
	case m.page != nil:
		return onPage
	case m.dataset != "" && !m.loading:
		return onList
	}
	return onShelf
}

// looking reports whether a picture fills the screen.
func (m *reader) looking() bool { return m.page != nil && m.page.full && m.page.gallery.Seen() }

func (m *reader) guideline() tea.Cmd {
	m.page.part = partGuide
	return m.draw()
}

func (m *reader) zoom() tea.Cmd {
	m.page.full = !m.page.full
	return m.draw()
}

// KeyPlace is where the screen's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place {
	if m.reader.looking() {
		return keymap.CriteriaPicture
	}
	here := m.reader.here()
	if here == onShelf {
		return keymap.CriteriaDatasets
	}
	if here == onList {
		return keymap.Criteria
	}
	return keymap.CriteriaPage
}
