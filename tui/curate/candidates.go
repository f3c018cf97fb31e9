package curate

import (
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// candidates are the samples to be judged: those of a dataset, which of them the filter
// leaves, and the one in front.
type candidates struct {
	*keymap.Spelling
	board  *curation.Board // nil: none is open
	open   Opening
	places map[eval.Ordinal]int // in open.Cards
	filter filter
	shown  []int // cards that the filter leaves
	at     int   // in shown; len(shown): nothing is in front
	settle bool  // verdicts are rulings on what experts differ on
}

// axis is where the card in front stands for the person.
func (cs *candidates) axis() []string {
	o := cs.card().Sample.Ordinal
	if r, ok := cs.board.State().Rulings[o]; ok && cs.settle && r.Axis != nil {
		return r.Axis
	}
	return cs.board.Axis(o)
}

func (cs *candidates) noCard() string {
	if cs.card() == nil {
		return "no sample is selected"
	}
	return ""
}

func (cs *candidates) noVerdict() string {
	c := cs.card()
	if c == nil {
		return cs.noCard()
	}
	o := c.Sample.Ordinal
	if _, ruled := cs.board.State().Rulings[o]; cs.settle && !ruled && !cs.board.Disputed(o) {
		return cs.Keyed("experts do not differ on this sample: {settle} goes back to verdicts")
	}
	return ""
}

func (cs *candidates) noPlace() string {
	c := cs.card()
	if c == nil {
		return cs.noCard()
	}
	if _, ruled := cs.board.State().Rulings[c.Sample.Ordinal]; cs.settle && !ruled {
		return "resolve the verdict first"
	}
	return ""
}

func (cs *candidates) noSkip() string {
	switch {
	case cs.card() == nil:
		return cs.noCard()
	case cs.settle:
		return cs.Keyed("nothing is put off while you adjudicate; {right} continues")
	}
	return ""
}

func (cs *candidates) noOthers() string {
	c := cs.card()
	switch {
	case c == nil:
		return cs.noCard()
	case !cs.board.State().Answered(c.Sample.Ordinal):
		return annotate.ErrBlind.Error()
	}
	return ""
}

func (cs *candidates) noUndo() string {
	if cs.board == nil || !cs.board.CanUndo() {
		return "nothing to undo"
	}
	return ""
}

func (cs *candidates) noRedo() string {
	if cs.board == nil || !cs.board.CanRedo() {
		return "nothing to do again"
	}
	return ""
}

// narrow finds the cards that the filter leaves. The list stays as it is
// while they are worked on.
func (cs *candidates) narrow() {
	words, not := widget.Words(cs.filter.words)
	cs.shown = cs.shown[:0:0]
	for i := range cs.open.Cards {
		c := &cs.open.Cards[i]
		switch {
		case len(words) > 0 && holds(c, words) == not,
			cs.filter.source != "" && c.Sample.Source != cs.filter.source,
			cs.filter.axis != nil && !slices.Equal(cs.board.Axis(c.Sample.Ordinal), cs.filter.axis),
			!cs.stands(c.Sample.Ordinal):
			continue
		}
		cs.shown = append(cs.shown, i)
	}
}

// stands reports whether a sample stands as the filter wants. What it comes to
// with the others' words counts only where the person may know.
func (cs *candidates) stands(o eval.Ordinal) bool {
	switch cs.filter.state {
	case waiting:
		s := cs.board.Standing(o)
		return s == curation.ToDo || s == curation.PutOff
	case answered:
		return cs.board.State().Answered(o)
	case kept:
		d, err := cs.board.Decision(o)
		return err == nil && d.Outcome == curation.Accepted
	case dropped:
		d, err := cs.board.Decision(o)
		return err == nil && d.Outcome == curation.Dropped
	case disputed:
		if cs.settle {
			_, ruled := cs.board.State().Rulings[o]
			return ruled || cs.board.Disputed(o)
		}
		d, err := cs.board.Decision(o)
		return err == nil && d.Disputed()
	case everything, states:
	}
	return true
}

// sources are those of the candidates, in their order.
func (cs *candidates) sources() []string {
	var out []string
	for i := range cs.open.Cards {
		if s := cs.open.Cards[i].Sample.Source; s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// card is the candidate in front; nil when there is none.
func (cs *candidates) card() *Card {
	if cs.board == nil || cs.at >= len(cs.shown) {
		return nil
	}
	return &cs.open.Cards[cs.shown[cs.at]]
}

// progress is how many of the candidates the person is through with, or how
// many of those that experts differed on are settled.
func (cs *candidates) progress() (done, all int) {
	if cs.settle {
		d := cs.board.Disputes()
		return d.Resolved, d.Open + d.Resolved
	}
	for i := range cs.open.Cards {
		if s := cs.board.Standing(cs.open.Cards[i].Sample.Ordinal); s == curation.Mine || s == curation.NotNeeded {
			done++
		}
	}
	return done, len(cs.open.Cards)
}

// next is the place of the next card that asks for the person, those put off last.
func (cs *candidates) next() int {
	n := len(cs.shown)
	best, skipped := n, uint32(0)
	for step := range n {
		at := (cs.at + 1 + step) % n
		if cs.at >= n {
			at = step
		}
		o := cs.open.Cards[cs.shown[at]].Sample.Ordinal
		if cs.settle {
			if _, ruled := cs.board.State().Rulings[o]; !ruled && cs.board.Disputed(o) {
				return at
			}
			continue
		}
		switch cs.board.Standing(o) {
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

// renew goes through what the filter leaves now, and is the place of the card
// that was in front, where it is still among them.
func (cs *candidates) renew() int {
	was := -1
	if cs.at < len(cs.shown) {
		was = cs.shown[cs.at]
	}
	cs.narrow()
	return max(0, slices.Index(cs.shown, was))
}

// holds reports whether a sample has all words in it.
func holds(c *Card, words []string) bool {
	s := &c.Sample
	return widget.Having(strings.ToLower(string(s.ID)+"\n"+s.Question+"\n"+s.Source+"\n"+strings.Join(s.Taxonomy, "\n")), words)
}
