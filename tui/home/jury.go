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

// jury is where judges are chosen that shall read what the rules could not in
// one run. Those that are at work already stay: judges can only be added.
//
//	J --> Scheduler.Choices --> candidates --space--> chosen --enter--> Scheduler.Judge
type jury struct {
	m       *board
	run     eval.RunID
	choices Choices
	loaded  bool
	trouble string // why the choices could not be read, or the judges not be called
	pick    form.Pick
	chosen  []string // in their order
	calling bool
}

// seated is what came of calling judges.
type seated struct {
	of   *jury
	text string
	err  error
}

func (j *jury) read() tea.Cmd {
	ctx, scheduler := j.m.ctx, j.m.Scheduler
	return func() tea.Msg {
		c, err := scheduler.Choices(ctx)
		return outcome(func() tea.Cmd {
			j.take(c, err)
			return nil
		})
	}
}

func (j *jury) take(c Choices, err error) {
	j.loaded, j.choices, j.trouble = true, c, ""
	if err != nil {
		j.trouble = err.Error()
	}
	names := make([]string, len(j.choices.Models))
	for i, c := range j.choices.Models {
		names[i] = c.Name
	}
	j.pick.SetNames(names)
	r, _ := j.row()
	for _, c := range j.choices.Models { // the first one that could be taken in
		if j.whyNot(c, r) == "" {
			j.pick.Choose(c.Name)
			return
		}
	}
}

// row is the run as it stands now.
func (j *jury) row() (Row, bool) {
	return widget.Find(j.m.runs.all, func(r Row) bool { return r.Run.ID == j.run })
}

// choice is the candidate under the cursor.
func (j *jury) choice() (ModelChoice, bool) {
	return widget.Find(j.choices.Models, func(c ModelChoice) bool { return c.Name == j.pick.Value() })
}

// back takes the filter away, and reports whether there was one.
func (j *jury) back() bool { return !j.calling && j.pick.Clear() }

func (j *jury) press(msg tea.KeyMsg) tea.Cmd {
	k := j.m.formKeys
	switch {
	case j.calling:
		return nil
	case key.Matches(msg, k.Start):
		return j.call()
	case key.Matches(msg, k.Up):
		j.pick.Move(-1)
	case key.Matches(msg, k.Down):
		j.pick.Move(1)
	case key.Matches(msg, k.Toggle):
		return j.toggle()
	default:
		j.pick.Press(msg)
	}
	return nil
}

// toggle takes the candidate under the cursor in or out.
func (j *jury) toggle() tea.Cmd {
	c, ok := j.choice()
	if !ok {
		return nil
	}
	r, _ := j.row()
	if i := slices.Index(j.chosen, c.Name); i >= 0 {
		j.chosen = slices.Delete(j.chosen, i, i+1)
	} else if why := j.whyNot(c, r); why != "" {
		return widget.Tell(widget.Info, c.Name+": "+why)
	} else {
		j.chosen = append(j.chosen, c.Name)
	}
	j.trouble = ""
	j.pick.Clear()
	return nil
}

// call has the chosen ones read.
func (j *jury) call() tea.Cmd {
	r, ok := j.row()
	switch {
	case !j.loaded || !ok:
		return nil
	case len(j.choices.Models) == 0:
		return j.read()
	case len(j.chosen) == 0:
		return widget.Tell(widget.Info, "no judge is chosen: space takes one in")
	}
	j.calling = true
	ctx, scheduler, chosen := j.m.ctx, j.m.Scheduler, slices.Clone(j.chosen)
	names := strings.Join(chosen, ", ")
	return func() tea.Msg {
		if err := scheduler.Judge(ctx, r.Run.ID, chosen); err != nil {
			return seated{j, "have " + title(r) + " judged", err}
		}
		return seated{j, fmt.Sprintf("%s: judged by %s", title(r), names), nil}
	}
}

// whyNot says why a candidate cannot be taken in; "" when it can.
func (j *jury) whyNot(c ModelChoice, r Row) string {
	switch {
	case c.Why != "":
		return c.Why
	case j.sits(c.Name, r):
		return "it judges this run already"
	case left(r, c.Name) == 0 && !grows(r):
		return "it has read all that the rules left"
	}
	return ""
}

// sits reports whether a judge is at work on the run.
func (j *jury) sits(name string, r Row) bool {
	p, ok := judgeOf(r, name)
	return ok && p.Asked && moves(r)
}

// judgeOf is how far a judge has come with a run; false when it has never
// been asked.
func judgeOf(r Row, name string) (eval.JudgeProgress, bool) {
	return widget.Find(r.Progress.Judges, func(p eval.JudgeProgress) bool { return p.Judge == name })
}

// left is how many answers of a run a judge would read: those that the rules
// cannot and that it has not read, its failed calls included.
func left(r Row, name string) int {
	p, _ := judgeOf(r, name)
	return max(0, r.Progress.Counts.Unparsable()-p.Counts.Judged)
}
