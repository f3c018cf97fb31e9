package annotation

import (
	"cmp"
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Action is one thing that keys of a screen M do. Footer, help page and
// handling all come from the table of these, so that none can promise what
// another does not do.
type Action[M any] struct {
	Group   string
	Modes   []Mode
	Bind    key.Binding
	Records bool             // it records something on the item in front
	Foot    Rank             // its place in the footer
	Why     func(m M) string // why it cannot be done now; "" when it can
	Do      func(m M, key string) tea.Cmd
}

// Rank is how early a key stands in the footer; what does not fit is left out
// from the end. The zero value is not there at all.
type Rank uint8

// The ranks.
const (
	Unranked Rank = iota
	First
	Second
	Third
	Fourth
	Fifth
)

// Roomy is the width from which the footer has room for keys of the fifth
// rank and for the way back.
const Roomy = 120

// Bound is a binding with its place in the footer.
type Bound struct {
	key.Binding
	Foot Rank
}

// At gives a binding its place.
func At(foot Rank, b key.Binding) Bound { return Bound{Binding: b, Foot: foot} }

// Outcome is what came of a key.
type Outcome struct {
	Found   bool // it has a meaning in this mode
	Known   bool // it has one in some mode
	Refusal string
	Cmd     tea.Cmd
}

// Table is all that a screen's keys do.
type Table[M any] []Action[M]

// blocked is why an action cannot be done now.
func (a *Action[M]) blocked(m M) string {
	if a.Why == nil {
		return ""
	}
	return a.Why(m)
}

// Press does what a key means in a mode.
func (t Table[M]) Press(m M, mode Mode, name string) (o Outcome) {
	for i := range t {
		a := &t[i]
		if !slices.Contains(a.Bind.Keys(), name) {
			continue
		}
		o.Known = true
		if !slices.Contains(a.Modes, mode) {
			continue
		}
		o.Found = true
		if o.Refusal = a.blocked(m); o.Refusal == "" {
			o.Cmd = a.Do(m, name)
		}
		return o
	}
	return o
}

// Records reports whether a key would record something in a mode.
func (t Table[M]) Records(mode Mode, name string) bool {
	for i := range t {
		if a := &t[i]; slices.Contains(a.Bind.Keys(), name) && slices.Contains(a.Modes, mode) {
			return a.Records
		}
	}
	return false
}

// Footer is what can be done now, the most important first. ranked is an
// action's place now, named its binding as it is shown.
func (t Table[M]) Footer(m M, mode Mode, width int, ranked func(key.Binding, Rank) Rank, named func(key.Binding) key.Binding) []key.Binding {
	type place struct {
		at   int
		rank Rank
	}
	shown := make([]place, 0, len(t))
	for i := range t {
		a := &t[i]
		if a.Foot == Unranked || !slices.Contains(a.Modes, mode) || a.blocked(m) != "" {
			continue
		}
		if rank := ranked(a.Bind, a.Foot); width >= Roomy || rank != Fifth {
			shown = append(shown, place{i, rank})
		}
	}
	slices.SortStableFunc(shown, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]key.Binding, 0, len(shown)+1)
	for _, p := range shown {
		out = append(out, named(t[p.at].Bind))
	}
	if mode == Noting || mode == Explaining { // the root's keys are off
		out = append(out, widget.Bind("esc", "keep it too", "esc"))
	}
	return out
}

// Help is the page of all keys that the reading mode has, by group, and of
// those of a picture on the whole screen.
func (t Table[M]) Help(m M, named func(key.Binding) key.Binding, groups ...string) []widget.Group {
	var out []widget.Group
	for _, title := range groups {
		g := widget.Group{Title: title}
		for i := range t {
			a := &t[i]
			if a.Group != title || title != FullGroup && !slices.Contains(a.Modes, Reading) {
				continue
			}
			g.Keys = append(g.Keys, widget.Able(named(a.Bind), a.blocked(m)))
		}
		out = append(out, g)
	}
	return out
}

// Reveal is what is shown of the item in front once the person has answered it:
// an R, such as what machines read in it. The zero What is there until Done.
type Reveal[R any] struct {
	*State
	ctx  context.Context
	work *Work
	of   annotate.ItemKey

	Done bool
	What R
	Err  error // why it cannot be shown
}

// Reveals opens and closes what is shown after the person's own answer.
func Reveals[M any](at keymap.Place, why func(M) string, toggle func(M, string) tea.Cmd) Table[M] {
	return Table[M]{
		Recording(On(ViewsGroup, []Mode{Reading}, At(Second, at.Bind("reveal")), why, toggle)),
		Recording(On(ViewsGroup, []Mode{Revealed}, At(First, at.Join("hide", "reveal")), nil, toggle)),
	}
}

// revealed is what was loaded.
type revealed[R any] struct {
	of   *Reveal[R]
	key  annotate.ItemKey
	what R
	err  error
}

// NewReveal makes that of a session. Nothing is shown yet.
func NewReveal[R, B any](s *QueueSession[B]) *Reveal[R] {
	return &Reveal[R]{State: s.State, ctx: s.ctx, work: s.Work}
}

// Toggle closes it, or opens it: ask is the session's word on whether it may be
// shown, the act that says so, and what loads it. The session refuses before the
// person's own answer, whatever the screen thinks.
func (r *Reveal[R]) Toggle(ask func(annotate.ItemKey) (look annotate.Act, load func() (R, error), err error)) tea.Cmd {
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
	r.Forget()
	r.Mode, r.of = Revealed, k
	return show(r.ctx, r.work, look, load, func(what R, err error) tea.Msg { return revealed[R]{r, k, what, err} })
}

// Forget takes away what was shown: another item is in front.
func (r *Reveal[R]) Forget() {
	var none R
	r.of, r.Done, r.What, r.Err = annotate.ItemKey{}, false, none, nil
}

// Update takes what was loaded. What belongs to an item that is not in front any
// more is left.
func (r *Reveal[R]) Update(msg tea.Msg) {
	if msg, ok := msg.(revealed[R]); ok && msg.of == r && r.Mode == Revealed && msg.key == r.of {
		r.Done, r.What, r.Err = true, msg.what, msg.err
	}
}

// Show loads what is shown only after the person's own answer. Nothing is
// loaded before it is stored that it was shown: look is that act, with no N
// when an earlier one is stored. got makes the message of it.
func Show[B, R any](s *QueueSession[B], look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	return show(s.ctx, s.Work, look, load, got)
}

func show[R any](ctx context.Context, w *Work, look annotate.Act, load func() (R, error), got func(R, error) tea.Msg) tea.Cmd {
	if look.N != 0 {
		w.Submit(look)
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
