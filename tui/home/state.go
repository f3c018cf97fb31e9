package home

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/eval"
	"concord/tui/widget"
)

// StateText gives a run's state in words: what a runner says, else what is stored. A
// run that was judged only is as it was before.
func StateText(r Row) string {
	switch s := r.Progress.State; {
	case s == eval.Running && r.Progress.JudgesOnly:
		return "judging"
	case s != eval.StateUnset && !ranJudgesOnly(r):
		return s.String()
	}
	done, total := r.Progress.CountDoneQuestions()
	stored := eval.Either(total > 0 && done >= total, "done", "stopped")
	return eval.Either(r.Run.Config.Origin == eval.Imported, "imported", stored)
}

// canResume reports whether a run rests and would go on.
func canResume(r Row) bool {
	return !slices.Contains([]eval.State{eval.Running, eval.Waiting, eval.Holding}, r.Progress.State)
}

// whyNotPause says why a run can be neither paused nor resumed; "" when it can.
func whyNotPause(r Row) string {
	done, total := r.Progress.CountDoneQuestions()
	switch {
	case isImported(r) && !isMoving(r) && (!r.Progress.JudgesOnly || ranJudgesOnly(r)):
		return "imported from a file: there is nothing to pause"
	case isMoving(r):
		return ""
	case r.Progress.State == eval.Done && !ranJudgesOnly(r) || (!r.Live || ranJudgesOnly(r)) && total > 0 && done >= total:
		return "this run is done"
	}
	return ""
}

// whyNotCancel says why a run cannot be cancelled; "" when it can.
func whyNotCancel(r Row) string {
	switch {
	case isImported(r) && !isMoving(r):
		return "imported from a file: there is nothing to cancel"
	case !r.Live || r.Progress.State.IsFinal():
		return "this run is not running"
	}
	return ""
}

// whyNotRetry says why what failed in a run cannot be asked again; "" when it can. Keys stand in braces.
func whyNotRetry(r Row) string {
	failed := r.Progress.Counts.Failures + eval.Sum(r.Progress.Judges, func(j eval.JudgeProgress) int { return j.Counts.Failures })
	switch {
	case isMoving(r):
		return "it is still at work: what failed can be asked again when it has ended"
	case isImported(r) && failed == r.Progress.Counts.Failures:
		return "imported from a file: nobody can be asked again"
	case isImported(r) && !r.Progress.JudgesOnly:
		return "{J} asks its judges again"
	case failed == 0:
		return "nothing failed in this run"
	}
	return ""
}

// whyNotJudge says why there is nothing in a run for a judge; "" when there is, or may come.
func whyNotJudge(r Row) string {
	c := r.Progress.Counts
	switch {
	case isGrowing(r) || c.CountUnparsed() > 0:
		return ""
	case c.Predictions == c.Failures:
		return "there are no answers to judge in this run"
	}
	return "the rules read every answer of this run: nothing is left to judge"
}

// isJudging reports whether judges, and nobody else, are at work on a run.
func isJudging(r Row) bool { return isMoving(r) && r.Progress.JudgesOnly }

// countWorkDone counts how much of a run's work is done, of how much: its judges' where they alone work.
func countWorkDone(r Row) (done, total int) {
	if isJudging(r) {
		return countReadings(r.Progress)
	}
	return r.Progress.CountDoneQuestions()
}

// countReadings counts how much of what the rules left was read, by all judges at work, of how much.
func countReadings(p eval.Progress) (done, total int) {
	for _, j := range p.Judges {
		if j.Asked {
			done += min(j.Counts.Judged, p.Counts.CountUnparsed())
			total += p.Counts.CountUnparsed()
		}
	}
	return done, total
}

func isImported(r Row) bool { return r.Run.Config.Origin == eval.Imported }

// isGrowing reports whether answers of the model come in.
func isGrowing(r Row) bool { return isMoving(r) && !r.Progress.JudgesOnly }

// ranJudgesOnly reports whether only judges were at work on a run, and have ended: to
// cancel them ends nothing that the run itself is for.
func ranJudgesOnly(r Row) bool {
	p := r.Progress
	return p.JudgesOnly && (p.State == eval.Done || p.State == eval.Cancelled && !isImported(r))
}

// isMoving reports whether a run is worked on, so that its numbers change.
func isMoving(r Row) bool {
	return r.Live && !r.Progress.State.IsFinal() && r.Progress.State != eval.StateUnset
}

// runTitle names a run in messages.
func runTitle(r Row) string {
	out := fmt.Sprintf("%s on %s", widget.CleanLine(r.Run.Config.Model), widget.CleanLine(string(r.Run.Config.Dataset)))
	if g := describeInput(r); g != "" {
		out += ", " + g
	}
	return out
}

// describeInput describes what the model is given instead of the pictures; "" when it is given these.
func describeInput(r Row) string {
	switch g := r.Run.Config.Modality; g {
	case eval.TextOnly, eval.GreyImage, eval.BaseText, eval.WithoutImages:
		return g.String()
	case eval.ModalityUnset, eval.WithImage:
	}
	return ""
}

// formatCostSoFar gives the cost; one that not every price is known of is at least so much.
func formatCostSoFar(p eval.Progress) string {
	switch {
	case p.Priced:
		return widget.FormatMoney(p.Cost)
	case p.Cost > 0:
		return "≥" + widget.FormatMoney(p.Cost)
	}
	return "–"
}

// shortenFailure gives a failure's message without the endpoint and the model where that is
// the run's own: they would fill the line.
func shortenFailure(r Row, text string) string {
	for _, name := range []string{r.Run.Config.Model, r.Run.Config.Settings.Name} {
		before, rest, ok := strings.Cut(text, fmt.Sprintf("model %q: ", name))
		if i := strings.LastIndex(before, "endpoint "); ok && i >= 0 {
			return before[:i] + rest
		}
	}
	return text
}

// updateProgressCharts follows the runs that are worked on.
func updateProgressCharts(m *projectBoard, now time.Time) {
	for _, r := range m.runs.rows {
		g, n := m.growths[r.Run.ID], r.Progress.Counts.Predictions
		switch {
		case !isMoving(r) && g != nil:
			g.addFinalCount(n, now)
		case !isMoving(r):
		case g == nil:
			g = &progressHistory{}
			eval.EnsureMap(&m.growths)[r.Run.ID] = g
			fallthrough
		default:
			g.addCount(n, now)
		}
	}
}

// drawProgressChart draw a run's answers over time in width by height cells; nothing
// where there is too little room, or too little to see.
func drawProgressChart(m *projectBoard, r Row, width, height int) []string {
	const least, side = 5, 8 // lines, and the cells of the numbers
	g := m.growths[r.Run.ID]
	if g == nil || len(g.done) < 3 || height < least || width < 4*side {
		return nil
	}
	first, last := g.done[0], g.done[len(g.done)-1]
	if last <= first {
		return nil
	}
	t, took := m.theme, g.at.Sub(g.from)
	note := fmt.Sprintf("%s in %s, %s on average", widget.FormatCount(int(last-first)), widget.FormatDuration(took), widget.FormatRate((last-first)/max(1, took.Seconds())))
	out := []string{t.DrawSection("Answers over time", note, false, width)}
	rows := min(height-2, 16)
	area := t.DrawArea(g.done, 0, last, width-side-1, rows)
	for y, l := range area {
		number := ""
		switch y {
		case 0:
			number = widget.FormatCount(int(last))
		case rows - 1:
			number = "0"
		}
		out = append(out, t.Faint.Render(fmt.Sprintf("%*s ", side, number))+l)
	}
	const clock = "15:04:05"
	return append(out, widget.JoinEnds(fmt.Sprintf("%*s ", side, "")+t.Faint.Render(g.from.Local().Format(clock)), t.Faint.Render(g.at.Local().Format(clock)), width))
}

// addProgressChart puts a run's answers over time below other lines, given room and something to see.
func addProgressChart(m *projectBoard, lines []string, r Row, width, height int) []string {
	over := drawProgressChart(m, r, width, height)
	if over == nil {
		return lines
	}
	return append(append(lines, ""), over...)
}

// recordRates adds the present rates of the runs that are worked on, and forgets those that are not.
func recordRates(m *projectBoard, now time.Time) {
	for _, r := range m.runs.all {
		switch {
		case !isMoving(r):
			delete(m.rates, r.Run.ID)
		case m.rates[r.Run.ID] == nil:
			eval.EnsureMap(&m.rates)[r.Run.ID] = &rateHistory{}
			fallthrough
		default:
			m.rates[r.Run.ID].addRate(r.Progress.Rate, now)
		}
	}
}

// history is how many seconds of rates are kept of a run.
const history = 120

// rateHistory is how fast a run was in the last seconds.
type rateHistory struct {
	values []float64 // one a second, the newest last
	at     time.Time // of the newest
}

// addRate notes a rate, at most once a second.
func (h *rateHistory) addRate(rate float64, now time.Time) {
	if now.Sub(h.at) < time.Second-50*time.Millisecond { // ticks come a little early, too
		return
	}
	h.at = now
	h.values = append(h.values, rate)
	if len(h.values) >= 2*history {
		h.values = append(h.values[:0], h.values[len(h.values)-history:]...)
	}
}

// progressHistory is how many answers of a run were there over the time that it was watched, from its start
// in this session to its end. It keeps a bounded number of samples, further apart the longer the run takes.
type progressHistory struct {
	done    []float64
	step    time.Duration // between samples
	from    time.Time     // of the first one
	at      time.Time     // of the newest
	resting bool          // the run is not worked on any more
}

// most is how many samples are kept: as many as a wide screen has columns.
const most = 2 * history

// addCount notes how many answers there are. A run that was taken up again begins anew.
func (g *progressHistory) addCount(n int, now time.Time) {
	if g.resting || g.step == 0 {
		*g = progressHistory{step: time.Second, from: now}
	}
	if len(g.done) > 0 && now.Sub(g.at) < g.step-50*time.Millisecond { // ticks come a little early
		return
	}
	g.at = now
	g.done = append(g.done, float64(n))
	if len(g.done) < most {
		return
	}
	for i := range len(g.done) / 2 {
		g.done[i] = g.done[2*i+1]
	}
	g.done = g.done[:len(g.done)/2]
	g.step *= 2
}

// addFinalCount notes how many there were in the end.
func (g *progressHistory) addFinalCount(n int, now time.Time) {
	if g.resting {
		return
	}
	g.resting, g.at = true, now
	g.done = append(g.done, float64(n))
}

// formatCountOf writes how many of how many.
func formatCountOf(done, total int) string {
	return widget.FormatCount(done) + " of " + widget.FormatCount(total)
}

// formatPercent gives whole percents; less than all is never 100.
func formatPercent(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", 100*k/n)
}

// mark stands before names of what is synthetic: a name may be cut at its end.
const mark = "*"

// noStarter says why no run can be started.
const noStarter = "runs cannot be started here: the project is open read-only, or without its endpoints"
