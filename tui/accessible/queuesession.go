package accessible

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/session"
	"concord/eval"
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
	out     *lineWriter
	front   *frontItem
}

// RunQueue works through a queue until the person leaves it or the input ends.
func RunQueue(ctx context.Context, d Deps) error {
	o, err := d.Items.Open(ctx, d.Queue, d.Annotator)
	if err != nil {
		return fmt.Errorf("open queue %s: %w", d.Queue, err)
	}
	o.Now = d.Now
	s := &queueSession{Deps: d, known: len(o.Items), out: &lineWriter{d.Out}}
	if s.session, err = session.New(o); err != nil {
		return err
	}
	defer s.session.Close()
	s.front = &frontItem{session: s.session, out: s.out}
	s.writeGreeting()
	for {
		if err := s.takeNewItems(ctx); err != nil {
			return err
		}
		if err := s.writeItemIfNew(ctx); err != nil {
			return err
		}
		s.out.writeText("> ")
		text, err := s.In.NextLine(ctx)
		if errors.Is(err, io.EOF) {
			s.out.writeLine("")
			return s.waitSaved(ctx)
		}
		if err != nil {
			return err
		}
		if left, err := s.runTypedLine(ctx, text); left || err != nil {
			return err
		}
	}
}

func (s *queueSession) writeGreeting() {
	q := s.session.Own.Queue()
	s.out.writeLine("Queue %s, as %s. %s, %d open.", widget.CleanLine(string(q.Name)), widget.CleanLine(string(s.Annotator)),
		widget.FormatPlural(s.session.Walk.Len(), "item"), s.session.Walk.CountOpen())
	if q.Synthetic {
		s.out.writeLine("This queue is synthetic.")
	}
	if s.session.Own.IsGuidelineAmended() {
		s.out.writeLine("The guideline has changed since your last label: i tells version %d.", q.Guideline.Version)
	}
	s.out.writeLine("Type an answer and enter. help tells all commands, quit leaves; all is saved as you go.")
}

// takeNewItems takes up what was enrolled since.
func (s *queueSession) takeNewItems(ctx context.Context) error {
	if !s.session.Own.Queue().Growing {
		return nil
	}
	q, items, err := s.Items.ItemsSince(ctx, s.Queue, s.known)
	if err != nil {
		return fmt.Errorf("read queue %s: %w", s.Queue, err)
	}
	s.session.Own.SetQueue(q)
	s.known += len(items)
	s.session.AddItems(items)
	return nil
}

// writeItemIfNew tells the item in front, unless it is the one that was told last.
func (s *queueSession) writeItemIfNew(ctx context.Context) error {
	index, k, ok := s.session.Walk.Current()
	if ok && s.any && k == s.front.told {
		return nil
	}
	if !ok || k != s.front.told {
		s.grounds = annotate.Rationale{}
	}
	if !ok {
		s.any = false
		s.writeEnd()
		return nil
	}
	it, err := s.Items.Item(ctx, s.Queue, index)
	if err != nil {
		return fmt.Errorf("read item %d of queue %s: %w", index+1, s.Queue, err)
	}
	s.front.item, s.front.offers = it, labeloption.OptionsFor(&it)
	s.front.told, s.any, s.at = k, true, s.Now()
	s.front.writeItem()
	return nil
}

func (s *queueSession) writeEnd() {
	switch {
	case s.session.Walk.CountOpen() > 0:
		s.out.writeLine("\nThe end of the queue. %s still open: next goes to it.", widget.FormatPlural(s.session.Walk.CountOpen(), "item"))
	case s.session.Own.Queue().Growing:
		s.out.writeLine("\nAll %s answered. The evaluation still runs: enter looks for more, quit leaves.", widget.FormatPlural(s.session.Walk.Len(), "item"))
	case s.session.Walk.Len() == 0:
		s.out.writeLine("\nThere is nothing to do in this queue for you. quit leaves.")
	default:
		s.out.writeLine("\nDone: all %s answered. undo takes the last answer back, quit leaves.", widget.FormatPlural(s.session.Walk.Len(), "item"))
	}
}

// submitActAndWait hands an act on and waits until it is stored, or is known not to be.
func (s *queueSession) submitActAndWait(ctx context.Context, a annotate.Act, what string) error {
	s.Journal.Submit(a)
	if err := s.Journal.SyncStream(ctx, s.Queue, s.Annotator); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.out.writeLine("NOT SAVED: %s. It is kept here: save tries again.", widget.CleanLine(err.Error()))
		return nil
	}
	s.session.MarkSaved(s.Journal.LastSaved(s.Queue, s.Annotator))
	if gone := s.session.MarkTooLate(s.Journal.LateActs(s.Queue, s.Annotator)); len(gone) > 0 {
		s.out.writeLine("Somebody was quicker: %s had all labels already and left your list.", widget.FormatPlural(len(gone), "item"))
		return nil
	}
	s.out.writeLine("%s, saved %s.", what, s.Now().Local().Format("15:04:05"))
	return nil
}

// waitSaved waits for what is not stored yet.
func (s *queueSession) waitSaved(ctx context.Context) error {
	return eval.WrapError(s.Journal.SyncStream(ctx, s.Queue, s.Annotator), "save labels in queue %s", s.Queue)
}

// capitalize is a word with an upper-case start, for the start of a line.
func capitalize(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Items is where a queue is read.
type Items interface {
	Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error)
	ItemsSince(ctx context.Context, q annotate.QueueName, from int) (annotate.Queue, []annotate.QueueItem, error)
	Item(ctx context.Context, q annotate.QueueName, index int) (annotate.Item, error)
}

// Journal takes acts in order and says when they are durable.
type Journal interface {
	Submit(a annotate.Act)
	RetryParked()
	SyncStream(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error
	LastSaved(q annotate.QueueName, who annotate.Annotator) uint32
	LateActs(q annotate.QueueName, who annotate.Annotator) []annotate.Act
}

// Machine is what machines made of an item, asked for after a person's own answer alone.
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

// longestSpent bounds the time of an answer: nothing tells here whether somebody is still there.
const longestSpent = 2 * time.Minute

// command is what a word does, with what follows it.
type command struct {
	words  []string
	help   string
	onItem bool // an item has to be in front
	do     func(s *queueSession, ctx context.Context, rest string) error
}

// listCommands are in the order of help. They are words: one letter is always an option.
func listCommands() []command {
	return []command{
		{[]string{"skip"}, "put the item off", true, (*queueSession).skipItem},
		{[]string{"undo"}, "take the last act back", false, makeUndoCommand((*session.Session).Undo, "undone", "Nothing to undo.")},
		{[]string{"redo"}, "do again what was taken back", false, makeUndoCommand((*session.Session).Redo, "done again", "Nothing to do again.")},
		{[]string{"flag"}, "mark the item for a second look, or take that mark away", true, (*queueSession).toggleFlag},
		{[]string{"comment", "note"}, "comment TEXT: write a comment", true, (*queueSession).setNote},
		{[]string{"why"}, "why TEXT: comment; 80% before it gives your confidence", true, (*queueSession).keepOrSetRationale},
		{[]string{"tag"}, "tag NAME: put a tag on the item, or take it away", true, (*queueSession).toggleTag},
		{[]string{"guideline"}, "tell the guideline", false, (*queueSession).writeGuideline},
		{[]string{"reveal"}, "show the extracted answer, after your own answer", true, (*queueSession).revealMachine},
		{[]string{"again", "item"}, "tell the item once more", true, (*queueSession).tellItemAgain},
		{[]string{"next"}, "go to the next unlabeled item", false, (*queueSession).showNext},
		{[]string{"back", "previous"}, "go to the item before", false, (*queueSession).showPrevious},
		{[]string{"where"}, "tell how far you are", false, (*queueSession).tellPosition},
		{[]string{"save"}, "save again what could not be saved", false, (*queueSession).retrySaving},
	}
}

// runTypedLine does what a line says, and reports whether it leaves the queue.
func (s *queueSession) runTypedLine(ctx context.Context, text string) (left bool, err error) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return false, nil
	case "quit":
		return true, s.waitSaved(ctx)
	case "help", "?":
		s.out.writeHelp()
		return false, nil
	}
	for _, c := range listCommands() {
		if slices.ContainsFunc(c.words, func(w string) bool { return w == word }) {
			if c.onItem && !s.any {
				s.out.writeLine("No item is selected.")
				return false, nil
			}
			return false, c.do(s, ctx, rest)
		}
	}
	if !s.any {
		s.out.writeLine("No item is selected. undo takes the last answer back, quit leaves.")
		return false, nil
	}
	r, why := s.front.parseReading(word, rest)
	if why != "" {
		s.out.writeLine("%s: %s help tells all commands.", widget.CleanLine(widget.CutWidth(word, 20)), why)
		return false, nil
	}
	return false, s.labelItem(ctx, r)
}

func (s *queueSession) labelItem(ctx context.Context, r annotate.Reading) error {
	if r.Kind == annotate.Graded {
		a, ok := s.session.GradeCriterion(r.Grades[0], s.front.item.Rubric, s.grounds, s.timeSpent())
		return s.submitAnswer(ctx, a, ok)
	}
	a, ok := s.session.LabelWithRationale(r, s.grounds, s.timeSpent())
	return s.submitAnswer(ctx, a, ok)
}

func (s *queueSession) submitAnswer(ctx context.Context, a annotate.Act, ok bool) error {
	if !ok {
		s.out.writeLine("The item takes no answer now.")
		return nil
	}
	err := s.submitActAndWait(ctx, a, capitalize(s.out.readingInWords(a.Reading)))
	if err == nil && a.Kind == annotate.GradedOne {
		s.front.writeNextCriterion()
	}
	return err
}

func (s *queueSession) timeSpent() time.Duration { return min(s.Now().Sub(s.at), longestSpent) }

// longestLine bounds what is typed at once, in bytes.
const longestLine = 1 << 16

// Lines reads lines beside whoever waits for them, so that a wait can end.
type Lines struct {
	next chan line
	over chan struct{} // closed once nobody waits for lines any more
	err  error         // why there are no more; set before next is closed
}

type line struct{ text string }

// NewLines reads from r until its end, or until the lines are closed and one more comes.
func NewLines(r io.Reader) *Lines {
	l := &Lines{next: make(chan line), over: make(chan struct{})}
	go l.readLines(r)
	return l
}

// Close lets go of what was typed ahead. Nobody may wait for a line after it.
func (l *Lines) Close() { close(l.over) }

func (l *Lines) readLines(r io.Reader) {
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
	l.err = cmp.Or(l.err, io.EOF)
}

// NextLine waits for a line, without the blanks around it; io.EOF at the end.
func (l *Lines) NextLine(ctx context.Context) (string, error) {
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

// AskLine asks for a line.
func AskLine(ctx context.Context, in *Lines, out io.Writer, prompt string) (string, error) {
	if _, err := io.WriteString(out, prompt); err != nil {
		return "", err
	}
	return in.NextLine(ctx)
}

// AskChoice asks for one of several by its number, until it is given one, and returns its index.
func AskChoice(ctx context.Context, in *Lines, out io.Writer, question string, of []string) (int, error) {
	_, _ = fmt.Fprintln(out, question)
	for i, text := range of {
		_, _ = fmt.Fprintf(out, "  %d: %s\n", i+1, widget.CleanLine(text))
	}
	for {
		text, err := AskLine(ctx, in, out, "> ")
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(of) {
			return n - 1, nil
		}
		_, _ = fmt.Fprintf(out, "Type a number from 1 to %d.\n", len(of))
	}
}
