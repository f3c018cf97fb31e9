package curate

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// candidateSet are the samples to be judged: those of a dataset, which of them the filter
// leaves, and the one in front.
type candidateSet struct {
	*keymap.Spelling
	board  *curation.Board // nil: none is open
	open   Opening
	places map[eval.Ordinal]int // in open.Cards
	filter candidateFilter
	shown  []int // cards that the filter leaves
	at     int   // in shown; len(shown): nothing is in front
	settle bool  // verdicts are rulings on what experts differ on
}

// axisOfCard is where the card in front stands for the person.
func (cs *candidateSet) axisOfCard() []string {
	o := cs.currentCard().Sample.Ordinal
	if r, ok := cs.board.State().Rulings[o]; ok && cs.settle && r.Axis != nil {
		return r.Axis
	}
	return cs.board.AxisOf(o)
}

func (cs *candidateSet) whyNoCard() string {
	return action.WhyIf(cs.currentCard() == nil, "no sample is selected")
}

func (cs *candidateSet) whyVerdictRefused() string {
	c := cs.currentCard()
	if c == nil {
		return cs.whyNoCard()
	}
	o := c.Sample.Ordinal
	if _, ruled := cs.board.State().Rulings[o]; cs.settle && !ruled && !cs.board.IsDisputed(o) {
		return cs.SpellText("experts do not differ on this sample: {settle} goes back to verdicts")
	}
	return ""
}

func (cs *candidateSet) whyNoAxis() string {
	c := cs.currentCard()
	if c == nil {
		return cs.whyNoCard()
	}
	if _, ruled := cs.board.State().Rulings[c.Sample.Ordinal]; cs.settle && !ruled {
		return "resolve the verdict first"
	}
	return ""
}

func (cs *candidateSet) whyNoSkip() string {
	switch {
	case cs.currentCard() == nil:
		return cs.whyNoCard()
	case cs.settle:
		return cs.SpellText("nothing is put off while you adjudicate; {right} continues")
	}
	return ""
}

func (cs *candidateSet) whyNoOthers() string {
	c := cs.currentCard()
	switch {
	case c == nil:
		return cs.whyNoCard()
	case !cs.board.State().HasAnswered(c.Sample.Ordinal):
		return annotate.ErrBlind.Error()
	}
	return ""
}

func (cs *candidateSet) whyNoStep(can func(*curation.State) bool, none string) func() string {
	return func() string { return action.WhyIf(cs.board == nil || !can(cs.board.State()), none) }
}

// applyFilter finds the cards that the filter leaves. The list stays as it is while they are worked on.
func (cs *candidateSet) applyFilter() {
	words, not := widget.ParseFilter(cs.filter.words)
	cs.shown = cs.shown[:0:0]
	for i := range cs.open.Cards {
		c := &cs.open.Cards[i]
		switch {
		case len(words) > 0 && containsWords(c, words) == not,
			cs.filter.source != "" && c.Sample.Source != cs.filter.source,
			cs.filter.axis != nil && !slices.Equal(cs.board.AxisOf(c.Sample.Ordinal), cs.filter.axis),
			!cs.matchesStateFilter(c.Sample.Ordinal):
			continue
		}
		cs.shown = append(cs.shown, i)
	}
}

// matchesStateFilter reports whether a sample stands as the filter wants. What it comes to
// with the others' words counts only where the person may know.
func (cs *candidateSet) matchesStateFilter(o eval.Ordinal) bool {
	switch cs.filter.state {
	case waiting:
		s := cs.board.StandingOf(o)
		return s == curation.ToDo || s == curation.PutOff
	case answered:
		return cs.board.State().HasAnswered(o)
	case kept:
		d, err := cs.board.DecisionOn(o)
		return err == nil && d.Outcome == curation.Accepted
	case dropped:
		d, err := cs.board.DecisionOn(o)
		return err == nil && d.Outcome == curation.Dropped
	case disputed:
		if cs.settle {
			_, ruled := cs.board.State().Rulings[o]
			return ruled || cs.board.IsDisputed(o)
		}
		d, err := cs.board.DecisionOn(o)
		return err == nil && d.IsDisputed()
	case everything, states:
	}
	return true
}

// listSources lists those of the candidates, in their order.
func (cs *candidateSet) listSources() []string {
	var out []string
	for i := range cs.open.Cards {
		if s := cs.open.Cards[i].Sample.Source; s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// currentCard is the candidate in front; nil when there is none.
func (cs *candidateSet) currentCard() *Card {
	if cs.board == nil || cs.at >= len(cs.shown) {
		return nil
	}
	return &cs.open.Cards[cs.shown[cs.at]]
}

// countProgress counts how many of the candidates the person is through with, or how
// many of those that experts differed on are settled.
func (cs *candidateSet) countProgress() (done, all int) {
	if cs.settle {
		d := cs.board.CountDisputes()
		return d.Resolved, d.Open + d.Resolved
	}
	done = eval.Count(cs.open.Cards, func(c Card) bool {
		s := cs.board.StandingOf(c.Sample.Ordinal)
		return s == curation.Mine || s == curation.NotNeeded
	})
	return done, len(cs.open.Cards)
}

// placeOfNextCard gives the place of the next card that asks for the person, those put off last.
func (cs *candidateSet) placeOfNextCard() int {
	n := len(cs.shown)
	best, skipped := n, uint32(0)
	for step := range n {
		at := eval.Either(cs.at >= n, step, (cs.at+1+step)%n)
		o := cs.open.Cards[cs.shown[at]].Sample.Ordinal
		if cs.settle {
			if _, ruled := cs.board.State().Rulings[o]; !ruled && cs.board.IsDisputed(o) {
				return at
			}
			continue
		}
		switch cs.board.StandingOf(o) {
		case curation.ToDo:
			return at
		case curation.PutOff:
			if put := cs.board.State().Skipped[o]; best == n || put < skipped {
				best, skipped = at, put
			}
		case curation.Mine, curation.NotNeeded:
		}
	}
	return best
}

// reapplyFilter goes through what the filter leaves now, and is the place of the card
// that was in front, where it is still among them.
func (cs *candidateSet) reapplyFilter() int {
	was := -1
	if cs.at < len(cs.shown) {
		was = cs.shown[cs.at]
	}
	cs.applyFilter()
	return max(0, slices.Index(cs.shown, was))
}

func containsWords(c *Card, words []string) bool {
	s := &c.Sample
	return widget.ContainsWords(strings.ToLower(string(s.ID)+"\n"+s.Question+"\n"+s.Source+"\n"+strings.Join(s.Taxonomy, "\n")), words)
}

// takeJournalState learns where the journal stands. What it refuses was made on a dataset as it is no
// more: that is read again, once; where it cannot be read, a key tries it once more.
func (m *Model) takeJournalState() tea.Cmd {
	if m.cards.board == nil {
		return nil
	}
	stream := m.cards.board.Stream()
	m.journal.saving = m.deps.Journal.StreamState(stream)
	acts, _ := m.deps.Journal.RefusedActs(stream)
	if len(acts) == 0 {
		m.journal.stuck = false
	}
	if len(acts) == 0 || m.journal.stuck || m.list.loading != "" {
		return nil
	}
	return m.openDataset(m.cards.board.Dataset())
}

// handleOpened shows a dataset that was read; one that was open before where it was.
func (m *Model) handleOpened(d eval.DatasetName, open Opening, err error) tea.Cmd {
	m.list.loading, m.list.err = "", err
	if err != nil {
		return keepAfterError(m, err)
	}
	m.journal.stuck = false
	if d != m.looked {
		m.looked, m.sample.look = d, open.Look
	}
	front, same := m.cards.currentCard(), m.cards.board != nil && m.cards.board.Dataset() == d
	if !same {
		m.Mode = annotation.Reading
	}
	m.cards.board, m.cards.open, m.sample.others = open.Board, open, nil
	m.cards.places = make(map[eval.Ordinal]int, len(m.cards.open.Cards))
	for i := range m.cards.open.Cards {
		m.cards.places[m.cards.open.Cards[i].Sample.Ordinal] = i
	}
	again := m.journal.redoRefused(m.who)
	heard := m.takeJournalState()
	m.cards.applyFilter()
	m.cards.at = len(m.cards.shown)
	if same && front != nil {
		if i, ok := m.cards.places[front.Sample.Ordinal]; ok && slices.Contains(m.cards.shown, i) {
			m.cards.at = slices.Index(m.cards.shown, i)
			return tea.Batch(again, heard, m.readAndDrawPictures())
		}
		m.Mode = annotation.Reading
	}
	return tea.Batch(again, heard, m.goToCard(m.cards.placeOfNextCard()))
}

// keepAfterError leaves what is open as it is when it cannot be read again.
func keepAfterError(m *Model, err error) tea.Cmd {
	if m.cards.board == nil {
		return nil
	}
	m.list.err, m.journal.stuck = nil, true
	return widget.NotifyCmd(widget.Problem, "read the candidates again: "+err.Error()+m.SpellText(" ({refresh} tries it once more)"))
}

// Card is a candidate as it is shown.
type Card struct {
	Sample  eval.Sample
	Finding *curation.Finding // what models made of it; nil: nobody has asked them

	Withheld bool // its ground truth is: an item on it is open to the person
}

// Opening is the candidates of a dataset, each in its place on the board too.
type Opening struct {
	Board *curation.Board
	Cards []Card
	// Inspection names where the candidates come from; "": they are the whole dataset.
	Inspection string
	Pool       int  // samples of the dataset
	Look       Look // what is shown at first
}

// Source reads datasets. It is called in commands.
type Source interface {
	Datasets() ([]eval.Dataset, error)
	// ReadBoard reads the candidates of a dataset, and shows every sample of the pool on
	// its way. Nobody counts as having been shown anything by it.
	ReadBoard(ctx context.Context, d eval.DatasetName, who annotate.Annotator, show func(*eval.Sample)) (*curation.Board, error)
	Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (Opening, error)
	// Picture reads the bytes of a picture.
	Picture(hash eval.PictureHash) ([]byte, error)
}

// Journal takes acts in order and says when they are durable; *curation.Journal is one.
type Journal interface {
	Submit(a curation.Act)
	RetryParked()
	StreamState(s curation.Stream) curation.JournalState
	// SyncStream waits until the acts of an expert in a dataset are durable.
	SyncStream(ctx context.Context, s curation.Stream) error
	Changed() <-chan struct{}
	// RefusedActs are the acts that cannot be stored, since others had been stored
	// under this name. They stay with the journal.
	RefusedActs(s curation.Stream) ([]curation.Act, error)
	// RedoRefused puts what again makes of them in their place, as one step. False: there are none.
	RedoRefused(s curation.Stream, again func(refused []curation.Act) []curation.Act) bool
}

var _ Journal = (*curation.Journal)(nil)

// Deps is what the screen is made of; Source, Journal and Theme are needed.
type Deps struct {
	Source        Source
	Journal       Journal
	Theme         *widget.Theme
	Now           func() time.Time // nil is time.Now
	Disagreements bool             // begin with what experts differ on
	Apart         bool             // rulings are for others
	Only          bool             // verdicts are for others: this person gives rulings
}

// Look is what of a sample is not shown.
type Look struct {
	HideTruth  bool // its answer
	HideModels bool // hit counts and difficulty
}

// Named is the message that somebody said who they are.
type Named struct{ Who annotate.Annotator }

// OpenCompare is the message that what experts differ on is to be listed, of every dataset.
type OpenCompare struct{}
