package curate

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// cardStanding draws how the sample in front stands, and what can be said of it.
type cardStanding struct {
	*keymap.Spelling
	theme *widget.Theme
	cards *candidateSet
	size  *layout
	apart bool // rulings are for others
}

// drawFinished draws what stands where no sample is in front.
func (st *cardStanding) drawFinished(width int) []string {
	say := st.SpellText("Nothing waits for you here. {next_state} shows samples by their state, {balance} the balance of all axes.")
	switch {
	case len(st.cards.shown) == 0 && st.cards.settle:
		say = st.SpellText("There is nothing to adjudicate: where enough experts have answered, they agree. {settle} goes back to verdicts.")
	case len(st.cards.shown) == 0 && st.cards.filter.isFiltering(st.cards.settle):
		say = "Nothing is left by the filter: esc shows everything again."
	case len(st.cards.shown) == 0:
		say = "There are no candidates: the inspection kept no sample of the pool."
	}
	if n := st.cards.board.CountDisputes().Open; n > 0 && !st.cards.settle && !st.apart {
		say += fmt.Sprintf(" Expert disagreements: %s. %s adjudicates them, %s lists them by dataset.", widget.FormatPlural(n, "candidate"), st.SpellKey("settle"), st.SpellKey("experts"))
	}
	return append([]string{""}, st.theme.Text.WrapStyled(" ", say, width-1)...)
}

// drawPlaceLine draws which sample is in front, and how it stands.
func (st *cardStanding) drawPlaceLine() string {
	t, c := st.theme, st.cards.currentCard()
	if c == nil {
		return t.MarkActivePane(t.Faint.Render(" "+widget.FormatPlural(len(st.cards.shown), "sample")), st.size.width)
	}
	o := c.Sample.Ordinal
	left := t.Faint.Render(fmt.Sprintf(" sample %s of %s", widget.FormatCount(st.cards.at+1), widget.FormatCount(len(st.cards.shown))))
	left += t.Faint.Render("  id " + widget.CutWidth(widget.CleanLine(string(c.Sample.ID)), max(20, st.size.width/4)))
	left += eval.Either(c.Sample.Source != "", t.Faint.Render("  from "+widget.CutWidth(widget.CleanLine(c.Sample.Source), 20)), "")
	right := ""
	switch st.cards.board.StandingOf(o) {
	case curation.PutOff:
		right = t.Faint.Render("put off before ")
	case curation.NotNeeded:
		right = t.Faint.Render("others have decided ")
	case curation.Mine:
		if d, err := st.cards.board.DecisionOn(o); err == nil {
			right = st.describeDecision(&d) + " "
		}
	case curation.ToDo:
	}
	if right == "" {
		return t.MarkActivePane(left, st.size.width)
	}
	return widget.JoinEnds(t.MarkActivePane(left, st.size.width-widget.TextWidth(right)-1), right, st.size.width)
}

// describeDecision describes what everybody's words come to.
func (st *cardStanding) describeDecision(d *curation.Decision) string {
	t := st.theme
	text, style := d.Outcome.String(), t.Faint
	switch d.Outcome {
	case curation.Accepted:
		text, style = "✓ accepted", t.Good
	case curation.Dropped:
		text, style = "✗ dropped: "+verdictText(d.Verdict), t.Bad
	case curation.Contested:
		text, style = "≠ contested", t.Warn
	case curation.Open:
		text = "○ open"
	}
	switch of := st.cards.board.Panel().Experts; {
	case d.Ruled:
		text += ", adjudicated"
	case of > 1:
		text += fmt.Sprintf(", %d of %d experts", d.Of, of)
	}
	text += eval.Either(d.IsDisputed() && d.Outcome != curation.Contested, ", they differ", "")
	return style.Render(text)
}

// drawVerdicts draws the verdicts with their keys, all whatever the width; the person's own is marked.
func (st *cardStanding) drawVerdicts() []string {
	c := st.cards.currentCard()
	if c == nil {
		return make([]string, verdictLines(st.size.width))
	}
	own := eval.Either(st.cards.settle, st.cards.board.State().Rulings[c.Sample.Ordinal].Verdict, st.cards.board.State().Words[c.Sample.Ordinal].Verdict)
	var out []string
	for row, first := 0, 0; row < verdictLines(st.size.width); row++ {
		all, to := curation.AllVerdicts(), countVerdictsIn(st.size.width, first)
		out = append(out, st.drawVerdictRow(own, first, all[first:to]))
		first = to
	}
	return out
}

func (st *cardStanding) drawVerdictRow(own curation.Verdict, first int, some []curation.Verdict) string {
	t := st.theme
	parts := make([]string, 0, len(some))
	for i, v := range some {
		i += first
		name := fittingVerdictText(v, st.size.width)
		text := eval.Either(v == own, t.Good.Render("▸")+t.Key.Render(fmt.Sprint(i+1))+" "+t.Strong.Render(name), t.Key.Render(fmt.Sprint(i+1))+" "+name)
		parts = append(parts, text)
	}
	lead := eval.Either(st.cards.settle && first == 0, " "+t.Warn.Render("adjudication "), " ")
	return widget.FitWidth(lead+strings.Join(parts, "  "), st.size.width)
}

// verdictTexts are the verdicts in a few words, and as they are where there is little room.
var verdictTexts = map[curation.Verdict]struct{ full, short string }{
	curation.NeedsImage: {"image needed", "image needed"},
	curation.NeedsNone:  {"answerable without image", "no image needed"},
	curation.InQuestion: {"leaked in question", "leaked"},
	curation.Wrong:      {"faulty", "faulty"},
	curation.Duplicate:  {"duplicate", "duplicate"},
	curation.Basic:      {"no advanced ability", "basic"},
}

func verdictText(v curation.Verdict) string { return cmp.Or(verdictTexts[v].full, "no verdict") }

func shortVerdictText(v curation.Verdict) string { return cmp.Or(verdictTexts[v].short, "no verdict") }

// wordy is the width from which verdicts have all their words.
const wordy = 110

// fittingVerdictText is a verdict in as many words as there is room for.
func fittingVerdictText(v curation.Verdict, width int) string {
	return eval.Either(width >= wordy, verdictText(v), shortVerdictText(v))
}

// countVerdictsIn is up to which verdict those from first on stand in one line.
func countVerdictsIn(width, first int) int {
	const around = 4                             // cells of the key, the mark and the air behind a word
	all, room := curation.AllVerdicts(), width-8 // less the word that may stand before them
	to := first
	for to < len(all) {
		if room -= widget.TextWidth(fittingVerdictText(all[to], width)) + around; room < 0 && to > first {
			break
		}
		to++
	}
	return to
}

// verdictLines is how many lines the verdicts take.
func verdictLines(width int) int {
	n := 0
	for at := 0; at < len(curation.AllVerdicts()); n++ {
		at = countVerdictsIn(width, at)
	}
	return n
}

// cardPictures holds those of the cards at hand, as they were read.
type cardPictures struct {
	theme  *widget.Theme
	source Source
	cards  *candidateSet
	seen   map[eval.PictureHash]annotation.Picture
	coming map[eval.PictureHash]bool
	order  []eval.PictureHash
	redraw func() tea.Cmd // draws the one in front
}

// most is how many pictures stay in memory, and how many cards ahead of the one in front they are read.
const (
	most  = 12
	ahead = 3
)

func (p *cardPictures) cachePicture(pic annotation.Picture) {
	delete(p.coming, pic.Hash)
	p.seen[pic.Hash] = pic
	p.order = append(p.order, pic.Hash)
	for len(p.order) > most {
		delete(p.seen, p.order[0])
		p.order = p.order[1:]
	}
}

// readNextPictures reads those of the next cards: of the one in front and the one behind, from the n-th on.
func (p *cardPictures) readNextPictures(n int) tea.Cmd {
	var cmds []tea.Cmd
	for at := p.cards.at; at < min(len(p.cards.shown), p.cards.at+ahead); at++ {
		all := p.cards.open.Cards[p.cards.shown[at]].Sample.Pictures
		for _, one := range all[min(n, len(all)):min(len(all), n+2)] {
			if _, known := p.seen[one.Hash]; known || one.Hash == "" || p.coming[one.Hash] {
				continue
			}
			p.coming[one.Hash] = true
			cmds = append(cmds, func() tea.Msg {
				pic := annotation.ReadPicture(p.theme.Images, storedSource{p.source}, one)
				return outcome(func() tea.Cmd {
					p.cachePicture(pic)
					return p.redraw()
				})
			})
		}
		n = 0
	}
	return tea.Batch(cmds...)
}

// pageOfFrontCard is the card in front with its pictures; nil when there is none.
func (p *cardPictures) pageOfFrontCard() *annotation.Page {
	c := p.cards.currentCard()
	if c == nil {
		return nil
	}
	pg := &annotation.Page{}
	for _, one := range c.Sample.Pictures {
		pic, known := p.seen[one.Hash]
		switch {
		case one.Hash == "":
			pic = annotation.ReadPicture(nil, nil, one)
		case !known:
			pic = annotation.Picture{Hash: one.Hash, Name: one.Name}
		}
		pg.Pictures = append(pg.Pictures, pic)
	}
	return pg
}

// storedSource is a source of which a picture may be missing.
type storedSource struct{ Source }

// Picture reads the bytes of a picture.
func (s storedSource) Picture(h eval.PictureHash) ([]byte, error) {
	data, err := s.Source.Picture(h)
	if errors.Is(err, eval.ErrNotFound) {
		err = widget.ErrNoPicture
	}
	return data, err
}
