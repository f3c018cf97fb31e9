package server

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/session"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server/ssh"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/tui"
	"concord/tui/adjudicate"
	"concord/tui/annotation"
	"concord/tui/authoring"
	criteriascreen "concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/guideline"
	"concord/tui/home"
	"concord/tui/judging"
	"concord/tui/keymap"
	"concord/tui/label"
	"concord/tui/secondlook"
	"concord/tui/term"
	"concord/tui/vote"
	"concord/tui/widget"
	"concord/tui/workshop"
)

// calmest is the longest time until a guest's screen looks at what others have done: thirty
// people who label change something all the time. They would all look at the same
// moment, and whoever presses a key then would wait; each looks at a time of their own.
const calmest = 500 * time.Millisecond

// grace is about what a frame with an image takes, until a terminal that is slow shows it.
const grace = 60 * time.Millisecond

// Connection is one session: a person, their terminal, and what they did that is not yet stored.
type Connection struct {
	shared  *State
	Options ScreenOptions
	Saved   view.Writers
	copy    func(string) tea.Cmd
	local   bool                      // on the terminal of the process itself, which is stopped with it
	paint   func(tea.Model) tea.Model // nil: bubbletea paints the frames
	since   time.Time
	guest   *ssh.Terminal // nil: the process's own terminal
	id      uint64        // among the state's sessions, from 1

	recast chan struct{} // one-slot mark that somebody's role has changed
	again  *tui.Start    // where the app is to be opened again; nil: it has been left

	mu      sync.Mutex
	program *tea.Program       // nil before it runs and after
	who     annotate.Annotator // who works in it; "": nobody has said
	cancel  context.CancelFunc // ends it; nil before it runs, and of the process's own terminal
	ended   bool               // by an owner
}

// OpenConnection lets a session in. Whoever opens it closes it.
func (h *State) OpenConnection(o ScreenOptions) *Connection {
	st, now := h.st, h.app.Now
	v := &Connection{shared: h, Options: o, since: now(), recast: make(chan struct{}, 1)}
	// What it says of unsaved acts is about its own; the store commits those of all sessions together.
	v.Saved = view.Writers{Journal: session.NewJournal(st.Acts(), now), Criteria: criteria.NewWriter(st.Criteria().Append, now), Curation: curation.NewJournal(st.Curation().Append, now)}
	h.addConnection(v)
	return v
}

// Close stores what is left and leaves. What cannot be stored is kept in a file, which the error names.
func (v *Connection) Close() error {
	var all sync.WaitGroup
	var errs [3]error
	// What still waits is committed, for as long as that may take a slow disk.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for i, one := range []interface{ Close(context.Context) error }{v.Saved.Journal, v.Saved.Criteria, v.Saved.Curation} {
		all.Go(func() { errs[i] = one.Close(ctx) })
	}
	all.Wait()
	err := errors.Join(errs[0], errs[1], errs[2], v.writeUnsavedActs())
	v.shared.removeConnection(v)
	return err
}

// sendToScreen has the session's screen take a message; nobody waits for it.
func (v *Connection) sendToScreen(msg tea.Msg) {
	v.mu.Lock()
	p := v.program
	v.mu.Unlock()
	if p != nil {
		go p.Send(msg)
	}
}

// isOwner reports whether the person may do everything that is done to the project.
func (v *Connection) isOwner() bool {
	return !v.isRemote() || v.Options.role.May(annotate.MayManagePeople)
}

// isRemote reports whether the person came in from another machine, as somebody
// with a role: the files and the keys of this one are none of theirs.
func (v *Connection) isRemote() bool { return v.Options.role != annotate.RoleUnset }

// sendToOthers has all sessions but this one take a message.
func (v *Connection) sendToOthers(msg guideline.Written) {
	for _, o := range v.shared.Connections() {
		if o != v {
			o.sendToScreen(msg)
		}
	}
}

// setAnnotator notes who works in the session.
func (v *Connection) setAnnotator(who annotate.Annotator) {
	v.mu.Lock()
	v.who = who
	v.mu.Unlock()
	v.shared.moves.notifyListeners()
}

// rememberAnnotator has this machine remember who works on the project. What they were
// shown before they gave their name is theirs.
func (v *Connection) rememberAnnotator(who annotate.Annotator) error {
	v.setAnnotator(who)
	return errors.Join(v.shared.st.Disclosures().AssignName(context.Background(), who), v.shared.app.RememberName(who))
}

func (v *Connection) setProgram(p *tea.Program) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.program = p
}

// runScreenApp shows the app until its person leaves. What was being typed is kept, whatever ended it.
func (v *Connection) runScreenApp(ctx context.Context, session *term.Session, terminal []tea.ProgramOption) error {
	facts, forget := v.shared.facts.addMarkListener()
	defer forget()
	moves, forgetMoves := v.shared.moves.addMarkListener()
	defer forgetMoves()
	deps := v.NewAppDeps(ctx)
	deps.Changed, deps.Moved = facts, moves
	if v.guest != nil {
		deps.Calm = func() time.Duration { return calmest/2 + rand.N(calmest) }
	}
	m := tui.New(ctx, deps)
	p := v.newProgram(ctx, m, append(v.Options.Preferences.AddMouseOption(terminal), tea.WithContext(ctx)))
	v.setProgram(p)
	defer v.setProgram(nil)
	defer m.Close()
	go session.SendEarlyKeys(p.Send)
	if v.local {
		stops, done := context.WithCancel(ctx)
		defer done()
		term.HandleStopSignals(stops, p.Send, func() { v.saveBeforeStop(ctx) })
	}
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = cli.ErrInterrupted
	}
	if !errors.Is(err, tea.ErrProgramPanic) {
		m.KeepDraft() // it may have been ended from outside
	}
	return errors.Join(err, v.Options.pictures.Close())
}

// saveBeforeStop stores what the person did before the program is stopped, for
// as long as whoever stops it can be expected to wait.
func (v *Connection) saveBeforeStop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_ = v.Saved.Flush(ctx) // what fails waits, and the screen says so when it is seen again
}

// newProgram makes the program. A guest's must not take others with it when it
// breaks: what breaks in it is told to their terminal.
func (v *Connection) newProgram(ctx context.Context, m *tui.Model, options []tea.ProgramOption) *tea.Program {
	var shown tea.Model = m
	if v.paint != nil {
		shown = v.paint(m)
	}
	if v.guest == nil {
		return tea.NewProgram(shown, options...)
	}
	broke := func(panicked any) { v.guest.Go(func() { panic(panicked) }) }
	p := tea.NewProgram(guardedModel{shown, broke}, append(options, tea.WithoutCatchPanics())...)
	v.followSizeAndRole(ctx, p, m.CurrentStart)
	return p
}

// NewAppDeps gives what the app is made of, for this session.
func (v *Connection) NewAppDeps(ctx context.Context) tui.Deps {
	h, o := v.shared, &v.Options
	a, st := h.app, h.st
	theme := widget.NewTheme(cmp.Or(o.Preferences.Renderer, lipgloss.DefaultRenderer()))
	theme.KeepTextWeights()
	o.pictures.Manner.Cache = h.cache
	theme.Images = widget.NewImageRenderer(theme.Renderer, o.pictures.Manner)
	how := curating.NewSettings(a, o.Curate.Flags)
	read := how.NewFactSource(a.Err, st)
	candidates := view.Curation{Source: read, How: how, Policy: h.policies}
	shown := view.Samples{Source: read, Policy: h.policies, Now: a.Now, How: how}
	drawn := view.NewQueue{Project: a, Store: st, Made: h.scheduler.AdoptNewQueues}
	d := tui.Deps{
		Project: filepath.Base(a.Path), Synthetic: o.Synthetic || isSynthetic(st), Annotator: annotate.Annotator(o.As),
		Resend: o.pictures.ResendImagesFunc(), Hint: o.pictures.Hint,
		Theme: theme, Now: a.Now, Keys: o.Preferences.Keys, Role: o.role, Copy: v.copy,
		Search: view.Search{Store: st, Now: a.Now}, Commands: view.ListShellCommands(a.Tree(&project.Project{})),
		Runs:    view.Overview{Store: st, Live: a.Live, Policy: h.policies, Price: h.scheduler.PriceOf, Recounts: h.recounts},
		Report:  view.Reports{Source: curating.Source{Source: read, How: candidates.How}, Policy: h.policies, Cards: project.NewCardLookup(a), Writes: !v.isRemote()},
		Samples: shown, Pairs: view.Pairs{Samples: shown},
		Changed: h.scheduler.ChangeMarks(), Saver: v.Saved, Start: o.Start, Tour: o.Tour,
		Judging:  judging.Deps{Source: view.Judging{Control: h.judges, Store: st, Now: a.Now, Policy: h.policies}, Control: h.judges, Scheduler: h.judges},
		Criteria: criteriascreen.Deps{Source: view.NewCriteria(st), Writer: v.Saved.Criteria, Hidden: view.NewHiddenCriteriaSearch(st, h.policies), Quotas: o.Quotas},
		Curate:   curate.Deps{Source: candidates, Journal: v.Saved.Curation, Disagreements: o.Curate.Disagreements},
		Control:  h.scheduler, Scheduler: h.scheduler,
		Pairer: drawn, NewQueues: drawn, Guidelines: view.Guidelines{Queue: view.Queue{Store: st, Sync: h.AwaitActsStored, Pool: h.Pool}, Tell: v.sendToOthers}, Begin: view.Importer{Project: a, Store: st}, Connect: view.Endpoints{Project: a},
	}
	if v.isRemote() {
		d.Begin, d.Connect = nil, nil // they list folders, read files, and send keys to whatever server is named
	} else {
		d.Annotator, d.Remember, d.RoleOf = a.GivenOrRememberedName(o.As), v.rememberAnnotator, v.localRoleOf
		d.Hint = cmp.Or(v.formatGreeting(d.Annotator), d.Hint)
	}
	v.setAnnotator(d.Annotator)
	d.Pages = append(d.Pages, v.newSecondLookPage(), v.newAuthoringPage())
	if !v.isRemote() { // prompts are files beside the project
		d.Pages = append(d.Pages, newWorkshopPage(jobs.Workshop{Scheduler: h.scheduler}))
	}
	if v.isOwner() {
		d.Pages = append(d.Pages, newTeamPage(Team{h, v}))
	}
	v.addSessionScreens(ctx, &d, candidates)
	return d
}

// formatGreeting says where the project of the tour lies, and who is annotating where
// more than one person is known; "" where there is nothing to say.
func (v *Connection) formatGreeting(who annotate.Annotator) string {
	if v.Options.Tour != nil {
		return "the demo's project: " + v.shared.app.Path
	}
	heads, err := v.shared.st.Acts().Heads()
	if err != nil || who == "" || len(heads) < 2 && v.localRoleOf(who) == annotate.RoleUnset {
		return ""
	}
	role := v.localRoleOf(who)
	as := eval.Either(role != annotate.RoleUnset, ", "+role.String()+"; concord --unlock allows everything", "")
	return "annotating as " + string(who) + as + " (ctrl+w: switch user)"
}

// localRoleOf is the role that somebody has over SSH, which they have on this machine
// too, unless the owner unlocks; unset where they have none.
func (v *Connection) localRoleOf(who annotate.Annotator) annotate.Role {
	all, err := v.shared.st.People().List()
	p, ok := eval.FirstWanted(all, func(p annotate.Person) bool { return p.Name == who })
	if err != nil || !ok || v.shared.app.Screen.Unlocked {
		return annotate.RoleUnset
	}
	return eval.Either(p.Role == annotate.RoleNone, annotate.RoleAnnotator, p.Role) // none: they have no access elsewhere
}

// isAllowed reports whether somebody may do something here.
func (v *Connection) isAllowed(who annotate.Annotator, p annotate.Permission) bool {
	role := cmp.Or(v.Options.role, v.localRoleOf(who))
	return role == annotate.RoleUnset || role.May(p)
}

// addSessionScreens adds the screens on which a person works through a queue.
func (v *Connection) addSessionScreens(ctx context.Context, d *tui.Deps, candidates view.Curation) {
	h, o, theme := v.shared, &v.Options, d.Theme
	st, now, journal := h.st, h.app.Now, v.Saved.Journal
	work := func(by annotate.Annotator) view.Queue {
		return view.Queue{Store: st, Who: by, Sync: h.AwaitActsStored, Pool: h.Pool, Rulings: h.rulings, Policy: h.policies}
	}
	at := func(q annotate.QueueName, by annotate.Annotator) annotation.Deps {
		return annotation.Deps{
			Queue: q, Annotator: by, Theme: theme, Items: work(by), Pictures: st.Datasets(),
			Journal: journal, Now: now, Stay: o.Preferences.Stay, Grace: grace, Turns: h.turns,
		}
	}
	d.Review = func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
		return label.New(ctx, label.Deps{Deps: at(q, by), Revealer: view.Reveal{Store: st, Policy: h.policies, Who: by}, Apart: !v.isAllowed(by, annotate.MayAdjudicate)})
	}
	d.Votes = func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
		return vote.New(ctx, vote.Deps{Deps: at(q, by), Revealer: view.Reveal{Store: st, Policy: h.policies, Who: by}})
	}
	d.Compare = func(q annotate.QueueName, by annotate.Annotator) tui.Screen {
		if queue, err := st.Queues().Queue(q); err == nil && queue.Rule.From == annotate.FromCriteria {
			contested := at(q, by)
			contested.Items = &view.Contested{Queue: work(by)}
			return label.New(ctx, label.Deps{Deps: contested, Revealer: view.Reveal{Store: st, Policy: h.policies, Who: by}, Rules: true})
		}
		return adjudicate.New(ctx, adjudicate.Deps{
			Deps: at(q, by), Curated: candidates.CountDisagreements, Claim: work(by).ClaimAdjudication,
			Source: view.Disagreements{Samples: view.Samples{Source: facts.NewSource(st), Policy: h.policies, Now: now, How: candidates.How}},
		})
	}
}

func (v *Connection) newSecondLookPage() tui.Page {
	h := v.shared
	source := view.Review{SecondLook: view.SecondLook{Store: h.st, Pool: h.Pool, Sync: h.AwaitActsStored, Now: h.app.Now}, Policy: h.policies}
	return tui.Page{
		Message: secondlook.Open{}, Key: keymap.Runs.BindAction("second_look"), Tab: tui.TabReview, May: annotate.MayLabel, Whose: "who labels",
		Name: "Second look", Words: "flags notes comments disagreements gold resolve exclude", Hint: "flags, notes, comments, disagreements",
		New: func(ctx context.Context, at tui.Opening) tui.Screen {
			source := source
			source.Decides, source.Writes = v.isAllowed(at.Who, annotate.MayExclude), v.isAllowed(at.Who, annotate.MayWriteCriteria)
			return secondlook.New(ctx, secondlook.Deps{Theme: at.Theme, Source: source, Who: at.Who, Decides: source.Decides, Now: at.Now})
		},
	}
}

func (v *Connection) newAuthoringPage() tui.Page {
	source := view.Authoring{Store: v.shared.st, Local: !v.isRemote()}
	return tui.Page{
		Message: authoring.Open{}, Key: keymap.Runs.BindAction("write_samples"), Tab: tui.TabCriteria, May: annotate.MayWriteCriteria, Whose: "curators and owners",
		Name: "Write samples", Words: "author multiple choice question dataset translation", Hint: "multiple-choice samples, written and reviewed here",
		New: func(ctx context.Context, at tui.Opening) tui.Screen {
			open, _ := at.Message.(authoring.Open)
			return authoring.New(ctx, authoring.Deps{Dataset: open.Dataset, Theme: at.Theme, Source: source, Who: at.Who, Now: at.Now})
		},
	}
}

// newWorkshopPage gives the page on which prompts of judges are tried.
func newWorkshopPage(source workshop.Source) tui.Page {
	return tui.Page{
		Message: home.OpenWorkshop{}, May: annotate.MayRun, Whose: "the owner",
		Name: "Judge workshop", Words: "prompt tune align promote candidate held-out development", Hint: "prompts of a judge, tried on a queue's labels",
		New: func(ctx context.Context, at tui.Opening) tui.Screen {
			q, _ := at.Message.(home.OpenWorkshop)
			return workshop.New(ctx, workshop.Deps{Theme: at.Theme, Source: source, Queue: q.Queue, Who: at.Who, Now: at.Now})
		},
	}
}

// guardedModel is an app whose commands hurt nobody else when they panic: bubbletea runs each
// in a goroutine, whose panic would end the process, or be printed on the terminal of whoever
// started it. Panics of Update and View come to whoever runs the program.
type guardedModel struct {
	tea.Model
	broke func(panicked any)
}

func (g guardedModel) Init() tea.Cmd { return g.catchPanicsOf(g.Model.Init()) }

func (g guardedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := g.Model.Update(msg)
	g.Model = m
	return g, g.catchPanicsOf(cmd)
}

func (g guardedModel) catchPanicsOf(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = nil
				g.broke(p)
			}
		}()
		return g.catchPanicsInBatch(cmd())
	}
}

// catchPanicsInBatch guards the commands that a message is made of: those of tea.Batch and
// of tea.Sequence, whose message has no name outside of its package.
func (g guardedModel) catchPanicsInBatch(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	for i := range v.Len() {
		v.Index(i).Set(reflect.ValueOf(g.catchPanicsOf(v.Index(i).Interface().(tea.Cmd))))
	}
	return msg
}
