package home

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

func drawHead(m *projectBoard, r Row, width int) string {
	sign, style := job.StateGlyph(m.theme, StateText(r))
	name := widget.CutWidth(fmt.Sprintf("Run %d  %s", r.Run.ID, runTitle(r)), max(8, width-widget.TextWidth(StateText(r))-6))
	line := m.theme.Strong.Render(name) + "  " + style.Render(sign+" "+StateText(r))
	return line + m.theme.Border.Render(" "+strings.Repeat("─", max(0, width-widget.TextWidth(line)-1)))
}

// overview draws a run for one width.
type overview struct {
	m     *projectBoard
	r     Row
	width int
	short bool
}

func (o *overview) drawLines() []string {
	p := o.r.Progress
	out := o.drawWhyResting()
	done, total := p.CountDoneQuestions()
	out = append(out, o.drawLine("questions", o.m.theme.DrawBar(o.barWidth(), widget.ShareOf(done, total))+" "+formatCountOf(done, total)))
	if isJudging(o.r) {
		read, whole := countReadings(p)
		out = append(out, o.drawLine("judged", o.m.theme.DrawBar(o.barWidth(), widget.ShareOf(read, whole))+" "+formatCountOf(read, whole)))
	}
	out = append(out, o.drawRateAndRemainder()...)
	out = append(out, o.drawWorkers()...)
	out = append(out, o.drawCost()...)
	out = append(out, o.drawStatuses()...)
	out = append(out, o.drawJudges()...)
	switch {
	case p.Err != nil || p.State == eval.StateUnset && p.Why != "": // as its runner says, or as it is stored
		why := eval.Either(p.Err == nil, p.Why, fmt.Sprint(p.Err))
		out = append(out, o.m.drawStyledField("ended by", "✗ "+job.CleanHeadOfText(why), o.width, o.m.theme.Bad.Render)...)
	case p.LastFailure != "":
		out = append(out, o.drawLine("last error", o.m.theme.Warn.Render("! "+job.CleanHeadOfText(shortenFailure(o.r, p.LastFailure)))))
	}
	if !o.short {
		out = append(out, "")
	}
	return append(out, o.drawSettings()...)
}

// barWidth is the width of the bars: what their numbers leave.
func (o *overview) barWidth() int { return max(6, min(widget.MostBar, o.width-nameWidth-26)) }

// drawLine draws a name and its text on one line, whatever it says: nothing below may
// jump while a run runs.
func (o *overview) drawLine(name, text string) string {
	return widget.CutWidth(o.m.theme.DrawField(name, text, nameWidth), o.width)
}

// drawField draws a name and its text, on as many lines as that takes.
func (o *overview) drawField(name, text string) []string { return o.m.drawField(name, text, o.width) }

// drawWhyResting says why a run rests, and until when.
func (o *overview) drawWhyResting() []string {
	p := o.r.Progress
	text := job.CleanHeadOfText(p.Why)
	switch {
	case p.State == eval.Holding && !p.Until.IsZero():
		wait := max(p.Until.Sub(o.m.seen), 0).Round(time.Second)
		text = job.JoinWithDot(text, fmt.Sprintf("tries again in %s (%s)", widget.FormatDuration(wait), p.Until.Local().Format("15:04:05")))
	case p.State == eval.Paused && text == "":
		text = o.m.SpellText("no call is started; {p} resumes it")
	}
	if text == "" || p.State != eval.Holding && p.State != eval.Paused {
		return nil
	}
	return o.m.drawStyledField(p.State.String(), text, o.width, o.m.theme.Warn.Render)
}

// drawRateAndRemainder draws what came in, how fast, and what is to come.
func (o *overview) drawRateAndRemainder() []string {
	p := o.r.Progress
	parts := []string{widget.FormatCount(p.Counts.Predictions)}
	var calls []string
	if p.State == eval.Running {
		speed := []string{widget.FormatRate(p.Rate)}
		if d, ok := p.ETA(); ok {
			speed = append(speed, "about "+widget.FormatDuration(d)+" left")
		}
		if p.JudgesOnly { // no answer comes in
			calls = speed
		} else {
			parts = append(parts, speed...)
		}
	}
	// A run that was done before this session began took no time in it.
	if took := p.Ended.Sub(p.Started).Round(time.Second); p.State.IsFinal() && took > 0 && !p.JudgesOnly {
		parts = append(parts, "took "+widget.FormatDuration(took))
	}
	if p.InFlight > 0 {
		calls = append(calls, fmt.Sprintf("%d in flight", p.InFlight))
	}
	if p.Retrying > 0 {
		calls = append(calls, fmt.Sprintf("%d waiting to retry", p.Retrying))
	}
	if (o.short || !isMoving(o.r)) && !isJudging(o.r) {
		return []string{o.drawLine("answers", strings.Join(append(parts, calls...), " · "))}
	}
	calls = append(calls, widget.FormatCount(p.CallsLeft)+" left")
	out := []string{o.drawLine("answers", strings.Join(parts, " · ")), o.drawLine("calls", strings.Join(calls, " · "))}
	if o.short {
		return out
	}
	if h := o.m.rates[o.r.Run.ID]; h != nil && len(h.values) > 0 {
		most := h.values[max(0, len(h.values)-o.barWidth()):]
		out = append(out, o.drawLine("rate", o.m.theme.DrawSparkline(o.barWidth(), most)+o.m.theme.Faint.Render(" up to "+widget.FormatRate(slices.Max(most)))))
	}
	return out
}

// drawWorkers draws who shares a run: what each has answered, how fast, and its last word.
func (o *overview) drawWorkers() []string {
	all, t := o.r.Progress.Workers, o.m.theme
	if o.short && len(all) > 1 {
		away := eval.Count(all, func(w eval.WorkerProgress) bool { return w.State != "" })
		failed := eval.Sum(all, func(w eval.WorkerProgress) int { return w.Failed })
		return []string{o.drawLine("workers", fmt.Sprintf("%d at work · %d away · %d errors", len(all)-away, away, failed))}
	}
	return eval.Map(all, func(w eval.WorkerProgress) string {
		parts := []string{widget.CleanLine(w.Name), eval.Either(w.State == "", widget.FormatRate(w.Rate), w.State), widget.FormatCount(w.Answered) + " answers"}
		if w.Failed > 0 {
			parts = append(parts, t.Bad.Render(widget.FormatCount(w.Failed)+" errors"))
		}
		if w.Last != "" {
			parts = append(parts, t.Warn.Render("! "+job.CleanHeadOfText(w.Last)))
		}
		parts = append(parts, t.Faint.Render(widget.CleanLine(w.Endpoint)))
		return o.drawLine(eval.Either(w.Name == all[0].Name, "workers", ""), strings.Join(parts, " · "))
	})
}

// drawCost draws what a run cost so far, in money and tokens.
func (o *overview) drawCost() []string {
	p, t := o.r.Progress, o.m.theme
	usage := p.Counts.Usage
	for _, j := range p.Judges {
		usage.Add(j.Counts.Usage)
	}
	var money string
	if p.Priced || p.Cost > 0 || p.Budget > 0 {
		money = formatCostSoFar(p)
		if p.Budget > 0 {
			money += " of " + widget.FormatMoney(p.Budget)
		}
	}
	tokens := ""
	if usage != (eval.Usage{}) {
		tokens = job.FormatPromptTokens(&usage) + " · " + widget.FormatAbbreviated(usage.Completion) + " completion"
		if usage.Reasoning > 0 {
			tokens += " · " + widget.FormatAbbreviated(usage.Reasoning) + " of it reasoning"
		}
	}
	switch {
	case money == "" && tokens == "":
		return nil
	case o.short && money != "":
		return []string{o.drawLine("cost", job.JoinWithDot(money, widget.FormatAbbreviated(usage.Prompt)+" + "+widget.FormatAbbreviated(usage.Completion)+" tokens"))}
	}
	var out []string
	if money != "" {
		if p.Budget > 0 {
			money = t.DrawBar(o.barWidth(), p.Cost/p.Budget) + " " + money
		}
		out = append(out, o.drawLine("cost", money))
	}
	if tokens != "" {
		out = append(out, o.drawLine("tokens", tokens))
	}
	return out
}

// drawStatuses draws the bars of what became of the answers; with the errors they make all of them.
func (o *overview) drawStatuses() []string {
	t, c := o.m.theme, o.r.Progress.Counts
	bar := func(name string, n int, style widget.CachedStyle) string {
		text := fmt.Sprintf("%8s %8s", widget.FormatCount(n), widget.FormatShare(n, c.Predictions))
		return o.drawLine(name, t.DrawBar(o.barWidth(), widget.ShareOf(n, c.Predictions))+" "+style.Render(text))
	}
	unread, errs := t.Warn, t.Bad
	if c.CountUnparsed() == 0 {
		unread = t.Faint
	}
	if c.Failures == 0 {
		errs = t.Faint
	}
	out := []string{bar("extracted", c.Statuses[eval.Found], t.Text), bar("unparsed", c.CountUnparsed(), unread)}
	if o.r.Counting {
		out = append(out, o.drawLine("", t.Warn.Render("! by "+c.Reader+"; counted anew")))
	}
	var kinds []string
	for _, s := range []eval.Status{eval.None, eval.Refused, eval.Ambiguous, eval.Missing} {
		if o.short {
			kinds = append(kinds, s.String()+" "+widget.FormatCount(c.Statuses[s]))
		} else {
			out = append(out, bar("  "+s.String(), c.Statuses[s], t.Faint))
		}
	}
	if o.short {
		out = append(out, o.drawLine("", t.Faint.Render(strings.Join(kinds, ", "))))
	}
	return append(out, bar("errors", c.Failures, errs))
}

// drawOverview draws all that is known of how a run goes: at length where height
// allows it, else shorter. It may still be longer than height.
func drawOverview(m *projectBoard, r Row, width, height int) []string {
	o := overview{m: m, r: r, width: width}
	if out := o.drawLines(); len(out) <= height {
		return out
	}
	o.short = true
	return o.drawLines()
}

// projectBoard holds what the lists, the page of a run and the forms share: what was read
// of the project, where the cursors are, and the size of the screen.
type projectBoard struct {
	keymap.Spelling
	Deps
	projectLists
	ctx             context.Context // of the program: ends commands under way
	theme           *widget.Theme
	who             annotate.Annotator
	formKeys        form.Keys
	width, height   int
	whole           int    // the height, with the line of the next step
	next            string // the next step towards a saved report; "" without one
	loaded, loading bool
	again           bool // news came while loading
	filter          widget.Filter
	focus           listFocus
	space           *widget.PaneSize // of the list that keys move in
	errors          bool             // the answers shown are the errors
	choosing        bool             // judges are being chosen, beside the lists
	rates           map[eval.RunID]*rateHistory
	growths         map[eval.RunID]*progressHistory
	seen            time.Time // when the rows were read
	ticking         bool
	wanted          eval.RunID       // started just now: the cursor goes there
	sought          job.ID           // the same of a job
	question        *widget.Question // whether to cancel waits for an answer; nil: nothing does
}

// readAnswers reads the answers of the run under the cursor, and nothing else.
func (m *projectBoard) readAnswers() tea.Cmd {
	ask := m.newReadRequest()
	return func() tea.Msg { return ask.loadAnswers() }
}

func (m *projectBoard) newReadRequest() readRequest {
	r, _ := m.runs.currentRow()
	return readRequest{m.ctx, m.Source, m.Jobs, m.who, r.Run.ID, m.errors}
}

// refreshInSecond looks again in a second while runs are at work: times go on, and rates fall, without news.
func (m *projectBoard) refreshInSecond() tea.Cmd {
	if m.ticking || !slices.ContainsFunc(m.runs.all, isMoving) && !slices.ContainsFunc(m.jobs.all, func(j job.Row) bool { return j.IsMoving() }) {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}

func (m *projectBoard) isWide() bool { return m.width >= beside }

func (m *projectBoard) drawField(name, text string, width int) []string {
	return m.drawStyledField(name, text, width, m.theme.Text.Render)
}

func (m *projectBoard) drawStyledField(name, text string, width int, style func(...string) string) []string {
	lines := widget.WrapText(text, max(1, width-nameWidth-1))
	for i := range lines {
		lines[i] = m.theme.DrawField(name, style(lines[i]), nameWidth)
		name = ""
	}
	return lines
}

// showAnswersOrErrors shows the latest errors, or the latest answers.
func (m *projectBoard) showAnswersOrErrors(errors bool) tea.Cmd {
	if m.errors == errors {
		return nil
	}
	m.errors = errors
	return m.readAnswers()
}

// answersHeight is how many answers the page shows.
func (m *projectBoard) answersHeight() int { return max(1, m.height-eval.Either(m.isWide(), 2, 3)) }

// PercentDone is how far the runs and judges at work have come together; -1 when none is at work.
func (m *projectBoard) PercentDone() int {
	done, total := 0, 0
	for _, r := range m.runs.all {
		if isMoving(r) {
			d, t := countWorkDone(r)
			done, total = done+d, total+t
		}
	}
	for _, j := range m.jobs.all {
		if j.IsMoving() {
			done, total = done+j.Tally.CountStored(), total+j.Tally.Wanted
		}
	}
	if total == 0 {
		return -1
	}
	return min(100, 100*done/total)
}

// beside is the width from which on the detail stands right of the lists.
const beside = 140

// nameWidth is the width of the names in the detail.
const nameWidth = 11

// pauseOrResumeRun pauses a run, or goes on with one that rests.
func (m *projectBoard) pauseOrResumeRun(r Row) tea.Cmd {
	if canResume(r) {
		return m.steerRunByControl("resumed", r, Control.Resume)
	}
	return m.steerRunByControl("paused; calls in flight finish", r, Control.Pause)
}

// retryRun asks again what failed.
func retryRun(m *projectBoard, r Row) tea.Cmd {
	scheduler, id := m.Scheduler, r.Run.ID
	return newSteeringCmd(runTitle(r), "asking again what failed", func() error { return scheduler.Retry(id) })
}

// newCancelQuestion asks whether a run is to be cancelled.
func newCancelQuestion(m *projectBoard, r Row) *widget.Question {
	text := "Cancel " + runTitle(r) + "? Calls in flight finish, everything answered stays stored, and resuming continues from there."
	said := "cancelled; resume continues from here"
	if isJudging(r) {
		text = "Cancel the judge run of " + runTitle(r) + "? Calls in flight finish, everything read stays stored, and " + m.SpellKey("J") + " continues from there."
		said = m.SpellText("judge run cancelled; {J} continues from here")
	}
	return &widget.Question{Title: "Cancel", Text: text, Yes: "cancel it", No: "keep it running", Do: func() tea.Cmd {
		return m.steerRunByControl(said, r, Control.Cancel)
	}}
}

func (m *projectBoard) steerRunByControl(done string, r Row, act func(Control, eval.RunID) error) tea.Cmd {
	if m.Control == nil {
		return widget.NotifyCmd(widget.Info, "this project is open read-only")
	}
	control, id := m.Control, r.Run.ID
	return newSteeringCmd(runTitle(r), done, func() error { return act(control, id) })
}

// newSteeringCmd runs act in a command, and says what came of it.
func newSteeringCmd(name, done string, act func() error) tea.Cmd {
	return func() tea.Msg {
		if err := act(); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": " + done}
	}
}
