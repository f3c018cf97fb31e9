package form

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// Phase is what a form that starts a job waits for.
type Phase uint8

// The phases.
const (
	Editing    Phase = iota
	Differing        // how to deal with a job that has other settings
	Confirming       // the cost is to be confirmed
	Starting         // the job is being made
)

// JobForm is a form in which a job is put together. It stays as it is when it is
// left, and is there again when the next job is wanted.
//
//	key --> field --> EstimateUpdater --(rest)--> Estimate
//	enter --> why not? --> estimate --> what it costs --> start
type JobForm[S, E any] struct {
	EstimateUpdater[S, E]
	Fields func() []Field
	Read   func() tea.Cmd                         // reads what the fields can be
	Empty  func() bool                            // there is nothing to make a job of
	Start  func() tea.Cmd                         // starts the job, unless something is to be said before
	Edit   func(f *Field, msg tea.KeyMsg) tea.Cmd // takes a key for the field in front; nil: the field does
	Forget func()                                 // forgets what was decided on what stood there before; nil: nothing was

	Phase   Phase
	Loaded  bool   // the choices were read
	Trouble string // why they could not be, or the job not be started
	At      int    // of the fields
}

// CurrentField is the one that keys go to.
func (s *JobForm[S, E]) CurrentField() *Field { return &s.Fields()[s.At] }

// Reset goes back to editing: whatever was decided on is decided anew.
func (s *JobForm[S, E]) Reset() {
	s.Entered = false
	if s.Phase != Starting {
		s.Phase = Editing
	}
	if s.Forget != nil {
		s.Forget()
	}
}

// CloseInner leaves what is open within the form, and reports whether there was any.
func (s *JobForm[S, E]) CloseInner() bool {
	switch {
	case s.Phase == Differing || s.Phase == Confirming || s.Entered:
		s.Reset()
		return true
	case s.Phase == Starting:
		return false
	}
	return s.CurrentField().ClearFilter()
}

// Update takes the messages of the estimate, and starts with one that was waited for.
func (s *JobForm[S, E]) Update(msg tea.Msg) tea.Cmd {
	cmd, awaited := s.EstimateUpdater.Update(msg)
	if awaited {
		return s.Start()
	}
	return cmd
}

// FillChoices has the choices that were read filled in, or says why they were not.
func (s *JobForm[S, E]) FillChoices(err error, fill func()) tea.Cmd {
	if err != nil {
		s.Trouble = err.Error()
		return nil
	}
	s.Loaded, s.Trouble = true, ""
	fill()
	if s.Empty() {
		return nil
	}
	return s.EstimateNow()
}

// HandleStarted goes back to editing once the job was started; where it could not be, the form says why.
func (s *JobForm[S, E]) HandleStarted(what string, err error) tea.Cmd {
	s.Phase, s.Trouble = Editing, ""
	s.Reset()
	if err == nil {
		return nil
	}
	s.Trouble = err.Error()
	return tea.Batch(widget.NotifyCmd(widget.Problem, "start the "+what+": "+err.Error()), s.EstimateNow())
}

// advanceToStart goes on towards the start, once nothing speaks against it and the estimate is there.
func (s *JobForm[S, E]) advanceToStart() tea.Cmd {
	switch {
	case s.Phase == Starting:
		return nil
	case s.Empty():
		s.Trouble = ""
		return s.Read()
	}
	if why := s.WhyNot(); why != "" {
		return widget.NotifyCmd(widget.Info, why)
	}
	if cmd, there := s.AwaitEstimate(); !there {
		return cmd
	}
	return s.Start()
}

// HandleKey takes a key that starts the job, that goes to another field, or that changes the one in front.
func (s *JobForm[S, E]) HandleKey(k *Keys, msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, k.Start):
		return s.advanceToStart()
	case s.Phase == Starting || s.Empty():
		return nil
	}
	before, at, n := s.Spec(), s.CurrentField(), len(s.Fields())
	s.Phase = Editing // another key is no yes
	switch {
	case key.Matches(msg, k.Up):
		at.EndTyping()
		s.At = (s.At + n - 1) % n
		return nil
	case key.Matches(msg, k.Down):
		at.EndTyping()
		s.At = (s.At + 1) % n
		return nil
	case at.Off != "":
		return widget.NotifyCmd(widget.Info, at.Label+": "+at.Off)
	}
	var said tea.Cmd
	if s.Edit != nil {
		said = s.Edit(at, msg)
	} else {
		at.HandleKey(msg)
	}
	cmd := s.EstimateIfChanged(before)
	if cmd != nil { // what was decided on the former one is forgotten
		s.Reset()
		s.Trouble = ""
	}
	return tea.Batch(said, cmd)
}

// DrawRemark draws what the form has to say: what is to be confirmed, why it cannot
// be, what the field in front means, or a doubt.
func (s *JobForm[S, E]) DrawRemark(t *widget.Theme, width int, confirm, hint, doubt string) []string {
	style, text := t.Faint.Render, hint
	switch why := s.WhyNot(); {
	case s.Phase == Starting:
		style, text = t.Accent.Render, "starting…"
	case s.Phase == Confirming:
		style, text = t.Warn.Render, confirm+" enter starts it, esc does not."
	case s.Entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case s.Trouble != "":
		style, text = t.Bad.Render, "✗ "+s.Trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case hint == "" && doubt != "":
		style, text = t.Warn.Render, "! "+doubt
	}
	return WrapThreeLines(width, style, text)
}

// BlankDrawer draws what stands in place of a form that nothing can be made in yet.
type BlankDrawer struct {
	Theme *widget.Theme
	Width int
	Out   []string
}

// AddText adds a text in lines.
func (d *BlankDrawer) AddText(text string) { d.addStyled(d.Theme.Text.Render, text) }

func (d *BlankDrawer) addStyled(style func(...string) string, text string) {
	d.Out = append(d.Out, eval.Map(widget.WrapText(text, max(1, d.Width-4)), func(l string) string { return "  " + style(l) })...)
}

// AddTroubles adds what went wrong; "" is nothing.
func (d *BlankDrawer) AddTroubles(all ...string) {
	for _, s := range all {
		if s != "" {
			d.addStyled(d.Theme.Bad.Render, "✗ "+s)
			d.Out = append(d.Out, "")
		}
	}
}

// AddKeyAndFinish adds a key and what it does, and gives all lines.
func (d *BlankDrawer) AddKeyAndFinish(key, does string) []string {
	d.Out = append(d.Out, "  "+d.Theme.Key.Render(key)+d.Theme.KeyText.Render(" "+does))
	return d.Out
}

// DrawCandidates lists the names that the field in front can have; list gives the
// columns and the cells of those at some places.
func (s *JobForm[S, E]) DrawCandidates(t *widget.Theme, width, height int, list func(f *Field, places []int) widget.Table) []string {
	f := s.CurrentField()
	if f.Pick == nil || height < 3 {
		return nil
	}
	places, at := f.Pick.MatchingPlaces()
	table := list(f, places)
	table.Rows = len(places)
	table.Cursor.MoveTo(at, len(places), height-2)
	return append([]string{""}, t.DrawTable(table, width, height-1)...)
}

// CheckMark tells whether a name is taken in; "" of a field that takes none.
func (f *Field) CheckMark(name string) string {
	switch {
	case f.Taken == nil:
		return ""
	case slices.Contains(*f.Taken, name):
		return "[x]"
	}
	return "[ ]"
}

// rest is how long a form must be left alone before an estimate of it is worth its while.
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

// EstimateIfChanged asks for an estimate in a while when the spec has changed; else there is no command.
func (a *EstimateUpdater[S, E]) EstimateIfChanged(before S) tea.Cmd {
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
	return a.startEstimate()
}

// AwaitEstimate reports whether the estimate is there, and else has it waited for.
func (a *EstimateUpdater[S, E]) AwaitEstimate() (tea.Cmd, bool) {
	if a.HasCurrentEstimate() {
		return nil, true
	}
	a.Entered = true
	if a.asking {
		return nil, false
	}
	return a.startEstimate(), false
}

// startEstimate gives up the estimate under way of another spec.
func (a *EstimateUpdater[S, E]) startEstimate() tea.Cmd {
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

// Update takes its messages, and reports whether an estimate has come that somebody waits for.
func (a *EstimateUpdater[S, E]) Update(msg tea.Msg) (cmd tea.Cmd, awaited bool) {
	switch msg := msg.(type) {
	case specRested[S, E]:
		if msg.of == a && msg.seq == a.asked {
			return a.startEstimate(), false
		}
	case estimated[S, E]:
		if msg.of == a && msg.seq == a.asked {
			a.asking, a.Latest, a.Err, a.got = false, msg.value, msg.err, msg.seq
			return nil, a.Entered
		}
	}
	return nil, false
}

// HasCurrentEstimate reports whether the estimate is of the spec as it is now.
func (a *EstimateUpdater[S, E]) HasCurrentEstimate() bool { return a.got > 0 && a.got == a.asked }

// DrawEstimate draw the estimate; none says so where there can be none.
func (a *EstimateUpdater[S, E]) DrawEstimate(t *widget.Theme, width int, none string, draw func(*widget.Sheet)) []string {
	note, why := "", a.WhyNot()
	if !a.HasCurrentEstimate() && why == "" {
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
	left = t.AddLegendBelow(left, at, height-1)
	return append([]string{head}, t.DrawBeside(left, estimate(width-at-3), at, width, height-1)...)
}
