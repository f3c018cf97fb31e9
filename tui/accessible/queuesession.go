package accessible

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// queueSession is one person at work in one queue.
type queueSession struct {
	Deps
	session *session.Session
	known   int                // items of the queue that the session was told of
	at      time.Time          // when the item in front was told
	any     bool               // one does
	grounds annotate.Rationale // of the label to come
	out     *speaker
	front   *frontItem
}

// Run works through a queue until the person leaves it or the input ends.
func Run(ctx context.Context, d Deps) error {
	o, err := d.Items.Open(ctx, d.Queue, d.Annotator)
	if err != nil {
		return fmt.Errorf("open queue %s: %w", d.Queue, err)
	}
	o.Now = d.Now
	s := &queueSession{Deps: d, known: len(o.Items), out: &speaker{d.Out}}
	if s.session, err = session.New(o); err != nil {
		return err
	}
	defer s.session.Close()
	s.front = &frontItem{session: s.session, out: s.out}
	s.greet()
	for {
		if err := s.grow(ctx); err != nil {
			return err
		}
		if err := s.present(ctx); err != nil {
			return err
		}
		s.out.print("> ")
		text, err := s.In.Next(ctx)
		if errors.Is(err, io.EOF) {
			s.out.say("")
			return s.save(ctx)
		}
		if err != nil {
			return err
		}
		if left, err := s.take(ctx, text); left || err != nil {
			return err
		}
	}
}

func (s *queueSession) greet() {
	q := s.session.Own.Queue()
	s.out.say("Queue %s, as %s. %s, %d open.", widget.Line(string(q.Name)), widget.Line(string(s.Annotator)),
		widget.Plural(s.session.Walk.Len(), "item"), s.session.Walk.Open())
	if q.Synthetic {
		s.out.say("This queue is synthetic.")
	}
	if s.session.Own.Amended() {
		s.out.say("The guideline has changed since your last label: i tells version %d.", q.Guideline.Version)
	}
	s.out.say("Type an answer and enter. help tells all commands, quit leaves; all is saved as you go.")
}

// grow takes up what was enrolled since.
func (s *queueSession) grow(ctx context.Context) error {
	if !s.session.Own.Queue().Growing {
		return nil
	}
	q, items, err := s.Items.Since(ctx, s.Queue, s.known)
	if err != nil {
		return fmt.Errorf("read queue %s: %w", s.Queue, err)
	}
	s.session.Own.SetQueue(q)
	s.known += len(items)
	s.session.Grow(items)
	return nil
}

// present tells the item in front, unless it is the one that was told last.
func (s *queueSession) present(ctx context.Context) error {
	index, k, ok := s.session.Walk.Current()
	if ok && s.any && k == s.front.told {
		return nil
	}
	if !ok || k != s.front.told {
		s.grounds = annotate.Rationale{}
	}
	if !ok {
		s.any = false
		s.ended()
		return nil
	}
	it, err := s.Items.Item(ctx, s.Queue, index)
	if err != nil {
		return fmt.Errorf("read item %d of queue %s: %w", index+1, s.Queue, err)
	}
	s.front.item, s.front.offers = it, labeloption.Of(&it)
	s.front.told, s.any, s.at = k, true, s.Now()
	s.front.tell()
	return nil
}

func (s *queueSession) ended() {
	switch {
	case s.session.Walk.Open() > 0:
		s.out.say("\nThe end of the queue. %s still open: next goes to it.", widget.Plural(s.session.Walk.Open(), "item"))
	case s.session.Own.Queue().Growing:
		s.out.say("\nAll %s answered. The evaluation still runs: enter looks for more, quit leaves.", widget.Plural(s.session.Walk.Len(), "item"))
	case s.session.Walk.Len() == 0:
		s.out.say("\nThere is nothing to do in this queue for you. quit leaves.")
	default:
		s.out.say("\nDone: all %s answered. undo takes the last answer back, quit leaves.", widget.Plural(s.session.Walk.Len(), "item"))
	}
}

// submit hands an act on and waits until it is stored, or is known not to be.
func (s *queueSession) submit(ctx context.Context, a annotate.Act, what string) error {
	s.Journal.Submit(a)
	if err := s.Journal.Sync(ctx, s.Queue, s.Annotator); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.out.say("NOT SAVED: %s. It is kept here: save tries again.", widget.Line(err.Error()))
		return nil
	}
	s.session.Saved(s.Journal.Saved(s.Queue, s.Annotator))
	if gone := s.session.Taken(s.Journal.Late(s.Queue, s.Annotator)); len(gone) > 0 {
		s.out.say("Somebody was quicker: %s had all labels already and left your list.", widget.Plural(len(gone), "item"))
		return nil
	}
	s.out.say("%s, saved %s.", what, s.Now().Local().Format("15:04:05"))
	return nil
}

// save waits for what is not stored yet.
func (s *queueSession) save(ctx context.Context) error {
	if err := s.Journal.Sync(ctx, s.Queue, s.Annotator); err != nil {
		return fmt.Errorf("save labels in queue %s: %w", s.Queue, err)
	}
	return nil
}

// title is a word with an upper-case start, for the start of a line.
func title(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
