package form

import (
	"context"
	"reflect"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// rest is how long a form must be left alone before an estimate of it is worth its
// while.
const rest = 150 * time.Millisecond

// EstimateUpdater keeps an estimate of what stands in a form up to date.
//
//	Changed --(rest)--> rested --> Estimate --> estimated --> Latest
type EstimateUpdater[S, E any] struct {
	Ctx      context.Context
	Spec     func() S
	WhyNot   func() string // why it cannot be estimated; "": it can
	Estimate func(context.Context, S) (E, error)

	Entered bool // somebody waits for the estimate
	Latest  E
	Err     error // instead of Latest

	asked, got int // numbers of specs: of the one now, and of the one of Latest
	asking     bool
	stop       context.CancelFunc // ends the estimate under way
}

type (
	// specRested tells that a spec has rested.
	specRested[S, E any] struct {
		of  *EstimateUpdater[S, E]
		seq int
	}
	// estimated is an estimate of one spec.
	estimated[S, E any] struct {
		of    *EstimateUpdater[S, E]
		seq   int
		value E
		err   error
	}
)

// NoteChange asks for an estimate in a while where the spec is another one than
// before; else there is no command.
func (a *EstimateUpdater[S, E]) NoteChange(before S) tea.Cmd {
	if reflect.DeepEqual(before, a.Spec()) {
		return nil
	}
	a.asked++
	seq := a.asked
	return tea.Tick(rest, func(time.Time) tea.Msg { return specRested[S, E]{a, seq} })
}

// EstimateNow asks for an estimate of the spec as it is now, at once.
func (a *EstimateUpdater[S, E]) EstimateNow() tea.Cmd {
	a.asked++
	return a.askEstimate()
}

// WaitEstimate reports whether the estimate is there, and else has it waited for.
func (a *EstimateUpdater[S, E]) WaitEstimate() (tea.Cmd, bool) {
	if a.IsCurrent() {
		return nil, true
	}
	a.Entered = true
	if a.asking {
		return nil, false
	}
	return a.askEstimate(), false
}

// askEstimate gives up the estimate under way of another spec.
func (a *EstimateUpdater[S, E]) askEstimate() tea.Cmd {
	if a.stop != nil {
		a.stop()
	}
	if a.WhyNot() != "" {
		a.asking = false
		return nil
	}
	ctx, stop := context.WithCancel(a.Ctx)
	a.stop, a.asking = stop, true
	spec, seq := a.Spec(), a.asked
	return func() tea.Msg {
		defer stop()
		e, err := a.Estimate(ctx, spec)
		return estimated[S, E]{a, seq, e, err}
	}
}

// Update takes its messages, and reports whether an estimate has come that
// somebody waits for.
func (a *EstimateUpdater[S, E]) Update(msg tea.Msg) (cmd tea.Cmd, awaited bool) {
	switch msg := msg.(type) {
	case specRested[S, E]:
		if msg.of == a && msg.seq == a.asked {
			return a.askEstimate(), false
		}
	case estimated[S, E]:
		if msg.of == a && msg.seq == a.asked {
			a.asking, a.Latest, a.Err, a.got = false, msg.value, msg.err, msg.seq
			return nil, a.Entered
		}
	}
	return nil, false
}

// IsCurrent reports whether the estimate is of the spec as it is now.
func (a *EstimateUpdater[S, E]) IsCurrent() bool { return a.got > 0 && a.got == a.asked }

// DrawEstimate draw the estimate; none says so where there can be none.
func (a *EstimateUpdater[S, E]) DrawEstimate(t *widget.Theme, width int, none string, draw func(*widget.Sheet)) []string {
	note, why := "", a.WhyNot()
	if !a.IsCurrent() && why == "" {
		note = "estimating…"
	}
	s := &widget.Sheet{Theme: t, Width: width, Out: []string{t.DrawSection("Estimate", note, false, width)}}
	switch {
	case why != "":
		s.Out = append(s.Out, t.Faint.Render(none))
	case a.got == 0:
	case a.Err != nil:
		s.AddText(t.Bad.Render, "✗ "+a.Err.Error())
	default:
		draw(s)
	}
	return s.Out
}

// DrawForm draws a form: its head, its fields and what it says, with what a field
// can be below, and the estimate beside them where there is room, else below.
func DrawForm(t *widget.Theme, head string, width, height int, fields, estimate func(width int) []string, candidates func(width, height int) []string) []string {
	const least = 76 // width from which on the estimate stands beside the fields
	if width < least {
		return append(append([]string{head}, fields(width)...), estimate(width)...)
	}
	at := min(width*55/100, 90)
	left := fields(at)
	left = append(left, candidates(at, height-1-len(left))...)
	return append([]string{head}, t.DrawBeside(left, estimate(width-at-3), at, width, height-1)...)
}
