package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/engine"
)

// errBudget ends a run without a screen that has cost what it may: a gate not met, for scripts.
var errBudget = errors.New("the budget is spent: a larger --budget continues")

// collectAt is the garbage in percent of what is live at which it is collected while a run goes on. What is
// live then is a few megabytes, so that by the default every thousandth call would wait for a collection.
const collectAt = 400

// collectFrom is how much memory the process has when garbage is collected more
// often than that, in bytes: a large image that is live would allow for several
// times its size of garbage. GOMEMLIMIT stands in its place where it is set.
const collectFrom = 448 << 20

// CollectGarbageSeldom has garbage collected seldom while many calls or sessions go on, until restore is called.
func CollectGarbageSeldom() (restore func()) {
	percent, limit := debug.SetGCPercent(collectAt), debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		debug.SetMemoryLimit(collectFrom)
	}
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// runToEnd brings a run, or another job, to its end in the foreground, and shows under that
// name where it stands meanwhile. One that pauses by itself ends here, since nobody could
// resume it. lines are what else there is to say, taken now and then; nil: nothing.
func runToEnd(ctx context.Context, a *project.Project, r *engine.Runner, name string, lines func() []string) (eval.Progress, error) {
	defer CollectGarbageSeldom()()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	m := &runProgress{meter: a.NewProgress(name), name: name}
	defer m.meter.RemoveBar()
	defer m.printLines(lines)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	paused := false
	for {
		select {
		case err := <-ended:
			progress := r.Progress()
			if paused && progress.State != eval.Done { // its last call may have cost what was left
				return progress, errBudget
			}
			return progress, err
		case <-tick.C:
			progress := r.Progress()
			m.printLines(lines)
			m.showProgress(progress)
			if progress.State == eval.Paused && progress.InFlight == 0 && !paused {
				paused = true
				cancel()
			}
		}
	}
}

// runProgress shows a run on the error stream.
type runProgress struct {
	meter *cli.Progress
	name  string // as messages call it
	state eval.State
	quiet time.Duration // between two lines of a wait, longer each time: a weekend's log stays short
	next  time.Time
}

func (m *runProgress) printLines(take func() []string) {
	if take == nil {
		return
	}
	for _, line := range take() {
		if m.meter.PrintLine(m.name + ": " + cli.EscapeControls(line)); m.meter.Env.JSON {
			text, _ := json.Marshal(map[string]string{"workers": line}) // text has a form in JSON
			_, _ = fmt.Fprintf(m.meter.Env.Err, "%s\n", text)
		}
	}
}

const (
	quietFirst = 30 * time.Second
	quietMost  = 10 * time.Minute
)

func (m *runProgress) showProgress(p eval.Progress) {
	done, total := p.CountDoneOfAll()
	now := m.meter.Env.Now()
	if p.State != m.state && p.State == eval.Holding {
		m.meter.PrintLine(fmt.Sprintf("%s: %s; it is tried until it answers (Ctrl-C stops, the same command continues)", m.name, cli.EscapeControls(p.Why)))
		m.quiet, m.next = quietFirst, now.Add(quietFirst)
	}
	if p.State != m.state && m.state == eval.Holding && p.State == eval.Running {
		m.meter.PrintLine(m.name + ": the endpoint answers again")
	}
	m.state = p.State
	if p.State == eval.Holding && !m.meter.Env.IsTerm {
		if now.Before(m.next) {
			return
		}
		m.quiet = min(2*m.quiet, quietMost)
		m.next = now.Add(m.quiet)
	}
	m.meter.ShowLine(int64(done), int64(total), strings.Join(formatProgressWords(p), ", "))
}

// formatProgressWords are the words of a progress line, the most wanted first.
func formatProgressWords(p eval.Progress) []string {
	done, total := p.CountDoneOfAll()
	unit := cmp.Or(map[eval.Work]string{eval.Voting: "vote", eval.Scoring: "score", eval.Captioning: "caption", eval.Grading: "call", eval.Reading: "extraction"}[p.Job.Work], "question")
	words := []string{fmt.Sprintf("%d of %s", done, cli.FormatCount(total, unit))}
	if p.State == eval.Holding {
		return append(words, "waiting for the endpoint")
	}
	if p.Job.Work == eval.Answering {
		words = append(words, cli.FormatCount(p.Counts.Predictions-p.Counts.Failures, "answer"))
	}
	if n := p.Tally.Unparsed; n > 0 {
		words = append(words, fmt.Sprintf("%d unparsed", n))
	}
	if n := p.Counts.Failures + p.Tally.Failed; n > 0 {
		words = append(words, cli.FormatCount(n, "error"))
	}
	words = append(words, eval.Map(p.Judges, func(j eval.JudgeProgress) string { return fmt.Sprintf("%d judged", j.Counts.Judged) })...)
	words = append(words, fmt.Sprintf("%.1f/s", p.Rate))
	if eta, ok := p.ETA(); ok {
		words = append(words, eta.Round(time.Second).String()+" left")
	}
	if p.Priced && p.Cost > 0 {
		words = append(words, fmt.Sprintf("cost %.4g", p.Cost))
	}
	return words
}

// singleCallJob is a job of single calls to one model, made out: what stands is known, and what is due.
//
//	order --Factory--> job --runner--> engine.Runner --> Running or runToEnd
type singleCallJob interface {
	Title() string               // what messages call it
	configuredModelName() string // the model, as reports name it
	factName() string            // what a call gives, as in "vote"
	comparedRuns() []eval.Run    // whose answers it is about
	Estimate() (eval.Estimate, error)
	NewRunner(ctx context.Context, e Effort) (*engine.Runner, error)
	writeDueCalls(ctx context.Context, w *BatchWriter) (unasked int, err error)
	printSummary(p eval.Progress, ended error) error // what became of it
}

// NewForegroundRunner makes a job of an order, brings it to its end in the foreground, and says what became of it.
func NewForegroundRunner[O any, J singleCallJob](order *O, of func(*Factory, context.Context, *O) (J, error)) func(ctx context.Context, l *Factory, e Effort, onlyEstimate bool) error {
	return func(ctx context.Context, l *Factory, e Effort, onlyEstimate bool) error {
		j, err := of(l, ctx, order)
		if err != nil {
			return err
		}
		return l.RunInForeground(ctx, j, e, onlyEstimate)
	}
}

// RunInForeground brings a job to its end in the foreground, and says what became of it.
func (l *Factory) RunInForeground(ctx context.Context, j singleCallJob, e Effort, onlyEstimate bool) error {
	estimated, err := j.Estimate()
	if err != nil {
		return err
	}
	if onlyEstimate {
		return PrintEstimate(l.Project, estimated)
	}
	if err := l.warnBeforePaying(j, e); err != nil {
		return err
	}
	if e.Export != "" {
		return exportDueCalls(ctx, l.Project, j, e.Export)
	}
	if !l.JSON && e.Results == "" {
		_, _ = fmt.Fprintf(l.Err, "%s: %s\n", j.Title(), FormatEstimateLine(estimated))
	}
	r, err := j.NewRunner(ctx, e)
	if err != nil {
		return err
	}
	progress, err := runToEnd(ctx, l.Project, r, j.Title(), nil)
	if serr := j.printSummary(progress, err); serr != nil {
		err = errors.Join(err, serr)
	}
	t := &progress.Tally
	switch {
	case errors.Is(err, errBudget):
		return cli.StatusError{Code: cli.ExitGate, Quiet: true}
	case err != nil:
		return err
	case t.Failed > 0 && t.Failed == t.Wanted:
		return fmt.Errorf("%s: no call was answered; see: concord doctor", j.Title())
	case t.CountPending() > 0 && e.Results != "":
		return fmt.Errorf("%s without a result: --batch-export writes them again", cli.FormatCount(t.CountPending(), j.factName()))
	case t.CountPending() > 0:
		return fmt.Errorf("%s left to an outage: the same command asks on", cli.FormatCount(t.CountPending(), j.factName()))
	}
	return nil
}

// warnBeforePaying says what weakens what a job is for before it is paid for.
func (l *Factory) warnBeforePaying(j singleCallJob, e Effort) error {
	say := func(text string) {
		if !l.JSON {
			_, _ = fmt.Fprintf(l.Err, "concord: %s\n", cli.EscapeControls(text))
		}
	}
	for _, r := range j.comparedRuns() {
		text, err := facts.WhyUnfinished(l.Store, r)
		if err != nil {
			return err
		}
		if text != "" {
			say(text)
		}
	}
	if terms := l.newTerms(e, j.configuredModelName()); terms.Budget > 0 && !l.Models.priceOf(j.configuredModelName()).IsKnown() {
		say(fmt.Sprintf("the budget of %g cannot be held: no price is known of %s", terms.Budget, j.configuredModelName()))
	}
	return nil
}
