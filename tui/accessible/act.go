package accessible

import (
	"context"
	"fmt"
	"io"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// none says that there is no item to do it to.
func (s *queueSession) none() bool {
	if !s.any {
		s.out.say("No item is selected.")
	}
	return !s.any
}

func (s *queueSession) skip(ctx context.Context, _ string) error {
	if s.none() {
		return nil
	}
	a, ok := s.session.Skip(s.spent())
	if !ok {
		return nil // it is answered: the next open one comes
	}
	return s.submit(ctx, a, "Put off")
}

func (s *queueSession) undo(ctx context.Context, _ string) error {
	a, of, ok := s.session.Undo()
	return s.jumped(ctx, "undone", "Nothing to undo.", a, of, ok)
}

func (s *queueSession) redo(ctx context.Context, _ string) error {
	a, of, ok := s.session.Redo()
	return s.jumped(ctx, "done again", "Nothing to do again.", a, of, ok)
}

func (s *queueSession) jumped(ctx context.Context, what, nothing string, a, of annotate.Act, ok bool) error {
	if !ok {
		s.out.say("%s", nothing)
		return nil
	}
	s.any = false // its item is told anew, also when it was the last one told
	word := of.Kind.String()
	if of.Kind == annotate.Labelled {
		word = s.out.word(of.Reading)
	}
	return s.submit(ctx, a, fmt.Sprintf("%s on item %d %s", title(word), s.session.Walk.At()+1, what))
}

func (s *queueSession) flag(ctx context.Context, _ string) error {
	if s.none() {
		return nil
	}
	a, ok := s.session.ToggleFlag()
	if !ok {
		return nil
	}
	what := "Flagged"
	if a.Kind == annotate.Unflagged {
		what = "No longer flagged"
	}
	return s.submit(ctx, a, what)
}

func (s *queueSession) note(ctx context.Context, text string) error {
	if s.none() {
		return nil
	}
	a, ok := s.session.Note(text)
	if !ok {
		s.out.say("The note is that already.")
		return nil
	}
	what := "Noted"
	if text == "" {
		what = "Note removed"
	}
	return s.submit(ctx, a, what)
}

// why keeps rationale for the label to come, or gives them to the one that is
// there.
func (s *queueSession) why(ctx context.Context, text string) error {
	if s.none() {
		return nil
	}
	g := annotate.ParseRationale(text)
	if !s.session.Own.Answered(s.front.told) {
		s.grounds = g
		s.out.say("Goes with your answer.")
		return nil
	}
	if a, ok := s.session.Explain(g); ok {
		return s.submit(ctx, a, "Reason kept")
	}
	s.out.say("The reason is that already.")
	return nil
}

func (s *queueSession) guide(context.Context, string) error {
	g := s.session.Own.Queue().Guideline
	if g.Version > 0 {
		s.out.text(fmt.Sprintf("Guideline, version %d", g.Version), g.Text)
		return nil
	}
	standard := labeloption.LabelGuideline
	switch {
	case s.any && s.front.paired():
		standard = labeloption.VoteGuideline(strings.NewReplacer("both_bad", "bad", "zoom", "the image").Replace)
	case s.any && labeloption.Scored(&s.front.item):
		standard = labeloption.ScoreGuideline
	}
	s.out.text("Guideline", standard)
	return nil
}

func (s *queueSession) again(context.Context, string) error {
	if !s.none() {
		s.any = false
	}
	return nil
}

func (s *queueSession) next(context.Context, string) error {
	if s.session.Walk.Open() == 0 {
		s.out.say("No item is open.")
		return nil
	}
	s.any = false
	s.session.Walk.ToOpen()
	return nil
}

func (s *queueSession) back(context.Context, string) error {
	if s.session.Walk.At() == 0 {
		s.out.say("This is the first item.")
		return nil
	}
	s.session.Walk.Prev()
	return nil
}

func (s *queueSession) where(context.Context, string) error {
	n := s.session
	s.out.say("Item %d of %d, %d open, %d put off.", min(n.Walk.At()+1, n.Walk.Len()), n.Walk.Len(), n.Walk.Open(), len(n.Own.State().Skipped))
	return nil
}

func (s *queueSession) retry(ctx context.Context, _ string) error {
	s.Journal.Retry()
	if err := s.Journal.Sync(ctx, s.Queue, s.Annotator); err != nil {
		s.out.say("NOT SAVED: %s.", widget.Line(err.Error()))
		return nil
	}
	s.session.Saved(s.Journal.Saved(s.Queue, s.Annotator))
	s.out.say("All is saved.")
	return nil
}

// reveal tells what machines made of the item in front. That it was asked for
// is stored before anything is told.
func (s *queueSession) reveal(ctx context.Context, _ string) error {
	if s.none() {
		return nil
	}
	if s.front.paired() {
		look, load, err := s.session.RevealPair(s.front.told, func() (blind.RevealedPair, error) { return s.Machine.RevealPair(ctx, s.Queue, s.front.told) })
		return s.reveals(ctx, look, err, func() error {
			u, err := load()
			if err == nil {
				s.out.unmasked(u)
			}
			return err
		})
	}
	look, load, err := s.session.Reveal(s.front.told, func(truth bool) (blind.Revealed, error) {
		return s.Machine.Reveal(ctx, s.Queue, s.front.told, truth)
	})
	return s.reveals(ctx, look, err, func() error {
		r, err := load()
		if err == nil {
			s.out.revealed(r)
		}
		return err
	})
}

func (s *queueSession) reveals(ctx context.Context, look annotate.Act, err error, tell func() error) error {
	if err == nil {
		if look.N != 0 {
			s.Journal.Submit(look)
		}
		err = s.save(ctx) // also of a look that could not be stored before
	}
	if err == nil {
		err = tell()
	}
	if err != nil && ctx.Err() == nil {
		s.out.say("%s", title(widget.Line(err.Error())))
		return nil
	}
	return err
}

// speaker writes what is said, line by line.
type speaker struct {
	out io.Writer
}

func (sp *speaker) revealed(r blind.Revealed) {
	sp.say("You said %s.", sp.word(r.Own))
	if r.Model != "" {
		sp.say("The model is %s.", widget.Line(r.Model))
	}
	switch {
	case r.Withheld:
		sp.say("The ground truth is shown once no item on this sample is open.")
	case r.Truth != "":
		sp.say("The ground truth is %s.", widget.Line(string(r.Truth)))
	}
	for _, m := range r.Readings {
		agrees := "differs"
		if m.Agrees {
			agrees = "agrees"
		}
		sp.say("%s reads %s: %s.", widget.Line(m.Extractor), widget.Line(labeloption.MachineWord(m)), agrees)
	}
}

func (sp *speaker) unmasked(u blind.RevealedPair) {
	if u.Withheld {
		sp.say("Names and votes are shown once no pair on this sample is open.")
		return
	}
	first, second := u.Model, u.Against
	if u.Own.Swapped {
		first, second = second, first
	}
	sp.say("You said %s. Answer 1 is of %s, answer 2 of %s.", sp.word(u.Own), widget.Line(first), widget.Line(second))
	for i := range u.Judges {
		vote, same := u.Preferred(&u.Judges[i])
		shown := "shown as to you"
		if !same {
			shown = "shown the other way round"
		}
		sp.say("%s votes %s, %s.", widget.Line(u.Judges[i].Judge), labeloption.VoteWord(vote), shown)
	}
}

func (sp *speaker) print(text string) { _, _ = io.WriteString(sp.out, text) }

// say tells one line.
func (sp *speaker) say(format string, args ...any) {
	sp.print(fmt.Sprintf(format, args...) + "\n")
}

func (sp *speaker) help() {
	sp.say("Answers: type what is shown before a choice; a letter in either case.")
	for _, c := range commands() {
		sp.say("  %s: %s.", strings.Join(c.words, " or "), c.help)
	}
	sp.say("  quit: leave. Everything is saved as you go.")
}

// text tells a text under its name; nothing of an empty one.
func (sp *speaker) text(name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	text = widget.Clean(text)
	if strings.Contains(text, "\n") {
		// Set off, so that no answer can pass for what concord says.
		sp.say("%s:\n  %s", name, strings.ReplaceAll(text, "\n", "\n  "))
		return
	}
	sp.say("%s: %s", name, text)
}

func (sp *speaker) answer(name, text string, cut bool) {
	if cut {
		name += ", cut off by the endpoint"
	}
	if strings.TrimSpace(text) == "" {
		text = "(empty)"
	}
	sp.text(name, text)
	sp.say("End of the answer.")
}

// word is a reading in words.
func (sp *speaker) word(r annotate.Reading) string {
	if r.Verdict != annotate.Voted {
		return labeloption.Word(r)
	}
	return labeloption.VoteWord(r.Vote)
}
