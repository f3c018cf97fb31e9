package main

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/session"
	"concord/cmd/concord/gate"
	"concord/store"
	"concord/tui"
	"concord/tui/adjudicate"
	criteriascreen "concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/guideline"
	"concord/tui/judging"
	"concord/tui/label"
	"concord/tui/term"
	"concord/tui/vote"
	"concord/tui/widget"
)

// calm is how long it takes until a guest's screen looks at what others have done:
// thirty people who label change something all the time. They would all look at
// the same moment, and whoever presses a key then would wait for all of them; each
// looks at a time of their own.
func calm() time.Duration { return calmest/2 + rand.N(calmest) }

const calmest = 500 * time.Millisecond

// grace is about what a frame takes, on a terminal that is slow.
const grace = 25 * time.Millisecond

// visit is one session in the hall: a person, their terminal, and what they did
// that is not yet stored.
type visit struct {
	hall  *hall
	o     screenOptions
	saved savers
	copy  func(string) tea.Cmd
	local bool                      // on the terminal of the process itself, which is stopped with it
	paint func(tea.Model) tea.Model // nil: bubbletea paints the frames
	since time.Time
	guest *gate.Terminal // nil: the process's own terminal
	id    uint64         // among the hall's sessions, from 1

	recast chan struct{} // one-slot mark that somebody's role has changed
	again  *tui.Start    // where the app is to be opened again; nil: it has been left

	mu      sync.Mutex
	program *tea.Program       // nil before it runs and after
	who     annotate.Annotator // who works in it; "": nobody has said
	cancel  context.CancelFunc // ends it; nil before it runs, and of the process's own terminal
	ended   bool               // by an owner
}

// visit lets a session into the hall. Whoever opens it closes it.
func (h *hall) visit(o screenOptions) *visit {
	v := &visit{hall: h, o: o, saved: newSavers(h.st, h.app.now), since: h.app.now(), recast: make(chan struct{}, 1)}
	h.enter(v)
	return v
}

// newSavers are the writers of one session: what it says of unsaved acts is
// about its own, and the store commits those of all sessions together.
func newSavers(st *store.Store, now func() time.Time) savers {
	return savers{session.NewJournal(st.Acts(), now), criteria.NewWriter(st.Criteria(), now), curation.NewJournal(st.Curation(), now)}
}

// close stores what is left and leaves the hall.
func (v *visit) close() error {
	a := v.hall.app
	err := errors.Join(closeJournal(a, v.saved.journal), closeJournal(a, v.saved.criteria), closeJournal(a, v.saved.curation))
	v.hall.leave(v)
	return err
}

// send has the session's screen take a message; nobody waits for it.
func (v *visit) send(msg tea.Msg) {
	v.mu.Lock()
	p := v.program
	v.mu.Unlock()
	if p != nil {
		go p.Send(msg)
	}
}

// owns reports whether the person may do everything that is done to the project.
func (v *visit) owns() bool { return !v.elsewhere() || v.o.role.Owns() }

// elsewhere reports whether the person came in from another machine, as somebody
// with a role: the files and the keys of this one are none of theirs.
func (v *visit) elsewhere() bool { return v.o.role != annotate.RoleUnset }

// tellOthers has all sessions but this one take a message.
func (v *visit) tellOthers(msg guideline.Written) {
	for _, o := range v.hall.here() {
		if o != v {
			o.send(msg)
		}
	}
}

// named notes who works in the session.
func (v *visit) named(who annotate.Annotator) {
	v.mu.Lock()
	v.who = who
	v.mu.Unlock()
	v.hall.moves.mark()
}

// remember has this machine remember who works on the project.
func (v *visit) remember(who annotate.Annotator) error {
	v.named(who)
	return v.hall.app.remember(who)
}

func (v *visit) show(p *tea.Program) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.program = p
}

// run shows the app until its person leaves. What was being typed is kept,
// whatever ended it.
func (v *visit) run(ctx context.Context, session *term.Session, terminal []tea.ProgramOption) error {
	facts, forget := v.hall.facts.listen()
	defer forget()
	moves, forgetMoves := v.hall.moves.listen()
	defer forgetMoves()
	deps := v.deps(ctx)
	deps.Changed, deps.Moved = facts, moves
	if v.guest != nil {
		deps.Calm = calm
	}
	m := tui.New(ctx, deps)
	p := v.newProgram(ctx, m, append(v.o.taste.options(terminal), tea.WithContext(ctx)))
	v.show(p)
	defer v.show(nil)
	defer m.Close()
	go session.Type(p.Send)
	if v.local {
		stops, done := context.WithCancel(ctx)
		defer done()
		term.Stops(stops, p.Send, func() { v.saveBeforeStop(ctx) })
	}
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = errInterrupted
	}
	if !errors.Is(err, tea.ErrProgramPanic) {
		m.Keep() // it may have been ended from outside
	}
	return errors.Join(err, v.o.pictures.close())
}

// saveBeforeStop stores what the person did before the program is stopped, for
// as long as whoever stops it can be expected to wait.
func (v *visit) saveBeforeStop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_ = v.saved.Flush(ctx) // what fails waits, and the screen says so when it is seen again
}

// newProgram makes the program. A guest's must not take others with it when it
// breaks: what breaks in it is told to their terminal.
func (v *visit) newProgram(ctx context.Context, m *tui.Model, options []tea.ProgramOption) *tea.Program {
	var shown tea.Model = m
	if v.paint != nil {
		shown = v.paint(m)
	}
	if v.guest == nil {
		return tea.NewProgram(shown, options...)
	}
	broke := func(panicked any) { v.guest.Go(func() { panic(panicked) }) }
	p := tea.NewProgram(guarded{shown, broke}, append(options, tea.WithoutCatchPanics())...)
	v.follow(ctx, p, m.Where)
	return p
}

// deps is what the app is made of, for this session.
func (v *visit) deps(ctx context.Context) tui.Deps {
	h, o := v.hall, &v.o
	a, st := h.app, h.st
	theme := widget.NewTheme(cmp.Or(o.taste.renderer, lipgloss.DefaultRenderer()))
	o.pictures.manner.Album = h.album
	theme.Easel = widget.NewEasel(theme.Renderer, o.pictures.manner)
	candidates := curator{st, newCurating(a, o.curate.flags)}
	d := tui.Deps{
		Project: filepath.Base(a.path), Synthetic: o.synthetic || synthetic(st), Annotator: annotate.Annotator(o.as),
		Resend: o.pictures.resend(), Hint: o.pictures.hint,
		Theme: theme, Now: a.now, Keys: o.taste.keys, Role: o.role, Copy: v.copy,
		Finder: finder{st, a.now}, Commands: commands(a.tree(&app{})),
		Runs:    homeView{st, h.starter.live, h.veils, h.starter.price},
		Report:  figures{facts{st}, h.veils, modelCards(a), candidates.how},
		Samples: specimens{facts{st}, h.veils, a.now, candidates.how}, Pairs: bouts{facts{st}, h.veils, a.now},
		Changed: h.starter.Changed(), Saver: v.saved, Start: o.start, Tour: o.tour,
		Duels:    judging.Deps{Source: verdicts{h.judges, h.veils}, Control: h.judges, Starter: h.judges},
		Criteria: criteriascreen.Deps{Source: writing{st}, Writer: v.saved.criteria, Hidden: unshown(st, h.veils), Quotas: o.quotas},
		Curate:   curate.Deps{Source: candidates, Journal: v.saved.curation, Settle: o.curate.settle, Apart: !o.settles()},
		Control:  h.starter, Starter: h.starter,
		Pairer: pairer{a, st}, Enrol: enroller{a, st, h.starter.adopt}, Guidelines: guides{st, desk{st, h.sync, h.floor}, v.tellOthers}, Begin: beginner{a, st}, Connect: connector{a},
	}
	if v.elsewhere() {
		d.Begin, d.Connect = nil, nil // they list folders, read files, and send keys to whatever server is named
	} else {
		d.Annotator, d.Remember = a.whoWorks(o.as), v.remember
	}
	v.named(d.Annotator)
	if v.owns() {
		d.People = crew{h, v}
	}
	v.sittings(ctx, &d, candidates)
	return d
}

// sittings are the screens on which a person works through a queue.
func (v *visit) sittings(ctx context.Context, d *tui.Deps, candidates curator) {
	h, o, theme := v.hall, &v.o, d.Theme
	st, now, journal := h.st, h.app.now, v.saved.journal
	work := desk{st, h.sync, h.floor}
	d.Review = func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
		return label.New(ctx, label.Deps{
			Queue: q, Annotator: by, Theme: theme, Items: work, Pictures: st.Datasets(),
			Revealer: revealer{st, h.veils, by}, Journal: journal, Now: now, Stay: o.taste.stay, Grace: grace, Turns: h.turns,
			Apart: !o.settles(),
		})
	}
	d.Votes = func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
		return vote.New(ctx, vote.Deps{
			Queue: q, Annotator: by, Theme: theme, Items: work, Pictures: st.Datasets(),
			Unmasker: unmasker{st, h.veils, by}, Journal: journal, Now: now, Stay: o.taste.stay, Grace: grace, Turns: h.turns,
		})
	}
	d.Compare = func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
		return adjudicate.New(ctx, adjudicate.Deps{
			Queue: q, Annotator: by, Theme: theme, Items: work, Pictures: st.Datasets(),
			Source: contested{specimens{facts{st}, h.veils, now, candidates.how}}, Journal: journal, Now: now,
			Curated: candidates.Curated,
		})
	}
}
