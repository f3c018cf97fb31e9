package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/prompt"
	"concord/eval/text"
	"concord/tui/workshop"
)

// Workshop tries prompts of judges behind the screen.
type Workshop struct{ *Scheduler }

var _ workshop.Source = Workshop{}

// ReadTrials reads what was tried of a judge on the labels of a queue.
func (w Workshop) ReadTrials(ctx context.Context, q annotate.QueueName, judge string) (out workshop.Bench, err error) {
	l, err := w.reloadFactory()
	if err != nil {
		out.Why = err.Error()
		return out, nil //nolint:nilerr // the page says what is wrong with the configuration
	}
	if out.Queue = q; q == "" {
		if out.Queue, err = w.newestLabelledQueue(ctx); err != nil || out.Queue == "" {
			out.Why = "no queue has labels that a judge could be tried on: label some first"
			return out, err
		}
	}
	if out.Judges, err = w.listJudges(ctx, l, out.Queue); err != nil {
		return out, err
	}
	if len(out.Judges) == 0 {
		out.Why = "no model is configured that could be a judge: {connect@runs} on the screen of runs connects one"
		return out, nil
	}
	if out.Judge = judge; judge == "" {
		out.Judge = out.Judges[0]
	}
	now, err := NewTuningJob(ctx, l, &TuningOrder{Queue: out.Queue, Judge: out.Judge, Part: alignment.Development})
	if err != nil {
		out.Why = err.Error()
		return out, nil //nolint:nilerr // the page says why nothing can be tried
	}
	if out.Draft, err = readDraft(l, out.Queue, out.Judge); err != nil {
		return out, err
	}
	return out, w.addTriedPrompts(ctx, now, &out)
}

// newestLabelledQueue is the newest queue with labels that a judge can be tried on; "" without one.
func (w Workshop) newestLabelledQueue(ctx context.Context) (annotate.QueueName, error) {
	all, err := w.Store.Queues().List()
	slices.SortStableFunc(all, func(a, b annotate.Queue) int { return a.Created.Compare(b.Created) })
	for _, q := range slices.Backward(all) {
		keys, err := alignment.ListLabelledItems(ctx, facts.NewSource(w.Store), alignment.Options{Queue: q.Name, Part: alignment.Development})
		if err == nil && len(keys) > 0 {
			return q.Name, nil
		}
	}
	return "", err
}

// listJudges lists the models of the configuration, those first that were asked about what the queue holds.
func (w Workshop) listJudges(ctx context.Context, l *Factory, name annotate.QueueName) (first []string, err error) {
	q, err := w.Store.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	runs, err := w.Store.Runs().List()
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool)
	for _, r := range runs {
		if r.Config.Dataset != q.Rule.Dataset {
			continue
		}
		names, err := w.listJudgesAsked(ctx, &q, r.ID)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			known[n] = true
		}
	}
	names := eval.Map(l.Conf.Models(), func(m config.Model) string { return m.Name })
	first = eval.Select(names, func(n string) bool { return known[n] })
	return append(first, eval.Select(names, func(n string) bool { return !known[n] })...), nil
}

// listJudgesAsked lists the judges that were asked about a run what people are in the queue.
func (w Workshop) listJudgesAsked(ctx context.Context, q *annotate.Queue, run eval.RunID) (out []string, err error) {
	switch q.Rule.From {
	case annotate.FromPairs:
		all, err := w.Store.Votes().Comparisons(ctx)
		return eval.Map(all, func(c eval.ComparisonProgress) string { return eval.Either(c.A == run || c.B == run, c.Judge, "") }), err
	case annotate.FromCriteria:
		grades, err := eval.Collect(w.Store.Grades().All(ctx, run))
		return eval.Map(grades, func(g eval.Grade) string { return g.Judge }), err
	default:
		scored, err := w.Store.Scores().Counts(run)
		read, rerr := w.Store.Judgments().Judges(run)
		return append(read, eval.Map(scored, func(p eval.ScoreProgress) string { return p.Judge })...), errors.Join(err, rerr)
	}
}

// addTriedPrompts adds the prompts that were tried, those that were only written, and the judge's of now.
func (w Workshop) addTriedPrompts(ctx context.Context, now *TuningJob, out *workshop.Bench) error {
	read := facts.NewSource(w.Store)
	jobs := w.ListOtherJobs() // as they are before what they gave is read: none ends in between
	tried, err := alignment.ListCandidates(ctx, read, now.order.Options())
	if err != nil {
		return err
	}
	saved, err := read.SavedReports(out.Queue)
	if err != nil {
		return err
	}
	out.Looks = len(alignment.ListHeldOutLooks(saved))
	looks, err := alignment.MeasureHeldOutLooks(ctx, read, now.order.Options())
	if err != nil {
		return err
	}
	for i, c := range tried {
		one := workshop.Candidate{Name: c.Name, Asked: true, Agreement: c.Row.Alignment, Confusion: c.Row.Confusion, Fixed: responseKeys(c.Fixed), Broken: responseKeys(c.Broken), Changed: c.Changed, Spent: now.describeCandidateCost(&c.Spent)}
		if b, err := w.Store.Texts().Text(c.Prompt); err == nil {
			one.Text = string(b)
		}
		if i > 0 {
			one.Before = tried[i-1].Name
		}
		one.HeldOut, one.Looked = looks[c.Name].Agreement, looks[c.Name].Agreement.N > 0
		out.Candidates = append(out.Candidates, one)
	}
	written, err := filepath.Glob(filepath.Join(filepath.Dir(now.config().Factory.Path), promptFolder, "*.txt"))
	if err != nil {
		return err
	}
	for _, path := range written {
		base := strings.TrimSuffix(filepath.Base(path), ".txt")
		name := out.Judge + base[max(0, strings.LastIndex(base, eval.CandidateMark)):]
		if eval.JudgeOfCandidate(name) == out.Judge && text.Outside(name).ForFileName() == base && w.candidateIndex(out, name) < 0 {
			said, err := ReadPromptFile(path) // without it, the row says that there is no text
			if of := prompt.ParseHeaderName(said); err != nil || of == "" || slices.Contains(now.templates, of) {
				out.Candidates = append(out.Candidates, workshop.Candidate{Name: name, Text: said})
			}
		}
	}
	at := w.candidateIndex(out, now.Name())
	if at < 0 {
		at, out.Candidates = 0, slices.Insert(out.Candidates, 0, workshop.Candidate{Name: now.Name()})
	}
	out.Candidates[at].Now, out.Candidates[at].Text = true, now.order.Prompt
	for _, j := range jobs {
		if at := w.candidateIndex(out, j.Progress.Job.Asked); at >= 0 && !j.Progress.State.IsFinal() {
			done, total := j.Progress.CountDoneOfAll()
			out.Candidates[at].Working = strings.TrimSpace(fmt.Sprintf("%s, %d of %d %s", j.Progress.State, done, total, j.Progress.Why))
		}
	}
	return nil
}

// responseKeys lists the responses of items, of a pair the first.
func responseKeys(all []alignment.Labelled) []eval.Key {
	return slices.Compact(eval.Map(all, func(i alignment.Labelled) eval.Key { return i.Item.Key }))
}

// describeCandidateCost says what a candidate's replies cost, and how long one took.
func (t *TuningJob) describeCandidateCost(s *alignment.Spending) string {
	if s.Calls == 0 {
		return "nothing: taken over from the judge"
	}
	p := t.config().Factory.Models.priceOf(t.order.Judge)
	cost := eval.Either(p.IsKnown(), fmt.Sprintf("%.4g", p.Cost(s.Usage)), fmt.Sprintf("tokens %v", newUsageSummary(s.Usage)))
	return fmt.Sprintf("%s, for %s of %.2g s", cost, cli.FormatCount(s.Calls, "item"), s.Time.Seconds()/float64(s.Calls))
}

func (Workshop) candidateIndex(b *workshop.Bench, name string) int {
	return slices.IndexFunc(b.Candidates, func(c workshop.Candidate) bool { return c.Name == name })
}

// newTuningJob makes an order of the page out.
func (w Workshop) newTuningJob(ctx context.Context, o *workshop.Order) (*TuningJob, error) {
	l, err := w.reloadFactory()
	if err != nil {
		return nil, err
	}
	part := eval.Either(o.HeldOut, alignment.HeldOut, alignment.Development)
	return NewTuningJob(ctx, l, &TuningOrder{Queue: o.Queue, Judge: o.Judge, Prompt: o.Prompt, Part: part})
}

// KeepPrompt keeps a prompt in a file beside the project, and gives its candidate's name.
func (w Workshop) KeepPrompt(ctx context.Context, o workshop.Order) (string, error) {
	t, err := w.newTuningJob(ctx, &o)
	if err != nil {
		return "", err
	}
	return t.Name(), t.WritePromptFile()
}

// KeepDraft keeps what is not a prompt yet in a file beside the project; "" drops it.
func (w Workshop) KeepDraft(q annotate.QueueName, judge, said string) error {
	l, err := w.LoadFactoryOnce()
	if err != nil {
		return err
	}
	if said == "" {
		if err := os.Remove(draftPath(l, q, judge)); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	return writeBesideProject(l, draftPath(l, q, judge), said)
}

func draftPath(l *Factory, q annotate.QueueName, judge string) string {
	return filepath.Join(filepath.Dir(l.Path), promptFolder, text.Outside(judge+"."+string(q)).ForFileName()+".draft")
}

func readDraft(l *Factory, q annotate.QueueName, judge string) (string, error) {
	said, err := ReadPromptFile(draftPath(l, q, judge))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return said, err
}

// Estimate says in a line what is asked and what that costs; "" when nothing is left to ask.
func (w Workshop) Estimate(ctx context.Context, o workshop.Order) (string, error) {
	t, err := w.newTuningJob(ctx, &o)
	if err != nil || t.CountPending() == 0 {
		return "", err
	}
	e, err := t.Estimate()
	return FormatEstimateLine(e), err
}

// Start begins to ask in the background.
func (w Workshop) Start(ctx context.Context, o workshop.Order) error {
	t, err := w.newTuningJob(ctx, &o)
	if err != nil {
		return err
	}
	if t.CountPending() == 0 {
		return t.StoreUnderCandidate(ctx)
	}
	r, err := t.NewRunner(ctx, Effort{})
	if err != nil {
		return err
	}
	_, err = w.StartJob(w.Ctx, r)
	w.MarkChanged()
	return err
}

// MeasureHeldOut measures a prompt on the held-out part, and saves that it was looked at.
func (w Workshop) MeasureHeldOut(ctx context.Context, o workshop.Order, who annotate.Annotator) error {
	t, err := w.newTuningJob(ctx, &o)
	if err != nil {
		return err
	}
	if err := t.StoreUnderCandidate(ctx); err != nil {
		return err
	}
	r, err := alignment.ReportAlignment(ctx, facts.NewSource(w.Store), alignment.Options{Queue: o.Queue, Part: alignment.HeldOut, Judge: t.Name()})
	if err != nil {
		return err
	}
	saved, err := report.NewSavedReport(&r, who, w.Project.Now())
	if err != nil {
		return err
	}
	_, err = w.Store.Reports().SaveReport(ctx, saved)
	return err
}

// Promote makes the prompt the judge's in the configuration, and names its file.
func (w Workshop) Promote(ctx context.Context, o workshop.Order, who annotate.Annotator) (string, error) {
	t, err := w.newTuningJob(ctx, &o)
	if err != nil {
		return "", err
	}
	file, _, err := t.MakePromptJudges(ctx, who)
	return file, err
}
