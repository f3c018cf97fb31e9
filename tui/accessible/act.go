package accessible

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

func (s *queueSession) skipItem(ctx context.Context, _ string) error {
	a, ok := s.session.SkipAndAdvance(s.timeSpent())
	if !ok {
		return nil // it is answered: the next open one comes
	}
	return s.submitActAndWait(ctx, a, "Put off")
}

// makeUndoCommand takes an act back, or does it again, and says so; nothing is what it says where there is none.
func makeUndoCommand(jump func(*session.Session) (a, of annotate.Act, ok bool), what, nothing string) func(*queueSession, context.Context, string) error {
	return func(s *queueSession, ctx context.Context, _ string) error {
		a, of, ok := jump(s.session)
		if !ok {
			s.out.writeLine("%s", nothing)
			return nil
		}
		s.any = false // its item is told anew, also when it was the last one told
		word := eval.Either(of.Kind == annotate.Labelled, s.out.readingInWords(of.Reading), of.Kind.String())
		return s.submitActAndWait(ctx, a, fmt.Sprintf("%s on item %d %s", capitalize(word), s.session.Walk.Position()+1, what))
	}
}

func (s *queueSession) toggleFlag(ctx context.Context, _ string) error {
	a, ok := s.session.ToggleFlag()
	if !ok {
		return nil
	}
	what := eval.Either(a.Kind == annotate.Unflagged, "No longer flagged", "Flagged")
	return s.submitActAndWait(ctx, a, what)
}

func (s *queueSession) toggleTag(ctx context.Context, tag string) error {
	a, ok := session.ToggleTag(s.session, tag)
	if !ok {
		set := s.session.Own.Queue().Tags
		s.out.writeLine("No such tag. Tags of this queue: %s.", widget.CleanLine(eval.JoinList(set.Options, func(o eval.Option) string { return o.Text })))
		return nil
	}
	return s.submitActAndWait(ctx, a, "Tags: "+cmp.Or(a.Text, "none"))
}

func (s *queueSession) setNote(ctx context.Context, text string) error {
	a, ok := s.session.SetNote(text)
	if !ok {
		s.out.writeLine("The note is that already.")
		return nil
	}
	what := eval.Either(text == "", "Note removed", "Noted")
	return s.submitActAndWait(ctx, a, what)
}

// keepOrSetRationale keeps rationale for the label to come, or gives them to the one that is there.
func (s *queueSession) keepOrSetRationale(ctx context.Context, text string) error {
	g := annotate.ParseRationale(text)
	if !s.session.Own.HasAnswered(s.front.told) {
		s.grounds = g
		s.out.writeLine("Goes with your answer.")
		return nil
	}
	if a, ok := s.session.SetRationale(g); ok {
		return s.submitActAndWait(ctx, a, "Reason kept")
	}
	s.out.writeLine("The reason is that already.")
	return nil
}

func (s *queueSession) writeGuideline(context.Context, string) error {
	g := s.session.Own.Queue().Guideline
	if g.Version > 0 {
		s.out.writeTitledText(fmt.Sprintf("Guideline, version %d", g.Version), g.Text)
		return nil
	}
	standard := labeloption.LabelGuideline
	switch {
	case s.any && s.front.isPair():
		standard = labeloption.VoteGuideline(strings.NewReplacer("both_bad", "bad", "zoom", "the image").Replace)
	case s.any && labeloption.IsScored(&s.front.item):
		standard = labeloption.ScoreGuideline
	}
	s.out.writeTitledText("Guideline", standard)
	return nil
}

func (s *queueSession) tellItemAgain(context.Context, string) error {
	s.any = false
	return nil
}

func (s *queueSession) showNext(context.Context, string) error {
	if s.session.Walk.CountOpen() == 0 {
		s.out.writeLine("No item is open.")
		return nil
	}
	s.any = false
	s.session.Walk.ShowNextOpen()
	return nil
}

func (s *queueSession) showPrevious(context.Context, string) error {
	if s.session.Walk.Position() == 0 {
		s.out.writeLine("This is the first item.")
		return nil
	}
	s.session.Walk.ShowPreviousFree()
	return nil
}

func (s *queueSession) tellPosition(context.Context, string) error {
	n := s.session
	s.out.writeLine("Item %d of %d, %d open, %d put off.", min(n.Walk.Position()+1, n.Walk.Len()), n.Walk.Len(), n.Walk.CountOpen(), len(n.Own.State().Skipped))
	return nil
}

func (s *queueSession) retrySaving(ctx context.Context, _ string) error {
	s.Journal.RetryParked()
	if err := s.Journal.SyncStream(ctx, s.Queue, s.Annotator); err != nil {
		s.out.writeLine("NOT SAVED: %s.", widget.CleanLine(err.Error()))
		return nil
	}
	s.session.MarkSaved(s.Journal.LastSaved(s.Queue, s.Annotator))
	s.out.writeLine("All is saved.")
	return nil
}

// revealMachine tells what machines made of the item in front. That it was asked for
// is stored before anything is told.
func (s *queueSession) revealMachine(ctx context.Context, _ string) error {
	if s.front.isPair() {
		look, load, err := s.session.PreparePairReveal(s.front.told, func() (blind.RevealedPair, error) { return s.Machine.RevealPair(ctx, s.Queue, s.front.told) })
		return s.storeLookThenTell(ctx, look, err, func() error {
			u, err := load()
			if err == nil {
				s.out.writeRevealedPair(u)
			}
			return err
		})
	}
	look, load, err := s.session.PrepareReveal(s.front.told, func(truth bool) (blind.Revealed, error) {
		return s.Machine.Reveal(ctx, s.Queue, s.front.told, truth)
	})
	return s.storeLookThenTell(ctx, look, err, func() error {
		r, err := load()
		if err == nil {
			s.out.writeRevealed(r)
		}
		return err
	})
}

func (s *queueSession) storeLookThenTell(ctx context.Context, look annotate.Act, err error, tell func() error) error {
	if err == nil {
		if look.N != 0 {
			s.Journal.Submit(look)
		}
		err = s.waitSaved(ctx) // also of a look that could not be stored before
	}
	if err == nil {
		err = tell()
	}
	if err != nil && ctx.Err() == nil {
		s.out.writeLine("%s", capitalize(widget.CleanLine(err.Error())))
		return nil
	}
	return err
}

// lineWriter writes what is said, line by line.
type lineWriter struct {
	out io.Writer
}

func (sp *lineWriter) writeRevealed(r blind.Revealed) {
	sp.writeLine("You said %s.", sp.readingInWords(r.Own))
	if r.Model != "" {
		sp.writeLine("The model is %s.", widget.CleanLine(r.Model))
	}
	switch {
	case r.Withheld:
		sp.writeLine("The ground truth is shown once no item on this sample is open.")
	case r.Truth != "":
		sp.writeLine("The ground truth is %s.", widget.CleanLine(string(r.Truth)))
	}
	for _, m := range r.Readings {
		agrees := eval.Either(m.Agrees, "agrees", "differs")
		sp.writeLine("%s reads %s: %s.", widget.CleanLine(m.Extractor), widget.CleanLine(labeloption.MachineReadingText(m)), agrees)
	}
}

func (sp *lineWriter) writeRevealedPair(u blind.RevealedPair) {
	if u.Withheld {
		sp.writeLine("Names and votes are shown once no pair on this sample is open.")
		return
	}
	first, second := u.Model, u.Against
	if u.Own.Swapped {
		first, second = second, first
	}
	sp.writeLine("You said %s. Answer 1 is of %s, answer 2 of %s.", sp.readingInWords(u.Own), widget.CleanLine(first), widget.CleanLine(second))
	for i := range u.Judges {
		vote, same := u.VoteAsSeen(&u.Judges[i])
		shown := eval.Either(!same, "shown the other way round", "shown as to you")
		sp.writeLine("%s votes %s, %s.", widget.CleanLine(u.Judges[i].Judge), labeloption.VoteWord(vote), shown)
	}
}

func (sp *lineWriter) writeText(text string) { _, _ = io.WriteString(sp.out, text) }

func (sp *lineWriter) writeLine(format string, args ...any) {
	sp.writeText(fmt.Sprintf(format, args...) + "\n")
}

func (sp *lineWriter) writeHelp() {
	sp.writeLine("Answers: type what is shown before a choice; a letter in either case.")
	for _, c := range listCommands() {
		sp.writeLine("  %s: %s.", strings.Join(c.words, " or "), c.help)
	}
	sp.writeLine("  quit: leave. Everything is saved as you go.")
}

// writeTitledText tells a text under its name; nothing of an empty one.
func (sp *lineWriter) writeTitledText(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	text = widget.CleanText(text)
	if strings.Contains(text, "\n") {
		// Set off, so that no answer can pass for what concord says.
		sp.writeLine("%s:\n  %s", name, strings.ReplaceAll(text, "\n", "\n  "))
		return
	}
	sp.writeLine("%s: %s", name, text)
}

func (sp *lineWriter) writeResponse(name, text string, cut bool) {
	name += eval.Either(cut, ", cut off by the endpoint", "")
	if strings.TrimSpace(text) == "" {
		text = "(empty)"
	}
	sp.writeTitledText(name, text)
	sp.writeLine("End of the answer.")
}

func (sp *lineWriter) readingInWords(r annotate.Reading) string {
	return eval.Either(r.Kind != annotate.Voted, labeloption.ReadingText(r), labeloption.VoteWord(r.Vote))
}
