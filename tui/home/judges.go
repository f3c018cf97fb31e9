package home

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// drawJudges draws how far each judge has come with what the rules could not read.
func (o *overview) drawJudges() []string {
	if len(o.r.Progress.Judges) == 0 {
		return o.drawUnjudged()
	}
	p := o.r.Progress
	p.Judges = slices.Clone(p.Judges) // those at work before the others
	slices.SortStableFunc(p.Judges, func(a, b eval.JudgeProgress) int { return judgeRank(a) - judgeRank(b) })
	if o.short {
		return o.drawJudgeLines(p)
	}
	columns := []widget.Column{{Title: "judge", Width: 8, Grow: 1, Name: true}}
	columns = append(columns, eval.Map(listJudgeOutcomes(p), func(s judgeOutcome) widget.Column {
		return widget.Column{Title: s.name, Width: max(6, len(s.name)), Right: true}
	})...)
	table := widget.Table{
		Columns: columns,
		Rows:    len(p.Judges),
		Row: func(i int) []string {
			cells := []string{widget.CleanLine(p.Judges[i].Judge)}
			return append(cells, eval.Map(listJudgeOutcomes(p), func(s judgeOutcome) string { return widget.FormatCount(s.count(p.Judges[i].Counts)) })...)
		},
		Cursor: widget.Cursor{At: -1},
	}
	out := []string{""}
	return append(out, eval.Map(o.m.theme.DrawTable(table, min(o.width, 80)+2, len(p.Judges)+1), func(l string) string { return strings.TrimPrefix(l, "  ") })...)
}

func judgeRank(j eval.JudgeProgress) int { return eval.Either(j.Asked, 0, 1) }

// drawUnjudged says how an unjudged run is judged, and how people come to label what nobody could read.
func (o *overview) drawUnjudged() []string {
	if o.r.Progress.Counts.CountUnparsed() == 0 || isMoving(o.r) || o.m.Scheduler == nil {
		return nil
	}
	t := o.m.theme
	var out []string
	drawn := func(q Queue) bool { return q.Rule.Dataset == o.r.Run.Config.Dataset }
	if !slices.ContainsFunc(o.m.queues.rows, drawn) {
		out = append(out, o.drawLine("people", t.Faint.Render("none yet: ")+t.Key.Render(o.m.SpellKey("l"))+t.KeyText.Render(" makes a queue of these for them to label")))
	}
	return append(out, o.drawLine("judges", t.Faint.Render("none yet: ")+t.Key.Render(o.m.SpellKey("J"))+t.KeyText.Render(" has some read what the rules could not")))
}

// judgeOutcome is something that became of predictions that a judge was to read.
type judgeOutcome struct {
	name  string
	count func(eval.JudgeCounts) int
}

// listJudgeOutcomes lists what a run's judges may have said; what they seldom say is shown
// when one of them said it. What a fallback drew is not read.
func listJudgeOutcomes(p eval.Progress) []judgeOutcome {
	of := func(s eval.Status) func(eval.JudgeCounts) int {
		return func(c eval.JudgeCounts) int { return c.Statuses[s] }
	}
	out := []judgeOutcome{
		{"read", of(eval.Found)},
		{"none", of(eval.None)},
		{"unparsed", eval.JudgeCounts.CountUnparsed},
		{"failed", func(c eval.JudgeCounts) int { return c.Failures }},
		{"waiting", func(c eval.JudgeCounts) int { return c.CountWaiting(p.Counts) }},
	}
	for _, s := range []judgeOutcome{
		{"refused", of(eval.Refused)},
		{"ambiguous", of(eval.Ambiguous)},
		{"drawn", func(c eval.JudgeCounts) int { return c.Fallback }},
	} {
		if slices.ContainsFunc(p.Judges, func(j eval.JudgeProgress) bool { return s.count(j.Counts) > 0 }) {
			out = append(out, s)
		}
	}
	return out
}

// drawJudgeLines draws the same in one line for each judge: what is read and what
// waits, and of the rest what there is.
func (o *overview) drawJudgeLines(p eval.Progress) []string {
	out := make([]string, 0, len(p.Judges))
	for _, j := range p.Judges {
		var first, rest []string
		for _, s := range listJudgeOutcomes(p) {
			n := s.count(j.Counts)
			text := s.name + " " + widget.FormatCount(n)
			switch {
			case s.name == "read" || s.name == "waiting":
				first = append(first, text)
			case n > 0:
				rest = append(rest, text)
			}
		}
		name := eval.Either(len(out) == 0, "judges", "")
		said := strings.Join(append(first, rest...), ", ")
		called := widget.CutWidth(widget.CleanLine(j.Judge), max(12, o.width-nameWidth-len(said)-3))
		out = append(out, o.drawLine(name, called+": "+said))
	}
	return out
}

// drawLines draw the jury, in the place of what is known of its run.
func (j *judgePicker) drawLines(width, height int) []string {
	t := j.m.theme
	r, _ := j.currentRun()
	out := []string{t.DrawSection("Judges", runTitle(r), true, width)}
	if !j.loaded {
		return append(out, t.Faint.Render("  loading the configuration…"))
	}
	below := j.drawRemarks(r, width)
	if len(j.choices.Models) == 0 {
		return append(out, below...)
	}
	out = append(out, widget.CutWidth("  "+j.describeUnread(r), width))
	room := height - len(out) - len(below)
	places, _ := j.pick.MatchingPlaces()
	return append(append(out, j.drawTable(r, width, min(room, len(places)+1))...), below...)
}

func (j *judgePicker) describeUnread(r Row) string {
	c := r.Progress.Counts
	out := fmt.Sprintf("the rules cannot read %s of %s", widget.FormatCount(c.CountUnparsed()), widget.FormatPlural(c.Predictions-c.Failures, "answer"))
	if isGrowing(r) {
		out += ", and more arrive"
	}
	if f := j.pick.Filter(); f != "" {
		out += "  " + j.m.theme.Faint.Render("“"+widget.CutWidth(f, 8)+"”")
	}
	return out
}

func (j *judgePicker) drawTable(r Row, width, height int) []string {
	places, at := j.pick.MatchingPlaces()
	cursor := widget.Cursor{}
	cursor.MoveTo(at, len(places), height-1)
	return j.m.theme.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "has read", Width: 8, Right: true},
			{Title: "left", Width: 6, Right: true},
			{Title: "per million", Width: 15, Least: 56},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 90, Name: true},
		},
		Rows:    len(places),
		Row:     func(i int) []string { return j.makeCells(j.choices.Models[places[i]], r) },
		Cursor:  cursor,
		Focused: true,
	}, width, height)
}

func (j *judgePicker) makeCells(c job.ModelChoice, r Row) []string {
	sign := "[ ]"
	switch {
	case j.isAtWork(c.Name, r):
		sign = " ● "
	case slices.Contains(j.chosen, c.Name):
		sign = "[x]"
	case j.whyNotCandidate(c, r) != "":
		sign = " – "
	}
	p, _ := findJudgeProgress(r, c.Name)
	return []string{
		sign, form.DrawChoice(j.m.theme, c.Name, c.Why, false), widget.FormatCount(p.Counts.Judged), widget.FormatCount(countForJudge(r, c.Name)), job.FormatPrice(c.Price), widget.CleanLine(c.Endpoint),
	}
}

// drawRemarks draws what the jury has to say: what went wrong, why the candidate under
// the cursor cannot be taken in, or what starting will do.
func (j *judgePicker) drawRemarks(r Row, width int) []string {
	t := j.m.theme
	style, text := t.Faint.Render, "space takes a judge in or out, enter starts"
	c, _ := j.currentCandidate()
	switch why := j.whyNotCandidate(c, r); {
	case j.calling:
		style, text = t.Accent.Render, "starting…"
	case j.trouble != "":
		style, text = t.Bad.Render, "✗ "+j.trouble
	case len(j.choices.Models) == 0 && j.choices.Trouble != "":
		style, text = t.Bad.Render, "✗ "+j.choices.Trouble
	case len(j.choices.Models) == 0:
		style, text = t.Warn.Render, "! no model is configured: concord config init writes a configuration to fill in"
	case c.Why != "":
		style, text = t.Bad.Render, "✗ "+c.Name+": "+why
	case len(j.chosen) > 0:
		style, text = t.Accent.Render, j.describeStartEffect(r)
	case j.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+j.choices.Trouble
	case why != "":
		text = c.Name + ": " + why
	}
	return form.WrapThreeLines(width, style, text)
}

func (j *judgePicker) describeStartEffect(r Row) string {
	calls, priced := 0, true
	for _, name := range j.chosen {
		calls += countForJudge(r, name)
		for _, c := range j.choices.Models {
			priced = priced && (c.Name != name || c.Price.IsKnown())
		}
	}
	out := eval.Either(len(j.chosen) > 1, fmt.Sprintf("enter starts: %s to make, by %d judges", widget.FormatPlural(calls, "extraction"), len(j.chosen)),
		"enter starts: "+widget.FormatPlural(calls, "answer")+" to read")
	if isGrowing(r) {
		out += ", and what comes in; the run continues with them"
	}
	if !priced {
		out += "; not every price is known"
	}
	return out
}

// Bindings are the bindings that matter now.
func (j *judgePicker) Bindings() []key.Binding {
	k := j.m.formKeys
	if j.loaded && len(j.choices.Models) == 0 {
		return k.KeysToAnswer("look again")
	}
	k.Fields.SetHelp("↑↓", "choose")
	return []key.Binding{k.Toggle, k.Start, k.Fields, k.Filter, k.Back}
}

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
	j.pick.SetNames(eval.Map(j.choices.Models, func(c job.ModelChoice) string { return c.Name }))
	r, _ := j.currentRun()
	for _, c := range j.choices.Models { // the first one that could be taken in
		if j.whyNotCandidate(c, r) == "" {
			j.pick.Choose(c.Name)
			return
		}
	}
}

// currentRun is the run as it stands now.
func (j *judgePicker) currentRun() (Row, bool) {
	return eval.FirstWanted(j.m.runs.all, func(r Row) bool { return r.Run.ID == j.run })
}

// currentCandidate is the candidate under the cursor.
func (j *judgePicker) currentCandidate() (job.ModelChoice, bool) {
	return eval.FirstWanted(j.choices.Models, func(c job.ModelChoice) bool { return c.Name == j.pick.Value() })
}

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
	} else if why := j.whyNotCandidate(c, r); why != "" {
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

// whyNotCandidate says why a candidate cannot be taken in; "" when it can.
func (j *judgePicker) whyNotCandidate(c job.ModelChoice, r Row) string {
	switch {
	case c.Why != "":
		return c.Why
	case j.isAtWork(c.Name, r):
		return "it judges this run already"
	case countForJudge(r, c.Name) == 0 && !isGrowing(r):
		return "it has read all that the rules left"
	}
	return ""
}

func (j *judgePicker) isAtWork(name string, r Row) bool {
	p, ok := findJudgeProgress(r, name)
	return ok && p.Asked && isMoving(r)
}

// findJudgeProgress finds how far a judge has come with a run; false when it has never been asked.
func findJudgeProgress(r Row, name string) (eval.JudgeProgress, bool) {
	return eval.FirstWanted(r.Progress.Judges, func(p eval.JudgeProgress) bool { return p.Judge == name })
}

// countForJudge counts how many answers of a run a judge would read: those that the rules
// cannot and that it has not read, its failed calls included.
func countForJudge(r Row, name string) int {
	p, _ := findJudgeProgress(r, name)
	return max(0, r.Progress.Counts.CountUnparsed()-p.Counts.Judged)
}
