package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
	"concord/tui/home"
	reportscreen "concord/tui/report"
)

// Overview shows the store and the live runs as the home screen reads them.
type Overview struct {
	Store  *store.Store
	Live   *project.Live // of this process, whoever has started them
	Policy *blind.Policies
	Price  func(model string) eval.Price // nil: none is known

	Recounts *Recounts
}

var (
	_ home.Source  = Overview{}
	_ home.Control = (*jobs.RunningJobs)(nil)
)

// NextStep gives the next step on the way to a figure that can be cited.
func (h Overview) NextStep() (string, error) {
	steps, err := ListSetupSteps(h.Store, h.Recounts)
	return FirstOpenStep(steps).Keys, err
}

// Runs are all runs, live ones with their progress.
func (h Overview) Runs(ctx context.Context) ([]home.Row, error) {
	all, err := h.Store.Runs().List()
	if err != nil {
		return nil, err
	}
	out := make([]home.Row, 0, len(all))
	for _, r := range all {
		p, live := h.Live.Progress(r.ID)
		if live && !p.State.IsFinal() {
			out = append(out, home.Row{Run: r, Progress: p, Live: true})
			continue
		}
		var counting bool
		if !live {
			if p, counting, err = h.progressOfIdleRun(ctx, &r); err != nil {
				return nil, err
			}
		}
		d, err := h.Store.Datasets().Dataset(r.Config.Dataset)
		if err != nil {
			return nil, err
		}
		p.Total = d.Samples // the dataset may have grown since
		out = append(out, home.Row{Run: r, Progress: p, Live: live, Counting: counting})
	}
	return out, nil
}

// progressOfIdleRun is where a run stands that this process does not work on, and whether its totals
// are still to be counted.
func (h Overview) progressOfIdleRun(ctx context.Context, r *eval.Run) (p eval.Progress, counting bool, err error) {
	p.Run, p.Why = r.ID, r.Ended
	if p.Counts, counting, err = h.Recounts.CountsOrKept(ctx, h.Store, *r); err != nil {
		return p, false, err
	}
	if p.Judges, err = h.Store.Judgments().Counts(r.ID); err != nil {
		return p, false, err
	}
	p.Judges = slices.DeleteFunc(p.Judges, func(j eval.JudgeProgress) bool { return eval.JudgeOfCandidate(j.Judge) != "" })
	p.Cost, p.Priced = h.costAtCurrentPrices(r, &p)
	return p, counting, nil
}

// costAtCurrentPrices computes what a run has cost by today's prices, as a runner would say it. The
// run's own model and judges need a price before they have used anything; who
// was never asked, nor is to be, costs nothing that could be named.
func (h Overview) costAtCurrentPrices(r *eval.Run, p *eval.Progress) (sum float64, priced bool) {
	if h.Price == nil {
		return 0, false
	}
	named := false
	priced = true
	add := func(model string, u eval.Usage, asked bool) {
		if !asked && u == (eval.Usage{}) {
			return
		}
		price := h.Price(model)
		sum += price.Cost(u)
		named, priced = true, priced && price.IsKnown()
	}
	add(r.Config.Model, p.Counts.Usage, r.Config.Origin == eval.Asked)
	for i := range p.Judges {
		add(p.Judges[i].Judge, p.Judges[i].Counts.Usage, false)
	}
	for _, j := range r.Config.Settings.Judges {
		add(j.Judge, eval.Usage{}, true)
	}
	return sum, named && priced
}

// Datasets are all datasets, with the counts that are kept of them.
func (h Overview) Datasets(context.Context) ([]eval.Dataset, error) { return h.Store.Datasets().List() }

// Queues are all queues with where the annotator stands in them.
func (h Overview) Queues(_ context.Context, who annotate.Annotator) ([]home.Queue, error) {
	all, err := h.Store.Queues().List()
	if err != nil {
		return nil, err
	}
	out := make([]home.Queue, 0, len(all))
	for _, q := range all {
		tally, err := h.Store.Acts().Tallies(q.Name)
		if err != nil {
			return nil, err
		}
		row := home.Queue{Queue: q, Labelled: tally[who].Labelled, Skipped: tally[who].Skipped}
		row.Annotators = eval.Count(slices.Collect(maps.Values(tally)), func(t store.Tally) bool { return t.Labelled > 0 })
		out = append(out, row)
	}
	return out, nil
}

// passes is how many predictions most questions have at most. Of a sealed one
// only the first may show, so that so many times more are read than shown.
const passes = 4

// LatestAnswers are a run's last predictions, as its rules read them. Of sealed
// samples only those are among them that the person may know of.
func (h Overview) LatestAnswers(ctx context.Context, who annotate.Annotator, id eval.RunID, n int) ([]home.Answer, error) {
	last, err := h.Store.Runs().LatestPredictions(id, passes*n)
	if err != nil {
		return nil, err
	}
	return h.listShownAnswers(ctx, who, id, n, last)
}

// FailedAnswers are those of a run's predictions that are failures now, the ones
// furthest down the dataset, however long ago they were asked.
func (h Overview) FailedAnswers(ctx context.Context, who annotate.Annotator, id eval.RunID, n int) ([]home.Answer, error) {
	failed, err := h.Store.Runs().FailedPredictions(ctx, id, passes*n)
	if err != nil {
		return nil, err
	}
	out, err := h.listShownAnswers(ctx, who, id, n, failed)
	for i := range out {
		before, aerr := h.Store.Runs().ReplacedFailures(out[i].Key)
		err = errors.Join(err, aerr)
		out[i].Attempts = len(before) + 1
	}
	return out, err
}

// listShownAnswers are up to n of a run's predictions, as a person may see them, recorded as
// shown to them: the page names the model.
func (h Overview) listShownAnswers(ctx context.Context, who annotate.Annotator, id eval.RunID, n int, of []eval.Prediction) ([]home.Answer, error) {
	run, err := h.Store.Runs().Run(id)
	if err != nil {
		return nil, err
	}
	reader, err := facts.FindRulesOfRun(run)
	if err != nil {
		return nil, err
	}
	policy, err := h.Policy.NewPolicy(who, run.Config.Dataset)
	if err != nil {
		return nil, err
	}
	out := make([]home.Answer, 0, n)
	var told []annotate.Disclosure
	for i := 0; i < len(of) && len(out) < n; i++ {
		p := &of[i]
		view, err := policy.ViewSample(p.Sample)
		if err != nil {
			return nil, err
		}
		if !view.ShowsPrediction(p.Key) {
			continue
		}
		s, err := h.Store.Datasets().Sample(run.Config.Dataset, p.Sample)
		if err != nil {
			return nil, err
		}
		// That a run has answered so would name the model behind an item.
		if a := newAnswer(view, reader, &s, p); a.Visibility.ShowsText() {
			out = append(out, a)
			told = append(told, annotate.NewItemKey(p.Key).NewDisclosures(run.Config.Dataset, annotate.ModelContent, annotate.MachineContent)...)
		}
	}
	return out, h.Policy.RecordShown(ctx, who, fmt.Sprintf("last responses of run %d", id), told)
}

func newAnswer(view *blind.View, reader eval.Reader, s *eval.Sample, p *eval.Prediction) home.Answer {
	a := home.Answer{Key: p.Key, Sample: s.ID, Visibility: view.VisibilityOf(p.Key, makeUnreadTest(s, p))}
	switch {
	case !a.Visibility.ShowsText():
	case p.Failure != nil:
		a.Failure, a.Kind = p.Failure.Message, p.Failure.Kind
	default:
		a.Text, a.Reading = p.Text, eval.ReadPrediction(reader, s, p)
	}
	return a
}

// Reports is what the report screen computes from and saves to.
type Reports struct {
	curating.Source
	Policy *blind.Policies
	Cards  func(model string) (eval.Card, bool) // nil: nothing is known of any
	Writes bool                                 // files beside the project may be written
}

var (
	_ reportscreen.Source = Reports{}
	_ report.Facts        = Reports{}
)

// ModelCard is what the configuration knows of a model.
func (f Reports) ModelCard(model string) (eval.Card, bool) {
	if f.Cards == nil {
		return eval.Card{}, false
	}
	return f.Cards(model)
}

// SaveReport stores a report and gives it its number.
func (f Reports) SaveReport(ctx context.Context, r annotate.SavedReport) (uint64, error) {
	return f.Store.Reports().SaveReport(ctx, r)
}

// ExportReport writes a report as LaTeX and as HTML beside the project. It overwrites
// what concord wrote, and nothing else.
func (f Reports) ExportReport(r report.Report) (files []string, err error) {
	if !f.Writes {
		return nil, errors.New("files are written on the machine that holds the project, and not from elsewhere")
	}
	r.Version = eval.ThisBuild().String()
	for _, path := range exportPaths(f.Store, r.Name) {
		if ours, err := report.IsOwnFile(path); !ours && !errors.Is(err, os.ErrNotExist) {
			return files, cmp.Or(err, fmt.Errorf("write %s: concord did not write what is there: move it away", path))
		}
		out, err := cli.CreateOutFile(path, f.Store.Path())
		if err != nil {
			return files, err
		}
		format := eval.Either(strings.HasSuffix(path, ".html"), table.FormatHTML, table.FormatLaTeX)
		if err := out.CommitOrRemove(report.RenderReport(out, r, format, 0)); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

func exportPaths(st *store.Store, name string) []string {
	base := filepath.Join(filepath.Dir(st.Path()), name)
	return []string{base + ".tex", base + ".html"}
}

// CountLeft counts how many items of a queue a person has yet to answer.
func (f Reports) CountLeft(ctx context.Context, who annotate.Annotator, name annotate.QueueName) (int, error) {
	q, err := f.Store.Queues().Queue(name)
	if err != nil {
		return 0, err
	}
	return f.Policy.CountUnanswered(who, q, f.Store.Queues().QueueItems(ctx, name))
}
