package criteria

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
)

// Where keys work.
const (
	onShelf action.Mode = iota
	onList
	onPage
	onReview // the page's part with the checklist
)

var (
	anywhere = []action.Mode{onList, onPage, onReview}
	onSample = []action.Mode{onPage, onReview}
)

// pageReader shows one sample: its parts, its pictures, and the criteria that are being written.
type pageReader struct {
	*sampleSet

	page *samplePage                           // nil: the list is shown
	lost map[eval.Ordinal][]criteria.Criterion // drafts that could not be saved
	mark map[eval.Ordinal]pendingTicks         // of reviews that are not given yet
}

func (m *pageReader) whyNoPicture() string {
	return action.WhyIf(m.page == nil || !m.page.gallery.HasAny(), "the project holds no image of this sample")
}

func (m *pageReader) whyNoOtherPicture() string {
	if why := m.whyNoPicture(); why != "" {
		return why
	}
	return eval.Either(m.page.gallery.Len() < 2, "there is no other image of this sample", "")
}

// keyMode is where keys go now.
func (m *pageReader) keyMode() action.Mode {
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

// isFull reports whether a picture fills the screen.
func (m *pageReader) isFull() bool { return m.page != nil && m.page.gallery.IsFull() }

func (m *pageReader) toggleGuideline() tea.Cmd {
	m.page.part = partGuide
	return m.drawPicture()
}

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place {
	if m.reader.isFull() {
		return keymap.CriteriaPicture
	}
	here := m.reader.keyMode()
	if here == onShelf {
		return keymap.CriteriaDatasets
	}
	return eval.Either(here == onList, keymap.Criteria, keymap.CriteriaPage)
}
