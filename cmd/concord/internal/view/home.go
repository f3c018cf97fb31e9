package view

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/eval"
	"concord/store"
	"concord/tui/home"
	reportscreen "concord/tui/report"
)

// Overview shows the store and the live runs as the home screen reads them.
type Overview struct {
	Store  *store.Store
	Live   *jobs.Running
	Policy *blind.Policies
	Price  func(model string) eval.Price // nil: none is known
}

var (
	_ home.Source  = Overview{}
	_ home.Control = (*jobs.Running)(nil)
)

// Next is the next step on the way to a figure that can be cited.
func (h Overview) Next() (string, error) {
	steps, err := Steps(h.Store)
	return NextStep(steps).Keys, err
}

// Runs are all runs, live ones with their progress.
func (h Overview) Runs(context.Context) ([]home.Row, error) {
	all, err := h.Store.Runs().List()
	if err != nil {
		return nil, err
	}
	totals := make(map[eval.DatasetName]int)
	out := make([]home.Row, 0, len(all))
	for _, r := range all {
		p, live := h.Live.Progress(r.ID)
		if live && !p.State.Final() {
			out = append(out, home.Row{Run: r, Progress: p, Live: true})
			continue
		}
		if !live {
			if p, err = h.resting(&r); err != nil {
				return nil, err
			}
		}
		total, known := totals[r.Config.Dataset]
		if !known {
			d, err := h.Store.Datasets().Dataset(r.Config.Dataset)
			if err != nil {
				return nil, err
			}
			total = d.Samples
			totals[r.Config.Dataset] = total
		}
		p.Total = total // the dataset may have grown since
		out = append(out, home.Row{Run: r, Progress: p, Live: live})
	}
	return out, nil
}

// resting is where a run stands that this process does not work on.
func (h Overview) resting(r *eval.Run) (p eval.Progress, err error) {
	p.Run = r.ID
	if p.Counts, err = h.Store.Runs().Counts(r.ID); err != nil {
		return p, err
	}
	if p.Judges, err = h.Store.Judgments().Counts(r.ID); err != nil {
		return p, err
	}
	p.Cost, p.Priced = h.cost(r, &p)
	return p, nil
}

// cost is what a run has cost by today's prices, as a runner would say it. The
// run's own model and judges need a price before they have used anything; who
// was never asked, nor is to be, costs nothing that could be named.
func (h Overview) cost(r *eval.Run, p *eval.Progress) (sum float64, priced bool) {
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
		named, priced = true, priced && price.Known()
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
		tally, err := h.Store.Acts().Tally(q.Name)
		if err != nil {
			return nil, err
		}
		row := home.Queue{Queue: q, Labelled: tally[who].Labelled, Skipped: tally[who].Skipped}
		for _, t := range tally {
			if t.Labelled > 0 {
				row.Annotators++
			}
		}
		out = append(out, row)
	}
	return out, nil
}

// passes is how many predictions most questions have at most. Of a sealed one
// only the first may show, so that so many times more are read than shown.
const passes = 4

// Latest are a run's last predictions, as its rules read them. Of sealed
// samples only those are among them that the person may know of.
func (h Overview) Latest(ctx context.Context, who annotate.Annotator, id eval.RunID, n int) ([]home.Answer, error) {
	last, err := h.Store.Runs().Latest(id, passes*n)
	if err != nil {
		return nil, err
	}
	return h.seen(ctx, who, id, n, last)
}

// Failures are those of a run's predictions that are failures now, the ones
// furthest down the dataset, however long ago they were asked.
func (h Overview) Failures(ctx context.Context, who annotate.Annotator, id eval.RunID, n int) ([]home.Answer, error) {
	failed, err := h.Store.Runs().Failures(ctx, id, passes*n)
	if err != nil {
		return nil, err
	}
	out, err := h.seen(ctx, who, id, n, failed)
	for i := range out {
		before, aerr := h.Store.Runs().Attempts(out[i].Key)
		err = errors.Join(err, aerr)
		out[i].Attempts = len(before) + 1
	}
	return out, err
}

// seen are up to n of a run's predictions, as a person may see them, recorded as
// shown to them: the page names the model.
func (h Overview) seen(ctx context.Context, who annotate.Annotator, id eval.RunID, n int, of []eval.Prediction) ([]home.Answer, error) {
	run, err := h.Store.Runs().Run(id)
	if err != nil {
		return nil, err
	}
	reader, err := facts.ReaderOf(run)
	if err != nil {
		return nil, err
	}
	policy, err := h.Policy.For(who, run.Config.Dataset)
	if err != nil {
		return nil, err
	}
	out := make([]home.Answer, 0, n)
	var told []annotate.Disclosure
	for i := 0; i < len(of) && len(out) < n; i++ {
		p := &of[i]
		view, err := policy.Sample(p.Sample)
		if err != nil {
			return nil, err
		}
		if !view.Shows(p.Key) {
			continue
		}
		s, err := h.Store.Datasets().Sample(run.Config.Dataset, p.Sample)
		if err != nil {
			return nil, err
		}
		// That a run has answered so would name the model behind an item.
		if a := latest(view, reader, &s, p); a.Visibility.ShowsText() {
			out = append(out, a)
			told = append(told, annotate.ItemOf(p.Key).Disclose(run.Config.Dataset, annotate.ModelContent, annotate.MachineContent)...)
		}
	}
	return out, h.Policy.Show(ctx, who, fmt.Sprintf("last responses of run %d", id), told)
}

func latest(view *blind.View, reader eval.Reader, s *eval.Sample, p *eval.Prediction) home.Answer {
	a := home.Answer{Key: p.Key, Sample: s.ID, Visibility: view.Visibility(p.Key, unread(s, p))}
	switch {
	case !a.Visibility.ShowsText():
	case p.Failure != nil:
		a.Failure, a.Kind = p.Failure.Message, p.Failure.Kind
	default:
		a.Text, a.Reading = p.Text, eval.Read(reader, s, p)
	}
	return a
}

// Reports is what the report screen computes from and saves to.
type Reports struct {
	curating.Source
	Policy *blind.Policies
	Cards  func(model string) (eval.Card, bool) // nil: nothing is known of any
}

var (
	_ reportscreen.Source = Reports{}
	_ report.Facts        = Reports{}
)

// Card is what the configuration knows of a model.
func (f Reports) Card(model string) (eval.Card, bool) {
	if f.Cards == nil {
		return eval.Card{}, false
	}
	return f.Cards(model)
}

// SaveReport stores a report and gives it its number.
func (f Reports) SaveReport(ctx context.Context, r annotate.SavedReport) (uint64, error) {
	return f.Store.Reports().SaveReport(ctx, r)
}

// Left is how many items of a queue a person has yet to answer.
func (f Reports) Left(ctx context.Context, who annotate.Annotator, name annotate.QueueName) (int, error) {
	q, err := f.Store.Queues().Queue(name)
	if err != nil {
		return 0, err
	}
	return f.Policy.Left(who, q, f.Store.Queues().QueueItems(ctx, name))
}

// Step is one step on the way from a file of predictions to a figure that can
// be cited. Keys and Command say how it is taken: keys in braces, as they are
// named at a place of the app.
type Step struct {
	Name    string `json:"step"`
	Done    bool   `json:"done"`
	Said    string `json:"state"`
	Keys    string `json:"-"`
	Command string `json:"command"`
}

// way is what a project holds of what the steps need.
type way struct {
	dataset                  string
	runs, answered, unparsed int
	queue                    annotate.Queue // the newest of responses; no name: there is none
	labeled, reports         int
}

// Steps are all steps of a project, in their order.
func Steps(st *store.Store) ([]Step, error) {
	w, err := takeStock(st)
	if err != nil {
		return nil, err
	}
	from, queue := "unparsed --sample 100%", w.queue.Name
	if w.unparsed < fewest {
		from = "all --sample 100"
	} else if w.unparsed > 200 {
		from = "unparsed --sample 200"
	}
	if queue == "" {
		queue = "first"
	}
	return []Step{
		{"import", w.runs > 0, fmt.Sprintf("%d runs", w.runs), "{i@runs} imports predictions, {n@runs} asks a model", "concord import predictions FILE --dataset NAME --model NAME"},
		{"extract", w.runs > 0, fmt.Sprintf("%d of %d unparsed", w.unparsed, w.answered), "", "concord report steps"},
		{"draw", w.queue.Name != "", fmt.Sprintf("queue %s, %d items", queue, w.queue.Items), "{l@runs} draws a queue to label: which " + formOf(from), "concord queue create first --dataset " + w.dataset + " --from " + from},
		{"label", w.queue.Name != "" && w.labeled >= w.queue.Items, fmt.Sprintf("%d of %d items labeled", w.labeled, w.queue.Items), fmt.Sprintf("{tab@runs}, {enter@runs} opens queue %s: %d of %d labeled", queue, w.labeled, w.queue.Items), "concord review --queue " + string(queue)},
		{"compare", w.reports > 0, fmt.Sprintf("%d saved reports", w.reports), "{a@runs} the report, {/@report} Alignment, {S@report} saves it", "concord report alignment --save --queue " + string(queue)},
		{"correct", false, "the score with people's labels", "in a shell: concord report accuracy --corrected --format latex > accuracy.tex", "concord report accuracy --corrected"},
		{"export", false, "LaTeX and HTML", "in a shell: concord report accuracy --corrected --format latex", "concord report accuracy --corrected --format latex > accuracy.tex"},
	}, nil
}

// formOf is what a queue is drawn from, in the words of the form.
func formOf(from string) string {
	population, size, _ := strings.Cut(from, " --sample ")
	if population == "all" {
		population = "all answers"
	}
	if size == "100%" {
		return population + ", sample size all"
	}
	return population + ", sample size number " + size
}

// fewest is how many unparsed responses are worth a queue of their own: a
// corrected score takes at least ten labels that count.
const fewest = 20

// NextStep is the first step that is not done.
func NextStep(steps []Step) Step {
	for _, s := range steps {
		if !s.Done {
			return s
		}
	}
	return Step{}
}

func takeStock(st *store.Store) (w way, err error) {
	runs, err := st.Runs().List()
	if err != nil {
		return w, err
	}
	for _, r := range runs {
		c, err := st.Runs().Counts(r.ID)
		if err != nil {
			return w, err
		}
		w.runs, w.dataset = w.runs+1, string(r.Config.Dataset)
		w.answered += c.Predictions
		w.unparsed += c.Unparsable()
	}
	queues, err := st.Queues().List()
	if err != nil {
		return w, err
	}
	for _, q := range queues {
		if q.ForLabels() == nil {
			w.queue = q
		}
	}
	if w.queue.Name == "" {
		return w, nil
	}
	places, err := st.Acts().Places(w.queue.Name)
	if err != nil {
		return w, err
	}
	for _, n := range places {
		if n >= w.queue.Overlap {
			w.labeled++
		}
	}
	saved, err := st.Reports().SavedReports("")
	w.reports = len(saved)
	return w, err
}
