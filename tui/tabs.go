package tui

import (
	"cmp"
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/judging"
	"concord/tui/report"
	"concord/tui/widget"
)

// tabScreens are the screens that stay as long as the app does, and the ways to them.
type tabScreens struct {
	nav       *screenStacks
	runs      *home.Model
	queues    *queueList
	report    *report.Model
	criteria  *criteria.Model
	curate    *curate.Model
	judging   *judging.Model     // seen when it was asked for
	saver     Saver              // nil: nothing is ever unsaved
	acts      int                // stored when the report was seen last
	comparing Screen             // what was opened last to compare a queue; nil: nothing
	compared  annotate.QueueName // the queue that it compares
	follow    func()             // makes what the role of the person decides anew
}

func newTabScreens(ctx context.Context, d *Deps, nav *screenStacks) *tabScreens {
	s := &tabScreens{nav: nav, saver: d.Saver}
	s.runs = home.New(ctx, d.Theme, home.Deps{Import: d.Begin != nil, Links: d.pageLinks(), Source: d.Runs, Control: d.Control, Scheduler: d.Scheduler, Now: d.Now, Jobs: d.Judging.Source, JobControl: d.Judging.Control})
	d.Judging.Theme, d.Judging.Now = d.Theme, d.Now
	s.judging = judging.New(ctx, d.Judging)
	s.queues = &queueList{ctx: ctx, theme: d.Theme, source: d.Runs, name: d.Theme.NewNamePrompt("each of your labels and votes, and keeps your place in every queue.")}
	s.report = report.New(ctx, d.Theme, d.Report, d.Now)
	d.Criteria.Theme, d.Criteria.Now = d.Theme, d.Now
	s.criteria = criteria.New(ctx, d.Criteria)
	s.criteria.OpenDataset(d.Start.Dataset)
	d.Curate.Theme, d.Curate.Now = d.Theme, d.Now
	nav.stacks = [tabCount][]Screen{TabRuns: {s.runs}, TabReview: {s.queues}, TabReport: {s.report}, TabCriteria: {s.criteria}}
	s.follow = func() {
		s.queues.role = nav.can.effectiveRole()
		d.Curate.Apart, d.Curate.Only = !nav.can.allows(annotate.MayAdjudicateCuration), !nav.can.allows(annotate.MayCurate)
		s.curate = curate.New(ctx, d.Curate)
		s.curate.OpenDataset(d.Start.Dataset)
		s.curate.SetAnnotator(s.queues.who)
		s.curate.Resize(nav.width, nav.height)
		nav.stacks[TabCurate] = []Screen{s.curate}
		nav.setKeySpelling(s.curate)
	}
	s.follow()
	for first := range nav.eachScreen {
		nav.setKeySpelling(first)
	}
	return s
}

// noteScreenLeft is told of each screen that is left: what was imported makes the report new.
func (s *tabScreens) noteScreenLeft(screen Screen) {
	if i, ok := screen.(*importer.Model); ok && i.HasImported() {
		s.report.MarkStale()
	}
}

func (s *tabScreens) showTab(t Tab) tea.Cmd {
	if !s.nav.can.hasTab(t) {
		return notifyNotAllowed("another role")
	}
	s.nav.tab = t
	switch s.nav.topScreen() {
	case Screen(s.queues):
		return s.queues.enterForQueue("")
	case Screen(s.report):
		s.noteStoredActs()
		return s.report.Enter()
	case Screen(s.criteria):
		return s.criteria.Enter()
	case Screen(s.curate):
		return s.curate.Enter()
	}
	return s.nav.topScreen().Refresh()
}

// jumpToTab goes to a tab by its key: from a queue that is being labelled or compared, the report is
// the one of how far the machine's reading of it can be trusted.
func (s *tabScreens) jumpToTab(t Tab) tea.Cmd {
	if !s.nav.can.hasTab(t) {
		return notifyNotAllowed("another role")
	}
	if t == TabReport && s.comparing != nil && s.nav.topScreen() == s.comparing {
		return s.showReport(0, s.compared)
	}
	if t == TabReport && s.nav.tab == TabReview && len(s.nav.openStack()) > 1 {
		if slices.ContainsFunc(s.queues.all, func(q home.Queue) bool { return q.Name == s.queues.queue && isPairs(q) }) {
			return s.showAgreement(s.queues.queue)
		}
		return s.showReport(0, s.queues.queue)
	}
	return s.showTab(t)
}

// enterReport goes to the report, whatever is open there.
func (s *tabScreens) enterReport() {
	s.nav.tab = TabReport
	s.nav.closeToFirst()
	s.noteStoredActs()
}

func (s *tabScreens) showReport(run eval.RunID, queue annotate.QueueName) tea.Cmd {
	if !s.nav.can.hasTab(TabReport) {
		return notifyNotAllowed("the adjudicators")
	}
	s.enterReport()
	return s.report.ShowRunOrQueue(run, queue)
}

// showAgreement goes to how far judges and people vote alike on a queue of pairs.
func (s *tabScreens) showAgreement(queue annotate.QueueName) tea.Cmd {
	if !s.nav.can.hasTab(TabReport) {
		return notifyNotAllowed("the adjudicators")
	}
	s.enterReport()
	return s.report.ShowAgreement(queue)
}

// noteStoredActs tells the report of acts that were stored since it was seen last: the
// mark of background news is of runs only.
func (s *tabScreens) noteStoredActs() {
	if s.saver == nil {
		return
	}
	if n := s.saver.State().Saved; n != s.acts {
		s.acts = n
		s.report.MarkStale()
	}
}

// closeTopAndRefresh leaves the screen that is seen, and reports whether there is one under it.
func (s *tabScreens) closeTopAndRefresh() (tea.Cmd, bool) {
	if !s.nav.closeTopScreen() {
		return nil, false
	}
	if s.nav.topScreen() == Screen(s.queues) {
		return s.queues.readQueues(), true
	}
	return s.nav.topScreen().Refresh(), true
}

// broadcastMessage hands a message to every screen: an answer may come after its
// screen has been left, and each knows its own.
func (s *tabScreens) broadcastMessage(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for screen := range s.nav.eachScreen {
		cmds = append(cmds, screen.Update(msg))
	}
	if !slices.Contains(s.nav.stacks[TabRuns], Screen(s.judging)) {
		cmds = append(cmds, s.judging.Update(msg)) // it comes again, with its form as it was
	}
	return tea.Batch(cmds...)
}

func (s *tabScreens) setAnnotator(who annotate.Annotator) {
	s.runs.SetAnnotator(who)
	s.queues.setAnnotator(who)
	s.report.SetAnnotator(who)
	s.judging.SetAnnotator(who)
	s.criteria.SetAnnotator(who)
	s.curate.SetAnnotator(who)
}

// openQueue goes to the review of a queue, over the question for a name when there is none yet.
func (s *tabScreens) openQueue(q annotate.QueueName) tea.Cmd {
	s.nav.tab = TabReview
	if len(s.nav.openStack()) > 1 && s.queues.queue == q {
		return s.nav.topScreen().Refresh()
	}
	s.nav.closeToFirst()
	return s.queues.enterForQueue(q)
}

// closeQueueScreens leaves the screens on which a queue is worked through, on whatever tab.
func (s *tabScreens) closeQueueScreens() {
	tab := s.nav.tab
	s.nav.tab = TabReview
	s.nav.closeToFirst()
	for t := range s.nav.stacks {
		if s.comparing != nil && slices.Contains(s.nav.stacks[t], s.comparing) {
			s.nav.tab = Tab(t)
			s.nav.closeToFirst()
		}
	}
	s.nav.tab, s.comparing = tab, nil
}

// openCurationAdjudication goes to the desk on which what experts differ on in a dataset is settled.
func (s *tabScreens) openCurationAdjudication(d eval.DatasetName) tea.Cmd {
	if !s.nav.can.hasTab(TabCurate) || !s.nav.can.allows(annotate.MayAdjudicateCuration) {
		return notifyNotAllowed("the adjudicators")
	}
	s.nav.tab = TabCurate
	s.nav.closeToFirst()
	s.curate.OpenOnDisagreements(d)
	return s.curate.Enter()
}

// showStartedJob goes back to the list, to the job that has begun.
func (s *tabScreens) showStartedJob(msg judging.Started) tea.Cmd {
	s.runs.GoToJob(msg.Job)
	if s.nav.topScreen() != Screen(s.judging) {
		return nil
	}
	cmd, _ := s.closeTopAndRefresh()
	return cmd
}

// Tab is one of the places at the top. The zero value is the home screen.
type Tab uint8

// The tabs.
const (
	TabRuns Tab = iota
	TabReview
	TabReport
	TabCriteria
	TabCurate // absent where nothing can be curated
	tabCount
)

var tabNames = [tabCount]string{"Runs", "Review", "Report", "Criteria", "Curate"}

// access tells what of the app is offered to the person at it.
type access struct {
	role      annotate.Role // of the person; unset: everything may be done
	elsewhere bool          // they came in from another machine, as somebody
	curation  bool          // there is something to curate
}

// isGuest reports whether the person came in as somebody with a role: they stay
// who they are. Whoever opens the file may be anybody.
func (a access) isGuest() bool { return a.elsewhere }

// effectiveRole is the role that decides what is offered.
func (a access) effectiveRole() annotate.Role { return cmp.Or(a.role, annotate.RoleOwner) }

// allows reports whether the person may do something.
func (a access) allows(p annotate.Permission) bool { return a.effectiveRole().May(p) }

func (a access) hasTab(t Tab) bool {
	role := a.effectiveRole()
	switch t {
	case TabRuns:
		return role.May(annotate.MayRun)
	case TabReport:
		return role.May(annotate.MayReadReports)
	case TabCriteria:
		return role.May(annotate.MayWriteCriteria)
	case TabCurate:
		return a.curation && (role.May(annotate.MayCurate) || role.May(annotate.MayAdjudicateCuration))
	case TabReview, tabCount:
	}
	return true
}

func (a access) homeTab() Tab { return eval.Either(a.hasTab(TabRuns), TabRuns, TabReview) }

func notifyNotAllowed(whose string) tea.Cmd {
	return widget.NotifyCmd(widget.Info, "that is for "+whose+" of the project")
}

// notifyNotHere says where something is done that needs the files of the machine that holds the project.
func (a access) notifyNotHere(what string) tea.Cmd {
	why := eval.Either(a.isGuest(), what+" on the machine that holds the project, and not from elsewhere", "nothing can be added here: the project is open read-only")
	return widget.NotifyCmd(widget.Info, why)
}
