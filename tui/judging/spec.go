package judging

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/action"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// offeredInputs and orders are what the form offers, in its order.
var (
	offeredInputs = [...]eval.Input{eval.SeesImage, eval.SeesCaption, eval.SeesDetections, eval.SeesBoth}
	orders        = [...]string{"both", "shuffled"}
)

func offeredInputNames() []string { return eval.Map(offeredInputs[:], eval.Input.String) }

// currentSpec is the judging that the form stands for.
func (e *formEntries) currentSpec() Spec {
	s := Spec{
		Dataset: eval.DatasetName(e.dataset.Value()), Judge: e.judge.Value(), Criteria: e.criteria && e.whyNoCriteria() == "",
		Input: offeredInputs[e.input], Shuffled: orders[e.order] == "shuffled", Repeats: max(1, int(e.repeats.Value())),
		Concurrency: max(1, int(e.concurrency.Value())), Budget: e.budget.Value(),
	}
	anchor, _ := e.findModelChoice(e.anchor.Value())
	s.Anchor = anchor.Run
	s.Models = eval.FilterMap(e.models, func(name string) (eval.RunID, bool) {
		m, ok := e.findModelChoice(name)
		return m.Run, ok
	})
	return s
}

func (e *formEntries) fillDefaults() {
	form.ChooseFirstAllowed(&e.dataset, e.choices.Datasets, func(c DatasetChoice) (string, string) { return string(c.Name), c.Why })
	form.ChooseFirstAllowed(&e.judge, e.choices.Judges, func(c job.ModelChoice) (string, string) { return c.Name, c.Why })
	e.repeats.SetNumber(1)
	e.concurrency.SetNumber(float64(max(1, e.choices.Defaults.Concurrency)))
	e.budget.SetNumber(e.choices.Defaults.Budget)
}

// updateModelsOfDataset brings models and anchor up to date with the dataset: of another one than before, the
// anchor of its comparisons or else its oldest run, against all others.
func (e *formEntries) updateModelsOfDataset() {
	d, ok := e.chosenDataset()
	if !ok {
		return
	}
	names := eval.Map(d.Models, func(m ModelChoice) string { return m.Name })
	e.model.SetNames(names)
	e.anchor.SetNames(names)
	if e.lastDataset == e.dataset.Value() {
		e.models = slices.DeleteFunc(e.models, func(n string) bool { return !slices.Contains(names, n) })
		return
	}
	e.lastDataset, e.models = e.dataset.Value(), nil
	for i, m := range d.Models {
		if m.Run == d.Anchor || d.Anchor == 0 && i == 0 {
			e.anchor.Choose(m.Name)
		}
	}
	anchor, _ := e.findModelChoice(e.anchor.Value())
	taken := map[string]bool{anchor.Model: true}
	for _, m := range d.Models { // of several runs the oldest
		if !taken[m.Model] {
			e.models, taken[m.Model] = append(e.models, m.Name), true
			e.model.Choose(m.Name)
		}
	}
	e.criteria = d.Criteria > 0
	if e.whyInputMissing(e.input) != "" {
		e.input = 0
	}
}

func (e *formEntries) chosenDataset() (DatasetChoice, bool) {
	return eval.FirstWanted(e.choices.Datasets, func(c DatasetChoice) bool { return string(c.Name) == e.dataset.Value() })
}

func (e *formEntries) findModelChoice(name string) (ModelChoice, bool) {
	d, _ := e.chosenDataset()
	return eval.FirstWanted(d.Models, func(c ModelChoice) bool { return c.Name == name })
}

// whyInputMissing says why a judge cannot be shown that; "" when it can.
func (e *formEntries) whyInputMissing(input int) string {
	d, _ := e.chosenDataset()
	caption, detections := "", eval.Either(d.Detections == 0, "no detected objects are held: concord import detections takes them in", "")
	switch {
	case d.Captions == 0:
		caption = "no image has a caption: concord caption makes them, concord import captions takes them in"
	case d.Captioners > 1:
		caption = "several models made captions: concord judge votes --captions-by names one"
	}
	return map[eval.Input]string{
		eval.SeesCaption: caption, eval.SeesDetections: detections, eval.SeesBoth: cmp.Or(caption, detections),
	}[offeredInputs[input]]
}

// whyNotStart says why the judging cannot be; "" when nothing speaks against it here.
func (e *formEntries) whyNotStart() string {
	d, ok := e.chosenDataset()
	switch {
	case !ok:
		return "choose a dataset"
	case d.Why != "":
		return string(d.Name) + ": " + d.Why
	case len(e.models) == 0:
		return "no model is chosen: space takes one in"
	case slices.Contains(e.models, e.anchor.Value()):
		return e.anchor.Value() + " is the anchor: it is not compared with itself; space takes it out of the models"
	}
	anchor, _ := e.findModelChoice(e.anchor.Value())
	seen := map[string]bool{anchor.Model: true}
	for _, name := range e.models {
		m, _ := e.findModelChoice(name)
		if seen[m.Model] {
			return fmt.Sprintf("two runs of %s: compare one of them at a time", m.Model)
		}
		seen[m.Model] = true
	}
	if c, ok := eval.FirstWanted(e.choices.Judges, func(c job.ModelChoice) bool { return c.Name == e.judge.Value() }); !ok {
		return "choose a judge"
	} else if c.Why != "" {
		return c.Name + ": " + c.Why
	}
	return e.whyInputMissing(e.input)
}

// whyNoCriteria says why there are none to judge by; "" when there are.
func (e *formEntries) whyNoCriteria() string {
	if d, ok := e.chosenDataset(); ok && d.Criteria == 0 {
		return e.SpellText("no sample has any: {b} writes some")
	}
	return ""
}

func (e *formEntries) fillFromJob(r *job.Row) {
	e.dataset.Choose(string(r.Dataset))
	e.updateModelsOfDataset()
	d, ok := e.chosenDataset()
	if !ok || r.Work != eval.Voting {
		return
	}
	e.judge.Choose(r.Asked)
	order := eval.Either(r.IsMoving() && r.Shares > 0, r.Progress.Job.Comparisons, []eval.Comparison{r.Comparison})
	repeats := 1
	runs := make(map[eval.RunID]bool)
	for _, c := range order {
		runs[c.A], runs[c.B] = true, true
		repeats = max(repeats, c.Repeat+1)
	}
	e.models = nil
	for _, m := range d.Models {
		switch {
		case !runs[m.Run]:
		case m.Model == r.Anchor:
			e.anchor.Choose(m.Name)
		default:
			e.models = append(e.models, m.Name)
			e.model.Choose(m.Name)
		}
	}
	e.repeats.SetNumber(float64(repeats))
	if e.order = 0; r.Shuffled {
		e.order = 1
	}
	e.criteria = r.Comparison.Criteria
	for i, in := range offeredInputs {
		if in == r.Comparison.Input {
			e.input = i
		}
	}
	if r.IsMoving() && r.Progress.Budget > 0 {
		e.budget.SetNumber(r.Progress.Budget)
	}
}

// pageKeys are the actions of the page, the most important first.
var pageKeys = []string{"open", "other", "errors", "pause", "cancel", "retry", "judge_votes", "more_room"}

// newBoundActions gives all that keys do on the page now.
func (m *Model) newBoundActions() *action.Bounds {
	p, row, off, pause := m.shown, &m.shown.row, "", "pause"
	switch {
	case !p.known:
		off = "the judge run is still being loaded"
	case m.Control == nil:
		off = "this project is open read-only"
	case row.CanResume():
		pause = "resume"
	}
	replies := p.shownReplies()
	steer := func(s job.Steering) func(string) tea.Cmd {
		return func(string) tea.Cmd { return job.SteerJob(m.ctx, m.Control, row, s, &m.Spelling) }
	}
	return &action.Bounds{Place: keymap.Judging, Own: action.PartKeys, Spell: &m.Spelling, All: map[string]action.Bound{
		"open": {
			Says: "the reply", Why: action.WhyUnless(replies != nil && len(replies.rows) > 0 && p.opened == nil, "no list of replies is selected: {tab}"),
			Do: func(string) tea.Cmd { return p.openReply() },
		},
		"other":       {Do: func(key string) tea.Cmd { p.stepPart(key == "shift+tab"); return nil }},
		"errors":      {Do: func(string) tea.Cmd { p.toggleFailed(); return nil }},
		"pause":       {Says: pause, Why: cmp.Or(off, row.NoPause), Do: steer(job.PauseOrResume)},
		"retry":       {Why: cmp.Or(off, row.NoRetry), Do: steer(job.Retry)},
		"cancel":      {Why: cmp.Or(off, row.NoCancel), Do: func(string) tea.Cmd { m.ending = row.NewCancelQuestion(m.ctx, m.Control, &m.Spelling); return nil }},
		"more_room":   {Why: action.WhyIf(!p.isWide(), "what is selected has the whole screen already"), Do: func(key string) tea.Cmd { p.space.ChangeByKey(key); p.clampCursors(); return nil }},
		"judge_votes": {Why: action.WhyUnless(m.Scheduler != nil, noStarter), Do: func(string) tea.Cmd { m.showForm(p.id); return m.form.readChoices() }},
	}}
}

// Bindings are the bindings that matter now, the most important first.
func (m *Model) Bindings() []key.Binding {
	switch {
	case m.ending != nil:
		return m.ending.Bindings()
	case m.form != nil:
		return m.form.Bindings()
	}
	if m.shown.opened != nil {
		return []key.Binding{widget.NewBinding("↑↓", "scroll", "up"), widget.NewBinding("←→", "other replies", "left"), m.formKeys.Back}
	}
	return m.newBoundActions().Bindings(pageKeys...)
}

// HelpGroups is the page of all bindings.
func (m *Model) HelpGroups() []widget.Group {
	return []widget.Group{
		{Title: "Votes of a judge", Keys: m.newBoundActions().Bindings(pageKeys...)},
		{Title: "Move", Keys: widget.NewMoves().Bindings()},
		{Title: "New judge run", Keys: m.formKeys.HelpKeys()},
	}
}

// IsAsking reports whether cancelling waits for an answer.
func (m *Model) IsAsking() bool { return m.ending != nil }

// IsTyping reports whether keys are text now: in the form they are.
func (m *Model) IsTyping() bool { return m.form != nil }

// KeymapPlace is where the screen's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Judging }

// CopyText gives the reply under the cursor as the judge gave it, or why there is none.
func (m *Model) CopyText() (what, text string) {
	l := m.shown.shownReplies()
	if l == nil || l.at.At >= len(l.rows) {
		return "", ""
	}
	switch r := &l.rows[l.at.At]; {
	case !r.Visibility.ShowsText():
		return "", ""
	case r.Failure != "":
		return "the error", r.Failure
	default:
		return "the reply", r.Raw
	}
}
