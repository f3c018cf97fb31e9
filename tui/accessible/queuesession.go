package accessible

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
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

// Items is where a queue is read.
type Items interface {
	Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error)
	Since(ctx context.Context, q annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error)
	Item(ctx context.Context, q annotate.QueueName, index int) (annotate.Item, error)
}

// Journal takes acts in order and says when they are durable.
type Journal interface {
	Submit(a annotate.Act)
	Retry()
	Sync(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error
	Saved(q annotate.QueueName, who annotate.Annotator) uint32
	Late(q annotate.QueueName, who annotate.Annotator) []annotate.Act
}

// Machine is what machines made of an item, asked for after a person's own
// answer alone.
type Machine interface {
	Reveal(ctx context.Context, q annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error)
	RevealPair(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.RevealedPair, error)
}

// Deps is what a queueSession is made of; all of it is needed.
type Deps struct {
	Queue     annotate.QueueName
	Annotator annotate.Annotator
	Items     Items
	Journal   Journal
	Machine   Machine
	Now       func() time.Time
	In        *Lines
	Out       io.Writer
}

// longestSpent bounds the time of an answer: nothing tells here whether
// somebody is still there.
const longestSpent = 2 * time.Minute

// command is what a word does, with what follows it.
type command struct {
	words []string
	help  string
	do    func(s *queueSession, ctx context.Context, rest string) error
}

// commands are in the order of help. They are words: one letter is always an
// option.
func commands() []command {
	return []command{
		{[]string{"skip"}, "put the item off", (*queueSession).skip},
		{[]string{"undo"}, "take the last act back", (*queueSession).undo},
		{[]string{"redo"}, "do again what was taken back", (*queueSession).redo},
		{[]string{"flag"}, "mark the item for a second look, or take that mark away", (*queueSession).flag},
		{[]string{"comment", "note"}, "comment TEXT: write a comment", (*queueSession).note},
		{[]string{"why"}, "why TEXT: comment; 80% before it gives your confidence", (*queueSession).why},
		{[]string{"guideline"}, "tell the guideline", (*queueSession).guide},
		{[]string{"reveal"}, "show the extracted answer, after your own answer", (*queueSession).reveal},
		{[]string{"again", "item"}, "tell the item once more", (*queueSession).again},
		{[]string{"next"}, "go to the next unlabeled item", (*queueSession).next},
		{[]string{"back", "previous"}, "go to the item before", (*queueSession).back},
		{[]string{"where"}, "tell how far you are", (*queueSession).where},
		{[]string{"save"}, "save again what could not be saved", (*queueSession).retry},
	}
}

// take does what a line says, and reports whether it leaves the queue.
func (s *queueSession) take(ctx context.Context, text string) (left bool, err error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return false, nil
	case "quit":
		return true, s.save(ctx)
	case "help", "?":
		s.out.help()
		return false, nil
	}
	for _, c := range commands() {
		for _, w := range c.words {
			if w == word {
				return false, c.do(s, ctx, rest)
			}
		}
	}
	if !s.any {
		s.out.say("No item is selected. undo takes the last answer back, quit leaves.")
		return false, nil
	}
	r, why := s.front.reading(word, rest)
	if why != "" {
		s.out.say("%s: %s help tells all commands.", widget.Line(widget.Cut(word, 20)), why)
		return false, nil
	}
	return false, s.label(ctx, r)
}

func (s *queueSession) label(ctx context.Context, r annotate.Reading) error {
	if r.Verdict == annotate.Graded {
		a, ok := s.session.Grade(r.Grades[0], s.front.item.Rubric, s.grounds, s.spent())
		return s.answered(ctx, a, ok)
	}
	a, ok := s.session.LabelBecause(r, s.grounds, s.spent())
	return s.answered(ctx, a, ok)
}

func (s *queueSession) answered(ctx context.Context, a annotate.Act, ok bool) error {
	if !ok {
		s.out.say("The item takes no answer now.")
		return nil
	}
	err := s.submit(ctx, a, title(s.out.word(a.Reading)))
	if err == nil && a.Kind == annotate.GradedOne {
		s.front.criterion()
	}
	return err
}

func (s *queueSession) spent() time.Duration { return min(s.Now().Sub(s.at), longestSpent) }

// longestLine bounds what is typed at once, in bytes.
const longestLine = 1 << 16

// Lines reads lines beside whoever waits for them, so that a wait can end.
type Lines struct {
	next chan line
	over chan struct{} // closed once nobody waits for lines any more
	err  error         // why there are no more; set before next is closed
}

type line struct{ text string }

// NewLines reads from r until its end, or until the lines are closed and one
// more comes.
func NewLines(r io.Reader) *Lines {
	l := &Lines{next: make(chan line), over: make(chan struct{})}
	go l.read(r)
	return l
}

// Close lets go of what was typed ahead. Nobody may wait for a line after it.
func (l *Lines) Close() { close(l.over) }

func (l *Lines) read(r io.Reader) {
	defer close(l.next)
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 4096), longestLine)
	for in.Scan() {
		select {
		case l.next <- line{in.Text()}:
		case <-l.over:
			return
		}
	}
	if l.err = in.Err(); errors.Is(l.err, bufio.ErrTooLong) {
		l.err = errors.New("a line of more than 64 KiB was typed")
	}
	if l.err == nil {
		l.err = io.EOF
	}
}

// Next waits for a line, without the blanks around it; io.EOF at the end.
func (l *Lines) Next(ctx context.Context) (string, error) {
	select {
	case got, ok := <-l.next:
		if !ok {
			return "", l.err
		}
		return strings.TrimSpace(got.text), nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Ask asks for a line.
func Ask(ctx context.Context, in *Lines, out io.Writer, prompt string) (string, error) {
	if _, err := io.WriteString(out, prompt); err != nil {
		return "", err
	}
	return in.Next(ctx)
}

// Choose asks for one of several by its number, until it is given one, and
// returns its index.
func Choose(ctx context.Context, in *Lines, out io.Writer, question string, of []string) (int, error) {
	_, _ = fmt.Fprintln(out, question)
	for i, text := range of {
		_, _ = fmt.Fprintf(out, "  %d: %s\n", i+1, widget.Line(text))
	}
	for {
		text, err := Ask(ctx, in, out, "> ")
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(of) {
			return n - 1, nil
		}
		_, _ = fmt.Fprintf(out, "Type a number from 1 to %d.\n", len(of))
	}
}
