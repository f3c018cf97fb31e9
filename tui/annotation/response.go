package annotation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// Response is the text of a model, laid out for the pane in which it is read.
type Response struct {
	Raw  string
	Cut  bool         // off by the endpoint
	Laid *widget.Text // for the present width; nil: not yet
	Set  []string     // its lines, where the screen sets them itself

	Whole bool           // it is shown whole, though it is longer than its pane
	Marks []widget.Range // of the text: what extractors matched
}

// laidOutText is a response that was laid out to its end.
type laidOutText struct {
	of   *Response
	text *widget.Text
}

// small is up to which size, in bytes, a response is laid out on the spot: it takes under a millisecond.
const small = 32 << 10

// LayOutForWidth lays the response out for a width: of one that takes long as many lines as are
// seen, and all of it by the command.
func (r *Response) LayOutForWidth(width, height int) tea.Cmd {
	if r.Laid == nil || r.Laid.Width() != width {
		r.Laid = widget.NewText(r.Raw, width)
	}
	switch _, all := r.Laid.Len(); {
	case all:
		return nil
	case len(r.Raw) <= small:
		r.Laid = r.Laid.LayOutWhole()
		return nil
	}
	r.Laid.LayOutTo(height)
	text := r.Laid.CloneLayout()
	return func() tea.Msg { return laidOutText{r, text.LayOutWhole()} }
}

// applyLayout puts a text that was laid out to its end in the place of the one that was not.
func (l laidOutText) applyLayout() {
	if l.of.Laid != nil && l.of.Laid.Width() == l.text.Width() {
		l.of.Laid = l.text
	}
}

// LayOutLines lays lines of a long response out that are about to be shown.
func (r *Response) LayOutLines(n int) {
	if r.Laid != nil && n < 1<<20 {
		r.Laid.LayOutTo(n)
	}
}

// Len is how many lines there are, and whether those are all.
func (r *Response) Len() (n int, all bool) {
	if r.Laid != nil {
		return r.Laid.Len()
	}
	return len(r.Set), true
}

func (r *Response) linesFrom(from, n int) []string {
	if r.Laid != nil {
		return r.Laid.LinesFrom(from, n)
	}
	from = max(0, min(from, len(r.Set)))
	return r.Set[from:min(len(r.Set), from+max(0, n))]
}

// leastFold is how many lines a pane has in which a long response is folded.
const leastFold = 4

// IsFolded reports whether a pane of so many lines shows the head and the tail of the
// response, with a fold between: it takes half as many again.
func (r *Response) IsFolded(rows int) bool {
	n, all := r.Len()
	return all && !r.Whole && rows >= leastFold && n > rows+rows/2 && r.DescribeBlank() == ""
}

// FoldLines is head and tail of n lines in rows lines, and between them what is left out,
// which a key unfolds. show gives so many of the lines from one on.
func FoldLines(t *widget.Theme, n, rows int, key string, show func(from, n int) []string) []string {
	tail := (rows - 1) / 3
	head := rows - 1 - tail
	between := t.Faint.Render(fmt.Sprintf("⋯ %s collapsed: ", widget.FormatPlural(n-head-tail, "line"))) + t.Key.Render(key) + t.Faint.Render(" expands ⋯")
	return slices.Concat(show(0, head), []string{between}, show(n-tail, tail))
}

// DescribeBlank describes what to say of a response that shows nothing; "" of one that does.
func (r *Response) DescribeBlank() string {
	switch {
	case r.Raw == "":
		return "(the answer is empty)"
	case strings.TrimSpace(r.Raw) == "":
		return fmt.Sprintf("(the answer is %s of white space)", widget.FormatPlural(len(r.Raw), "byte"))
	}
	return ""
}

// Gutter is how many cells the bar before a response takes.
const Gutter = 2

// DrawPane draws a response under its title, from a line on, behind a bar: rows lines of
// width cells. key unfolds one that is folded, hint says how the others scroll, and
// ready reports whether it is laid out for the pane.
func (r *Response) DrawPane(t *widget.Theme, name, key, hint string, from, rows, width int, focused, ready bool) []string {
	n, all := r.Len()
	rows--
	from = max(0, min(from, n-rows))
	if r.Cut {
		name += " (cut off by the endpoint)"
	}
	head := DrawSection(t, name, from, rows, n, hint, focused, width)
	shown := r.linesFrom
	switch {
	case r.IsFolded(rows):
		head = t.DrawSection(name, widget.FormatPlural(n, "line"), focused, width)
		shown = func(int, int) []string { return FoldLines(t, n, rows, key, r.linesFrom) }
	case !all:
		head = t.DrawSection(name, fmt.Sprintf("from line %s, more than %s", widget.FormatCount(from+1), widget.FormatCount(n)), focused, width)
	}
	out, bar := []string{head}, t.Title.Render("┃")+" "
	switch blank := r.DescribeBlank(); {
	case !ready:
		out = append(out, bar+t.Faint.Render("laying the answer out…"))
	case blank != "":
		out = append(out, bar+t.Faint.Render(blank))
	default:
		if r.Laid != nil {
			r.Laid.MarkRanges(t.Selected, r.Marks)
		}
		out = append(out, eval.Map(shown(from, rows), func(l string) string { return bar + l })...)
	}
	return widget.FitBox(out, width, rows+1)
}

// DrawQuoted draws a text behind a bar, with parts of it marked; style is of the rest.
func DrawQuoted(t *widget.Theme, style widget.CachedStyle, bar, raw string, marks []widget.Range, width int) []string {
	text := widget.NewText(CutLongText(raw), width-widget.TextWidth(bar))
	text.MarkRanges(t.Selected, marks)
	text = text.LayOutWhole()
	n, _ := text.Len()
	out := text.LinesFrom(0, n)
	for i, l := range out {
		if !strings.Contains(l, "\x1b") {
			l = style.Render(l)
		}
		out[i] = bar + l
	}
	return out
}

// VoteRange is the part of a judge's reply that is read as its vote: the last line.
func VoteRange(vote eval.Vote, raw string) []widget.Range {
	text := strings.TrimRight(raw, " \t\r\n")
	if vote == eval.VoteUnset {
		return nil
	}
	return []widget.Range{{From: strings.LastIndexAny(text, "\r\n") + 1, To: len(text)}}
}

// LeastText and LeastRows are the cells and lines that a picture's stand-in takes.
const (
	LeastText = 28
	LeastRows = 4
)

// LargestPictureCells is the room that the largest of the item's pictures takes of cols by rows;
// one that cannot be shown has a few words in its place.
func (p *Page) LargestPictureCells(cols, rows int) (wide, high int) {
	for i := range p.Pictures {
		c, r := min(cols, LeastText), min(rows, LeastRows)
		if img := p.Pictures[i].Image; img != nil {
			c, r = img.FitCells(cols, rows)
		}
		wide, high = max(wide, c), max(high, r)
	}
	return wide, high
}

// mostText bounds what is laid out of a question or a reply, in bytes. They are read
// from files, and nobody reads one of this length.
const mostText = 32 << 10

// CutLongText gives the beginning of a stranger's text, which may be of megabytes.
func CutLongText(s string) string {
	if len(s) > mostText {
		return s[:mostText] + " …"
	}
	return s
}

// LeastOption is how wide an option is at least, in cells with its mark and keys, of several in a line.
const LeastOption = 14

// DrawOptionRows draws options in rows lines, column by column, each behind its mark and its keys.
// Columns are as wide as what stands in them if that fits, else all are the same.
func DrawOptionRows(t *widget.Theme, some []labeloption.Option, mark func(*labeloption.Option) string, rows, width int) []string {
	columns := max(1, (len(some)+rows-1)/rows)
	cells, wide, all := make([]string, len(some)), make([]int, columns), 0
	for i := range cells {
		c := &some[i]
		cells[i] = t.Good.Render(mark(c)) + t.Key.Render(strings.TrimLeft(c.Digit+" "+c.Letter, " ")) + " " + widget.CleanLine(c.Text[:min(len(c.Text), 4*width)])
		wide[i/rows] = max(wide[i/rows], widget.TextWidth(cells[i])+1)
	}
	for _, w := range wide {
		all += w
	}
	out := make([]string, min(rows, len(cells)))
	for i := range cells {
		w := wide[i/rows]
		if all > width {
			w = width / columns
		}
		out[i%rows] += widget.FitWidth(widget.CutWidth(cells[i], max(1, w-1)), w)
	}
	return out
}

// RevealPane is what is shown of the item in front once the person has answered it:
// an R, such as what machines read in it. The zero What is there until Done.
type RevealPane[R any] struct {
	*SessionState
	ctx  context.Context
	work *ItemWork
	of   annotate.ItemKey

	Done bool
	What R
	Err  error // why it cannot be shown
}

// NewRevealAction opens and closes what is shown after the person's own answer.
func NewRevealAction(at keymap.Place, why func() string, toggle func(string) tea.Cmd) action.Table {
	return action.Table{
		action.MarkRecording(action.NewAction(ViewsGroup, []action.Mode{Reading}, action.NewFooterKey(action.Second, at.BindAction("reveal")), why, toggle)),
		action.MarkRecording(action.NewAction(ViewsGroup, []action.Mode{Revealed}, action.NewFooterKey(action.First, at.BindJoined("hide", "reveal")), nil, toggle)),
	}
}

// revealed is what was loaded.
type revealed[R any] struct {
	of   *RevealPane[R]
	key  annotate.ItemKey
	what R
	err  error
}

// NewReveal makes that of a session. Nothing is shown yet.
func NewReveal[R, B any](s *QueueSession[B]) *RevealPane[R] {
	return &RevealPane[R]{SessionState: s.SessionState, ctx: s.ctx, work: s.Work}
}

// ToggleReveal closes it, or opens it: ask is the session's word on whether it may be
// shown, the act that says so, and what loads it. The session refuses before the
// person's own answer, whatever the screen thinks.
func (r *RevealPane[R]) ToggleReveal(ask func(annotate.ItemKey) (look annotate.Act, load func() (R, error), err error)) tea.Cmd {
	if r.Mode == Revealed {
		r.Mode = Reading
		return nil
	}
	_, k, _ := r.Session.Walk.Current()
	look, load, err := ask(k)
	if err != nil {
		r.Refusal = err.Error()
		return nil
	}
	r.ForgetReveal()
	r.Mode, r.of = Revealed, k
	return storeLookThenLoad(r.ctx, r.work, look, load, func(what R, err error) tea.Msg { return revealed[R]{r, k, what, err} })
}

// ForgetReveal takes away what was shown: another item is in front.
func (r *RevealPane[R]) ForgetReveal() {
	var none R
	r.of, r.Done, r.What, r.Err = annotate.ItemKey{}, false, none, nil
}

// Update takes what was loaded. What belongs to an item that is not in front any more is left.
func (r *RevealPane[R]) Update(msg tea.Msg) {
	if msg, ok := msg.(revealed[R]); ok && msg.of == r && r.Mode == Revealed && msg.key == r.of {
		r.Done, r.What, r.Err = true, msg.what, msg.err
	}
}

// StoreLookThenLoad loads what is shown only after the person's own answer. Nothing is
// loaded before it is stored that it was shown: look is that act, with no N
// when an earlier one is stored. got makes the message of it.
func StoreLookThenLoad[B, R any](s *QueueSession[B], look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	return storeLookThenLoad(s.ctx, s.Work, look, load, got)
}

func storeLookThenLoad[R any](ctx context.Context, w *ItemWork, look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	if look.N != 0 {
		w.SubmitAct(look)
	}
	d := w.deps
	return func() tea.Msg {
		if err := d.Journal.SyncStream(ctx, d.Queue, d.Annotator); err != nil {
			var none R
			return got(none, err)
		}
		return got(load())
	}
}
