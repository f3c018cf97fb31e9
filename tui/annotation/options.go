package annotation

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// LeastOption is how wide an option is at least, in cells with its mark and
// keys, where several stand in a line.
const LeastOption = 14

// DrawOptionRows draws options in rows lines, column by column, each behind its mark
// and its keys. Columns are as wide as what stands in them if that fits, else all
// are the same.
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
	return loadReveal(r.ctx, r.work, look, load, func(what R, err error) tea.Msg { return revealed[R]{r, k, what, err} })
}

// ForgetReveal takes away what was shown: another item is in front.
func (r *RevealPane[R]) ForgetReveal() {
	var none R
	r.of, r.Done, r.What, r.Err = annotate.ItemKey{}, false, none, nil
}

// Update takes what was loaded. What belongs to an item that is not in front any
// more is left.
func (r *RevealPane[R]) Update(msg tea.Msg) {
	if msg, ok := msg.(revealed[R]); ok && msg.of == r && r.Mode == Revealed && msg.key == r.of {
		r.Done, r.What, r.Err = true, msg.what, msg.err
	}
}

// LoadReveal loads what is shown only after the person's own answer. Nothing is
// loaded before it is stored that it was shown: look is that act, with no N
// when an earlier one is stored. got makes the message of it.
func LoadReveal[B, R any](s *QueueSession[B], look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	return loadReveal(s.ctx, s.Work, look, load, got)
}

func loadReveal[R any](ctx context.Context, w *ItemWork, look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	if look.N != 0 {
		w.SubmitAct(look)
	}
	d := w.deps
	return func() tea.Msg {
		if err := d.Journal.Sync(ctx, d.Queue, d.Annotator); err != nil {
			var none R
			return got(none, err)
		}
		return got(load())
	}
}
