package curate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// giveVerdict gives the card in front a verdict and goes on, or settles it and stays.
func (m keyActions) giveVerdict(v curation.Verdict) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		o := m.cards.currentCard().Sample.Ordinal
		spent := m.timer.AddTimeSinceKey(m.deps.Now())
		if m.cards.settle {
			if a, ok := m.cards.board.Adjudicate(o, v, m.cards.board.State().Rulings[o].Axis, spent); ok {
				m.journal.submitAct(a)
			}
			return nil
		}
		if a, ok := m.cards.board.GiveVerdict(o, v, spent); ok {
			m.journal.submitAct(a)
		}
		return m.goToNextCard("")
	}
}

func (m keyActions) goToNextCard(string) tea.Cmd { return m.goToCard(m.cards.placeOfNextCard()) }

func (m keyActions) stepBy(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd { return m.goToCard(m.cards.at + by) }
}

// skipCard puts the card in front off.
func (m keyActions) skipCard(string) tea.Cmd {
	if a, ok := m.cards.board.SkipCandidate(m.cards.currentCard().Sample.Ordinal, m.timer.AddTimeSinceKey(m.deps.Now())); ok {
		m.journal.submitAct(a)
	}
	return m.goToNextCard("")
}

// makeUndoAction takes a step back or forth.
func (m keyActions) makeUndoAction(what string, move func(*curation.Board) (a, of curation.Act, ok bool)) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		a, of, _ := move(m.cards.board)
		return m.showUndone(what, a, &of)
	}
}

// showUndone shows the sample that an undo or redo is about, and says what it was.
func (m *Model) showUndone(what string, a curation.Act, of *curation.Act) tea.Cmd {
	m.journal.submitAct(a)
	i, ok := m.cards.places[of.Sample]
	if !ok {
		return widget.NotifyCmd(widget.Info, fmt.Sprintf("%s: %s on a sample that is no candidate here", what, describeAct(of)))
	}
	text := fmt.Sprintf("%s: %s on sample %s", what, describeAct(of), widget.CleanLine(string(m.cards.open.Cards[i].Sample.ID)))
	at := slices.Index(m.cards.shown, i)
	if at < 0 {
		m.cards.filter = candidateFilter{}
		m.cards.applyFilter()
		at = slices.Index(m.cards.shown, i)
	}
	return tea.Batch(m.goToCard(at), widget.NotifyCmd(widget.Info, text))
}

// describeAct names an act, for the notice of an undo.
func describeAct(a *curation.Act) string {
	return cmp.Or(map[curation.Kind]string{
		curation.Judged: "verdict " + verdictText(a.Verdict), curation.Ruled: "adjudication " + verdictText(a.Verdict),
		curation.Placed: "axis " + widget.CleanLine(eval.JoinPath(a.Axis)), curation.Skipped: "skip", curation.Noted: "note",
	}[a.Kind], "act")
}

func (m keyActions) startNote(string) tea.Cmd {
	m.Mode = annotation.Noting
	return m.focusTextField(m.cards.board.State().Notes[m.cards.currentCard().Sample.Ordinal])
}

func (m *Model) submitNote(string) tea.Cmd {
	m.Mode = annotation.Reading
	if c := m.cards.currentCard(); c != nil {
		if a, ok := m.cards.board.SetNote(c.Sample.Ordinal, strings.TrimSpace(m.text.Value())); ok {
			m.journal.submitAct(a)
		}
	}
	return nil
}

// showOthers has the others' words shown, once it is stored that they are.
func (m keyActions) showOthers(string) tea.Cmd {
	if m.sample.others != nil {
		m.sample.others = nil
		return nil
	}
	o := m.cards.currentCard().Sample.Ordinal
	words, rulings, look, err := m.cards.board.OtherWords(o)
	if err != nil {
		return widget.NotifyCmd(widget.Info, err.Error())
	}
	if look.N != 0 {
		m.journal.submitAct(look)
	}
	ctx, journal, stream := m.ctx, m.deps.Journal, m.cards.board.Stream()
	return func() tea.Msg {
		err := journal.SyncStream(ctx, stream)
		return outcome(func() tea.Cmd { return m.sample.showOthers(otherOpinions{o, words, rulings}, err) })
	}
}

func (m keyActions) retrySaving(string) tea.Cmd {
	m.deps.Journal.RetryParked()
	m.journal.stuck = false
	return m.takeJournalState()
}

// actJournal is where the journal stands with what the person did.
type actJournal struct {
	to        Journal
	theme     *widget.Theme
	saving    curation.JournalState
	submitted int    // acts that were handed over
	echo      string // the verdict that was handed over last
	stuck     bool   // what the journal refuses waits, since the dataset cannot be read again
	cards     *candidateSet
	size      *layout
}

// submitAct hands an act to the journal: in memory, in order, without waiting.
func (j *actJournal) submitAct(a curation.Act) {
	j.to.Submit(a)
	j.submitted++
	j.saving = j.to.StreamState(j.cards.board.Stream())
	if j.echo = ""; a.Verdict != curation.VerdictUnset {
		j.echo = shortVerdictText(a.Verdict) + "  "
	}
}

// formatSaving gives the state of the expert's acts: saved only once committed.
func (j *actJournal) formatSaving() string {
	t := j.theme
	switch s := &j.saving; {
	case s.Err != nil:
		return t.Bad.Render("NOT SAVED: "+widget.CutWidth(widget.CleanLine(s.Err.Error()), max(12, j.size.width/2-13))) + " "
	case s.Pending > 0:
		return t.Warn.Render("saving… ")
	case !s.At.IsZero():
		return t.Good.Render("saved " + j.echo + s.At.Local().Format("15:04:05") + " ")
	}
	return ""
}

// redoRefused does what the journal refuses again, on the dataset as it is now. It stays the journal's.
func (j *actJournal) redoRefused(who annotate.Annotator) tea.Cmd {
	var acts []curation.Act
	left := 0
	redone := j.to.RedoRefused(j.cards.board.Stream(), func(refused []curation.Act) []curation.Act {
		acts, left = j.cards.board.RedoRefused(refused)
		return acts
	})
	if !redone {
		return nil
	}
	text := fmt.Sprintf("somebody else worked as %s meanwhile: their acts were read, and %s of yours follow them", widget.CleanLine(string(who)), widget.FormatPlural(len(acts), "act"))
	text += eval.Either(left > 0, fmt.Sprintf("; %s of yours changed nothing any more", widget.FormatPlural(left, "act")), "")
	return widget.NotifyCmd(widget.Problem, text)
}

// sampleText draws a sample, and what is known of it.
type sampleText struct {
	*keymap.Spelling
	theme  *widget.Theme
	look   Look
	others *otherOpinions // of the card in front; nil: not shown
	cards  *candidateSet
}

// drawSampleText draws the question with its options, and what is known of it.
func (st *sampleText) drawSampleText(c *Card, width int) []string {
	t, s := st.theme, &c.Sample
	width = max(4, width)
	out := st.drawOthers(c, width) // first: what was asked for is not to be scrolled to
	say := func(style widget.CachedStyle, text string) { out = append(out, style.WrapStyled("", text, width)...) }
	say(t.Strong, s.Question)
	if s.Hint != "" {
		say(t.Faint, "Hint: "+s.Hint)
	}
	out = append(out, "")
	for _, o := range s.Options {
		if right := !st.look.HideTruth && o.Letter == s.Answer; right {
			say(t.Good, "✓ "+string(o.Letter)+". "+o.Text)
		} else {
			say(t.Text, "  "+string(o.Letter)+". "+o.Text)
		}
	}
	if c.Withheld {
		say(t.Faint, "ground truth hidden until you have answered this sample's items in your queues")
	} else {
		out = append(out, st.drawAnswer(s, width)...)
	}
	axis := eval.JoinPath(st.cards.axisOfCard())
	if axis == "" {
		out = append(out, "", t.Warn.Render(st.SpellText("no axis: {axis} says where it belongs")))
	} else {
		out = append(out, "")
		say(t.Accent, axis+st.describeFormerAxis(s))
	}
	return append(out, st.drawModelResults(c, width)...)
}

// drawAnswer draws the truth where no option shows it.
func (st *sampleText) drawAnswer(s *eval.Sample, width int) []string {
	t := st.theme
	switch {
	case st.look.HideTruth:
		return []string{t.Faint.Render(st.SpellText("the answer is hidden, {ground_truth} shows it"))}
	case slices.ContainsFunc(s.Options, func(o eval.Option) bool { return o.Letter == s.Answer }):
		return nil
	case s.HasTruth():
		return t.Good.WrapStyled("", strings.TrimSpace("answer: "+string(s.Answer)+" "+s.Reference), width)
	}
	return []string{t.Warn.Render("the dataset has no answer to it")}
}

// describeFormerAxis says where the dataset has a sample that stands elsewhere.
func (st *sampleText) describeFormerAxis(s *eval.Sample) string {
	if was := eval.JoinPath(s.Taxonomy); was != eval.JoinPath(st.cards.axisOfCard()) && was != "" {
		return " (was " + was + ")"
	}
	return ""
}

func (st *sampleText) drawModelResults(c *Card, width int) []string {
	t, f := st.theme, c.Finding
	switch {
	case f == nil:
		return nil
	case st.look.HideModels:
		return []string{t.Faint.Render(st.SpellText("models and difficulty are hidden, {difficulty} shows them"))}
	}
	text := fmt.Sprintf("without the image %d of %d models answer it", f.Blind.K, f.Blind.N)
	text += eval.Either(f.Sighted.N > 0, fmt.Sprintf(", with it %d of %d", f.Sighted.K, f.Sighted.N), "")
	if d := f.Difficulty.String(); d != "" {
		text += ": " + d
	}
	return t.Faint.WrapStyled("", text, width)
}

// drawOthers draws what other experts say, where it was asked for.
func (st *sampleText) drawOthers(c *Card, width int) []string {
	t := st.theme
	if st.others == nil || st.others.sample != c.Sample.Ordinal {
		return nil
	}
	out := []string{t.Title.Render("Others")}
	add := func(what string, words []curation.ExpertWord) {
		for i := range words {
			w := &words[i]
			text := string(w.Expert) + what + verdictText(w.Verdict)
			text += eval.Either(w.Axis != nil, ", "+eval.JoinPath(w.Axis), "")
			text += eval.Either(w.Note != "", ": "+w.Note, "")
			out = append(out, widget.WrapText(text, width)...)
		}
	}
	add(": ", st.others.words)
	add(" adjudicated it: ", st.others.rulings)
	if len(out) == 1 {
		out = append(out, t.Faint.Render("nobody else has spoken yet"))
	}
	return append(out, "")
}

// showOthers shows what others say, once it is stored that it is.
func (st *sampleText) showOthers(others otherOpinions, err error) tea.Cmd {
	if err != nil {
		return widget.NotifyCmd(widget.Problem, "not shown before it is saved that it is: "+err.Error())
	}
	if c := st.cards.currentCard(); c != nil && c.Sample.Ordinal == others.sample && st.cards.board.State().HasAnswered(c.Sample.Ordinal) {
		st.others = &others
	}
	return nil
}

// otherOpinions is what other experts say of a sample.
type otherOpinions struct {
	sample         eval.Ordinal
	words, rulings []curation.ExpertWord
}
