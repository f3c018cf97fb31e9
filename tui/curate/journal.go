package curate

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/tui/widget"
)

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
	return notify(widget.Problem, text)
}

// heard is the mark of the journal.
type heard struct{ of *journal }
