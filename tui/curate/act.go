package curate

import (
	"context"
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

// judge gives the card in front a verdict and goes on, or settles it and stays.
func (m keyed) judge(v curation.Verdict) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		o := m.cards.card().Sample.Ordinal
		spent := m.timer.Touch(m.deps.Now())
		if m.cards.settle {
			if a, ok := m.cards.board.Rule(o, v, m.cards.board.State().Rulings[o].Axis, spent); ok {
				m.journal.submit(a)
			}
			return nil
		}
		if a, ok := m.cards.board.Judge(o, v, spent); ok {
			m.journal.submit(a)
		}
		return m.toNext("")
	}
}

func (m keyed) toNext(string) tea.Cmd { return m.goTo(m.cards.next()) }

func (m keyed) step(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd { return m.goTo(m.cards.at + by) }
}

// skip puts the card in front off.
func (m keyed) skip(string) tea.Cmd {
	if a, ok := m.cards.board.Skip(m.cards.card().Sample.Ordinal, m.timer.Touch(m.deps.Now())); ok {
		m.journal.submit(a)
	}
	return m.toNext("")
}

func (m keyed) undo(string) tea.Cmd {
	a, of, _ := m.cards.board.Undo()
	return m.jumped("undid", a, &of)
}

func (m keyed) redo(string) tea.Cmd {
	a, of, _ := m.cards.board.Redo()
	return m.jumped("redone", a, &of)
}

// jumped shows the sample that an undo or redo is about, and says what it was.
func (m *Model) jumped(what string, a curation.Act, of *curation.Act) tea.Cmd {
	m.journal.submit(a)
	i, ok := m.cards.places[of.Sample]
	if !ok {
		return widget.Tell(widget.Info, fmt.Sprintf("%s: %s on a sample that is no candidate here", what, did(of)))
	}
	text := fmt.Sprintf("%s: %s on sample %s", what, did(of), widget.Line(string(m.cards.open.Cards[i].Sample.ID)))
	at := slices.Index(m.cards.shown, i)
	if at < 0 {
		m.cards.filter = filter{}
		m.cards.narrow()
		at = slices.Index(m.cards.shown, i)
	}
	return tea.Batch(m.goTo(at), widget.Tell(widget.Info, text))
}

// did names an act, for the notice of an undo.
func did(a *curation.Act) string {
	switch a.Kind {
	case curation.Judged:
		return "verdict " + word(a.Verdict)
	case curation.Ruled:
		return "adjudication " + word(a.Verdict)
	case curation.Placed:
		return "axis " + widget.Line(eval.Path(a.Axis))
	case curation.Skipped:
		return "skip"
	case curation.Noted:
		return "note"
	case curation.KindUnset, curation.TookBack, curation.Looked:
	}
	return "act"
}

func (m keyed) startNote(string) tea.Cmd {
	m.Mode = annotation.Noting
	return m.ask(m.cards.board.State().Notes[m.cards.card().Sample.Ordinal])
}

func (m *Model) endNote(string) tea.Cmd {
	m.Mode = annotation.Reading
	if c := m.cards.card(); c != nil {
		if a, ok := m.cards.board.Note(c.Sample.Ordinal, strings.TrimSpace(m.text.Value())); ok {
			m.journal.submit(a)
		}
	}
	return nil
}

// showOthers has the others' words shown, once it is stored that they are.
func (m keyed) showOthers(string) tea.Cmd {
	if m.sample.others != nil {
		m.sample.others = nil
		return nil
	}
	o := m.cards.card().Sample.Ordinal
	words, rulings, look, err := m.cards.board.Others(o)
	if err != nil {
		return widget.Tell(widget.Info, err.Error())
	}
	if look.N != 0 {
		m.journal.submit(look)
	}
	ctx, journal, stream := m.ctx, m.deps.Journal, m.cards.board.Stream()
	return func() tea.Msg {
		return revealed{&m.sample, others{o, words, rulings}, journal.Sync(ctx, stream)}
	}
}

func (m keyed) saveAgain(string) tea.Cmd {
	m.deps.Journal.Retry()
	m.journal.stuck = false
	return m.hear()
}

// journal is where the journal stands with what the person did.
type journal struct {
	ctx       context.Context
	to        Journal
	theme     *widget.Theme
	saving    curation.JournalState
	submitted int    // acts that were handed over
	echo      string // the verdict that was handed over last
	stuck     bool   // what the journal refuses waits, since the dataset cannot be read again
	cards     *candidates
	size      *layout
}

// submit hands an act to the journal: in memory, in order, without waiting.
func (j *journal) submit(a curation.Act) {
	j.to.Submit(a)
	j.submitted++
	j.saving = j.to.Standing(j.cards.board.Stream())
	if j.echo = ""; a.Verdict != curation.VerdictUnset {
		j.echo = shortWord(a.Verdict) + "  "
	}
}

func (j *journal) noFailure() string {
	if j.saving.Err == nil {
		return "everything is saved, or about to be"
	}
	return ""
}

// savingText is the state of the expert's acts: saved only once committed.
func (j *journal) savingText() string {
	t := j.theme
	switch s := &j.saving; {
	case s.Err != nil:
		return t.Bad.Render("NOT SAVED: "+widget.Cut(widget.Line(s.Err.Error()), max(12, j.size.width/2-13))) + " "
	case s.Pending > 0:
		return t.Warn.Render("saving… ")
	case !s.At.IsZero():
		return t.Good.Render("saved " + j.echo + s.At.Local().Format("15:04:05") + " ")
	}
	return ""
}

// listen waits for the mark of the journal.
func (j *journal) listen() tea.Cmd {
	mark, ctx := j.to.Changed(), j.ctx
	return func() tea.Msg {
		select {
		case <-mark:
			return heard{j}
		case <-ctx.Done():
			return nil
		}
	}
}

// redo does what the journal refuses again, on the dataset as it is now. It
// stays the journal's all the while.
func (j *journal) redo(who annotate.Annotator) tea.Cmd {
	var acts []curation.Act
	left := 0
	redone := j.to.Redo(j.cards.board.Stream(), func(refused []curation.Act) []curation.Act {
		acts, left = j.cards.board.Again(refused)
		return acts
	})
	if !redone {
		return nil
	}
	text := fmt.Sprintf("somebody else worked as %s meanwhile: their acts were read, and %s of yours follow them", widget.Line(string(who)), widget.Plural(len(acts), "act"))
	if left > 0 {
		text += fmt.Sprintf("; %s of yours changed nothing any more", widget.Plural(left, "act"))
	}
	return widget.Tell(widget.Problem, text)
}

// heard is the mark of the journal.
type heard struct{ of *journal }

// sampleText draws a sample, and what is known of it.
type sampleText struct {
	*keymap.Spelling
	theme  *widget.Theme
	look   Look
	others *others // of the card in front; nil: not shown
	cards  *candidates
}

// textLines is the question with its options, and what is known of it.
func (st *sampleText) textLines(c *Card, width int) []string {
	t, s := st.theme, &c.Sample
	width = max(4, width)
	out := st.othersLines(c, width) // first: what was asked for is not to be scrolled to
	say := func(style widget.CachedStyle, text string) { out = append(out, style.Wrap("", text, width)...) }
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
		out = append(out, st.answerLines(s, width)...)
	}
	axis := eval.Path(st.cards.axis())
	if axis == "" {
		out = append(out, "", t.Warn.Render(st.Keyed("no axis: {axis} says where it belongs")))
	} else {
		out = append(out, "")
		say(t.Accent, axis+st.moved(s))
	}
	return append(out, st.modelLines(c, width)...)
}

// answerLines is the truth where no option shows it.
func (st *sampleText) answerLines(s *eval.Sample, width int) []string {
	t := st.theme
	switch {
	case st.look.HideTruth:
		return []string{t.Faint.Render(st.Keyed("the answer is hidden, {ground_truth} shows it"))}
	case slices.ContainsFunc(s.Options, func(o eval.Option) bool { return o.Letter == s.Answer }):
		return nil
	case s.Answer != "" || s.Reference != "":
		return t.Good.Wrap("", strings.TrimSpace("answer: "+string(s.Answer)+" "+s.Reference), width)
	}
	return []string{t.Warn.Render("the dataset has no answer to it")}
}

// moved says where the dataset has a sample that stands elsewhere.
func (st *sampleText) moved(s *eval.Sample) string {
	if was := eval.Path(s.Taxonomy); was != eval.Path(st.cards.axis()) && was != "" {
		return " (was " + was + ")"
	}
	return ""
}

// modelLines is what models made of the sample.
func (st *sampleText) modelLines(c *Card, width int) []string {
	t, f := st.theme, c.Finding
	switch {
	case f == nil:
		return nil
	case st.look.HideModels:
		return []string{t.Faint.Render(st.Keyed("models and difficulty are hidden, {difficulty} shows them"))}
	}
	text := fmt.Sprintf("without the image %d of %d models answer it", f.Blind.K, f.Blind.N)
	if f.Sighted.N > 0 {
		text += fmt.Sprintf(", with it %d of %d", f.Sighted.K, f.Sighted.N)
	}
	if d := f.Difficulty.String(); d != "" {
		text += ": " + d
	}
	return t.Faint.Wrap("", text, width)
}

// othersLines is what other experts say, where it was asked for.
func (st *sampleText) othersLines(c *Card, width int) []string {
	t := st.theme
	if st.others == nil || st.others.sample != c.Sample.Ordinal {
		return nil
	}
	out := []string{t.Title.Render("Others")}
	add := func(what string, words []curation.Word) {
		for i := range words {
			w := &words[i]
			text := string(w.Expert) + what + word(w.Verdict)
			if w.Axis != nil {
				text += ", " + eval.Path(w.Axis)
			}
			if w.Note != "" {
				text += ": " + w.Note
			}
			out = append(out, widget.Wrap(text, width)...)
		}
	}
	add(": ", st.others.words)
	add(" adjudicated it: ", st.others.rulings)
	if len(out) == 1 {
		out = append(out, t.Faint.Render("nobody else has spoken yet"))
	}
	return append(out, "")
}

// reveal shows what others say, once it is stored that it is.
func (st *sampleText) reveal(msg revealed) tea.Cmd {
	if msg.err != nil {
		return widget.Tell(widget.Problem, "not shown before it is saved that it is: "+msg.err.Error())
	}
	if c := st.cards.card(); c != nil && c.Sample.Ordinal == msg.others.sample && st.cards.board.State().Answered(c.Sample.Ordinal) {
		st.others = &msg.others
	}
	return nil
}

// others is what other experts say of a sample.
type others struct {
	sample         eval.Ordinal
	words, rulings []curation.Word
}

// revealed is what others say, once it is stored that it is shown.
type revealed struct {
	of     *sampleText
	others others
	err    error
}
