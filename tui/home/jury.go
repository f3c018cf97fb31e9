package home

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// judgePicker is where judges are chosen that shall read what the rules could not in
// one run. Those that are at work already stay: judges can only be added.
//
//	J --> Scheduler.FormChoices --> candidates --space--> chosen --enter--> Scheduler.Judge
type judgePicker struct {
	m       *projectBoard
	run     eval.RunID
	choices Choices
	loaded  bool
	trouble string // why the choices could not be read, or the judges not be called
	pick    form.NamePick
	chosen  []string // in their order
	calling bool
}

// judgesStarted is what came of calling judges.
type judgesStarted struct {
	of   *judgePicker
	text string
	err  error
}

func (j *judgePicker) readCandidates() tea.Cmd {
	ctx, scheduler := j.m.ctx, j.m.Scheduler
	return func() tea.Msg {
		c, err := scheduler.FormChoices(ctx)
		return outcome(func() tea.Cmd {
			j.handleCandidates(c, err)
			return nil
		})
	}
}

func (j *judgePicker) handleCandidates(c Choices, err error) {
	j.loaded, j.choices, j.trouble = true, c, ""
	if err != nil {
		j.trouble = err.Error()
	}
	j.pick.SetNames(eval.Map(j.choices.Models, func(c ModelChoice) string { return c.Name }))
	r, _ := j.currentRun()
	for _, c := range j.choices.Models { // the first one that could be taken in
		if j.whyNot(c, r) == "" {
			j.pick.Choose(c.Name)
			return
		}
	}
}

// currentRun is the run as it stands now.
func (j *judgePicker) currentRun() (Row, bool) {
	return eval.First(j.m.runs.all, func(r Row) bool { return r.Run.ID == j.run })
}

// currentCandidate is the candidate under the cursor.
func (j *judgePicker) currentCandidate() (ModelChoice, bool) {
	return eval.First(j.choices.Models, func(c ModelChoice) bool { return c.Name == j.pick.Value() })
}

// clearFilter takes the filter away, and reports whether there was one.
func (j *judgePicker) clearFilter() bool { return !j.calling && j.pick.ClearFilter() }

func (j *judgePicker) handleKey(msg tea.KeyMsg) tea.Cmd {
	k := j.m.formKeys
	switch {
	case j.calling:
		return nil
	case key.Matches(msg, k.Start):
		return j.startJudges()
	case key.Matches(msg, k.Up):
		j.pick.MoveChoice(-1)
	case key.Matches(msg, k.Down):
		j.pick.MoveChoice(1)
	case key.Matches(msg, k.Toggle):
		return j.toggleCandidate()
	default:
		j.pick.HandleKey(msg)
	}
	return nil
}

// toggleCandidate takes the candidate under the cursor in or out.
func (j *judgePicker) toggleCandidate() tea.Cmd {
	c, ok := j.currentCandidate()
	if !ok {
		return nil
	}
	r, _ := j.currentRun()
	if i := slices.Index(j.chosen, c.Name); i >= 0 {
		j.chosen = slices.Delete(j.chosen, i, i+1)
	} else if why := j.whyNot(c, r); why != "" {
		return widget.NotifyCmd(widget.Info, c.Name+": "+why)
	} else {
		j.chosen = append(j.chosen, c.Name)
	}
	j.trouble = ""
	j.pick.ClearFilter()
	return nil
}

// startJudges has the chosen ones read.
func (j *judgePicker) startJudges() tea.Cmd {
	r, ok := j.currentRun()
	switch {
	case !j.loaded || !ok:
		return nil
	case len(j.choices.Models) == 0:
		return j.readCandidates()
	case len(j.chosen) == 0:
		return widget.NotifyCmd(widget.Info, "no judge is chosen: space takes one in")
	}
	j.calling = true
	ctx, scheduler, chosen := j.m.ctx, j.m.Scheduler, slices.Clone(j.chosen)
	names := strings.Join(chosen, ", ")
	return func() tea.Msg {
		if err := scheduler.Judge(ctx, r.Run.ID, chosen); err != nil {
			return judgesStarted{j, "have " + runTitle(r) + " judged", err}
		}
		return judgesStarted{j, fmt.Sprintf("%s: judged by %s", runTitle(r), names), nil}
	}
}

// whyNot says why a candidate cannot be taken in; "" when it can.
func (j *judgePicker) whyNot(c ModelChoice, r Row) string {
	switch {
	case c.Why != "":
		return c.Why
	case j.isAtWork(c.Name, r):
		return "it judges this run already"
	case countLeft(r, c.Name) == 0 && !isGrowing(r):
		return "it has read all that the rules left"
	}
	return ""
}

func (j *judgePicker) isAtWork(name string, r Row) bool {
	p, ok := findJudge(r, name)
	return ok && p.Asked && isMoving(r)
}

// findJudge finds how far a judge has come with a run; false when it has never
// been asked.
func findJudge(r Row, name string) (eval.JudgeProgress, bool) {
	return eval.First(r.Progress.Judges, func(p eval.JudgeProgress) bool { return p.Judge == name })
}

// countLeft counts how many answers of a run a judge would read: those that the rules
// cannot and that it has not read, its failed calls included.
func countLeft(r Row, name string) int {
	p, _ := findJudge(r, name)
	return max(0, r.Progress.Counts.Unparsable()-p.Counts.Judged)
}
