package report

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
)

// Scanned is what one scan counted: all that the reports over runs need.
type Scanned struct {
	Runs    []ScannedRun
	bySplit bool
	split   string // the only one that is wanted; "": all
}

// ScannedRun is what a scan counted of one run.
type ScannedRun struct {
	Run    eval.Run
	Rules  eval.Reader
	Judges []string
	Second string                                 // the judge that completes the rules' readings, "" without
	Named  bool                                   // second is asked for by name: no other judge is of interest
	find   func(name string) (eval.Reader, error) // of rule sets
	Tally  *metric.Tally
	Metric string // of the dataset's score; "": accuracy
}

// ScanRuns counts the runs that the options ask for, each in one pass over its questions.
func ScanRuns(ctx context.Context, facts Facts, o Options) (*Scanned, error) {
	return ScanRunsThatServe(ctx, facts, &o, "runs to report", func(*eval.Run) bool { return true })
}

// ScanRunsThatServe counts those runs of the options that serve a report, and says what is
// needed when there is none.
func ScanRunsThatServe(ctx context.Context, facts Facts, o *Options, need string, serves func(*eval.Run) bool) (*Scanned, error) {
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r eval.Run) bool { return !o.IncludesRun(r) || !serves(&r) })
	if len(runs) == 0 {
		return nil, fmt.Errorf("find %s: %w", need, eval.ErrNotFound)
	}
	m, err := NewProgress(facts, runs, o.Progress)
	if err != nil {
		return nil, err
	}
	out := &Scanned{bySplit: o.BySplit, split: o.Split}
	judged := o.Judge == "" || o.Judge == NoJudge
	for _, r := range runs {
		f, err := scanRun(ctx, facts, r, o, m)
		if err != nil {
			return nil, fmt.Errorf("report run %d: %w", r.ID, err)
		}
		judged = judged || slices.Contains(f.Judges, o.Judge)
		out.Runs = append(out.Runs, f)
	}
	if !judged {
		return nil, fmt.Errorf("find extracted answers of judge %q: %w", o.Judge, eval.ErrNotFound)
	}
	m.FinishProgress()
	if o.Split != "" && !slices.ContainsFunc(out.Runs, func(r ScannedRun) bool { return len(out.SplitsOfRun(&r)) > 0 }) {
		return nil, fmt.Errorf("find questions of split %q: %w", o.Split, eval.ErrNotFound)
	}
	return out, nil
}

func scanRun(ctx context.Context, facts Facts, r eval.Run, o *Options, m *Progress) (ScannedRun, error) {
	if o.Shared != nil {
		if f, ok := o.Shared.runs[r.ID]; ok {
			return f, nil
		}
	}
	scheme, f, err := NewSchemeOfRun(ctx, facts, r, o)
	if err != nil {
		return f, err
	}
	if f.Tally, err = TallyQuestions(ctx, ReadQuestions(ctx, facts, r, f.Rules), scheme, m); err == nil && o.Shared != nil {
		eval.EnsureMap(&o.Shared.runs)[r.ID] = f
	}
	return f, err
}

// DescribeNotRead says which runs hold answers that no figure counts.
func (f *Scanned) DescribeNotRead() []string {
	var notes []string
	for i := range f.Runs {
		r := &f.Runs[i]
		if n := eval.Sum(r.Tally.Splits(), func(s string) int { return r.Tally.CountsOfSplit(s).Positions.NotRead }); n > 0 {
			notes = append(notes, fmt.Sprintf("Run %d holds answers of a kind that the rules %s do not read; no figure counts them (%s).",
				r.Run.ID, r.Rules.Name(), table.FormatGrouped(n)))
		}
	}
	return notes
}

// NewSchemeOfRun gives how a run is read under the options.
func NewSchemeOfRun(ctx context.Context, facts Facts, r eval.Run, o *Options) (*metric.Scheme, ScannedRun, error) {
	f := ScannedRun{Run: r, find: o.Reader}
	rules, err := o.findRulesOfRun(r)
	if err != nil {
		return nil, f, err
	}
	f.Rules = rules
	scheme := &metric.Scheme{Run: r, Rules: rules}
	sets, err := facts.Datasets()
	if err != nil {
		return nil, f, err
	}
	if d := eval.Find(sets, func(d *eval.Dataset) bool { return d.Name == r.Config.Dataset }); d != nil {
		f.Metric = d.Metric
	}
	js, err := ReadJudgments(ctx, facts, r.ID, false, extractionOf)
	if err != nil {
		return nil, f, err
	}
	for i, name := range js.names {
		said := js.ByKey[name]
		if o.decidingJudge(r) == name {
			f.Second, scheme.Second, f.Named = name, i+1, o.Judge == name
		}
		scheme.Judges = append(scheme.Judges, metric.Judge{
			Name:    name,
			Reading: func(k eval.Key) (eval.Extraction, bool) { e, ok := said[k]; return e, ok },
			Failed:  func(k eval.Key) (again, failed bool) { again, failed = js.failed[name][k]; return again, failed },
		})
	}
	f.Judges = js.names
	return scheme, f, nil
}

// BatchSize is how many questions a worker takes at once: enough that handing
// them over costs nothing beside reading them.
const BatchSize = 256

// TallyQuestions reads the questions on all processors. Counting is commutative, so
// the figures do not depend on who counted what.
func TallyQuestions(ctx context.Context, questions Questions, s *metric.Scheme, m *Progress) (*metric.Tally, error) {
	parts := make([]*metric.Tally, max(1, runtime.GOMAXPROCS(0)))
	work := make(chan []eval.Question, len(parts)) // so that no side waits for the other to wake
	done := make(chan []eval.Question, 2*len(parts)+1)
	var wg sync.WaitGroup
	for i := range parts {
		parts[i] = metric.NewTally(s)
		wg.Go(func() {
			for qs := range work {
				for j := range qs {
					parts[i].AddQuestion(&qs[j])
				}
				recycleBatch(done, qs)
			}
		})
	}
	err := sendBatches(ctx, questions, work, done, m)
	close(work)
	wg.Wait()
	if err != nil {
		return nil, err
	}
	for _, p := range parts[1:] {
		parts[0].Merge(p)
	}
	return parts[0], nil
}

// recycleBatch has a batch filled again, if one is wanted.
func recycleBatch(done chan<- []eval.Question, qs []eval.Question) {
	select {
	case done <- qs[:0]:
	default:
	}
}

// sendBatches hands out the questions; batches that are done with are filled again.
func sendBatches(ctx context.Context, questions Questions, work chan<- []eval.Question, done <-chan []eval.Question, m *Progress) error {
	var some []eval.Question
	for q, err := range questions {
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
		if some = append(some, q); len(some) < BatchSize {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		work <- some
		m.AddRead(len(some))
		select {
		case some = <-done:
		default:
			some = make([]eval.Question, 0, BatchSize)
		}
	}
	if len(some) > 0 {
		work <- some
		m.AddRead(len(some))
	}
	return context.Cause(ctx)
}

// Progress counts the questions that a scan has read.
type Progress struct {
	done, total int
	tell        func(done, total int)
}

// NewProgress measures against the samples of the runs' datasets.
func NewProgress(facts Facts, runs []eval.Run, tell func(done, total int)) (*Progress, error) {
	m := &Progress{tell: tell}
	if tell == nil {
		return m, nil
	}
	sets, err := facts.Datasets()
	if err != nil {
		return nil, fmt.Errorf("list datasets: %w", err)
	}
	samples := eval.IndexBy(sets, func(d eval.Dataset) (eval.DatasetName, int) { return d.Name, d.Samples })
	for _, r := range runs {
		m.total += samples[r.Config.Dataset]
	}
	return m, nil
}

// AddRead counts questions that were read.
func (m *Progress) AddRead(n int) {
	m.done += n
	if m.tell != nil && m.done/BatchSize%16 == 0 {
		m.tell(m.done, max(m.done, m.total))
	}
}

// FinishProgress tells that all is read.
func (m *Progress) FinishProgress() {
	if m.tell != nil {
		m.tell(m.done, m.done)
	}
}

// SharedScans keeps what reading a run came to, for reports that are made one after the other: reading
// a run again costs far more than a report. It is good for options that read alike (Rules, Judge,
// Reader) over facts that stay as they are, and not for several goroutines. The zero value is empty.
type SharedScans struct {
	runs map[eval.RunID]ScannedRun
	kept []any // by packages of reports, each of a type of its own
}

// SharedValueOrNew is what a package of reports keeps of its own from one report to the
// next, made when it is asked for first. Nothing is kept without Shared.
func SharedValueOrNew[T any](s *SharedScans, first func() T) T {
	if s == nil {
		return first()
	}
	for _, k := range s.kept {
		if t, ok := k.(T); ok {
			return t
		}
	}
	t := first()
	s.kept = append(s.kept, t)
	return t
}

// Decided is what a run makes of each question of its dataset under a strategy.
type Decided struct {
	Source Source
	Rules  string // name@version
	Judge  string // that completes their readings; "": none
	Marks  metric.Marks
	Passes []eval.Pass // to look at first, by sample
}

// DecideRun decides every question of a run, in the order of its dataset, and tells each with its verdict.
func DecideRun(
	ctx context.Context, facts Facts, run eval.Run, o *Options, strategy eval.Strategy, m *Progress, tell func(*eval.Sample, metric.QuestionState),
) (*Decided, error) {
	scheme, f, err := NewSchemeOfRun(ctx, facts, run, o)
	if err != nil {
		return nil, err
	}
	d := &Decided{Source: f.ReadingSource(), Rules: eval.ReaderID(f.Rules), Judge: f.Second}
	var room []metric.Reading
	err = eachReadAhead(ctx, ReadQuestions(ctx, facts, run, f.Rules), m, func(q *eval.Question) {
		outcome := scheme.DecideReusing(room[:0], q)
		room = outcome.Readings
		verdict := outcome.StateUnder(strategy)
		d.Marks.Set(q.Sample.Ordinal, metric.MarkOfState(verdict))
		for int(q.Sample.Ordinal) >= len(d.Passes) {
			d.Passes = append(d.Passes, 0)
		}
		if strategy == eval.Circular {
			d.Passes[q.Sample.Ordinal], _ = outcome.DecidingPass()
		}
		tell(&q.Sample, verdict)
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// eachReadAhead goes through questions in their order, while the next ones are read.
func eachReadAhead(ctx context.Context, questions Questions, m *Progress, each func(*eval.Question)) error {
	work, done := make(chan []eval.Question, 1), make(chan []eval.Question, 2)
	read := make(chan error, 1)
	go func() {
		defer close(work)
		read <- sendBatches(ctx, questions, work, done, m)
	}()
	for qs := range work {
		for i := range qs {
			each(&qs[i])
		}
		recycleBatch(done, qs)
	}
	return <-read
}

// PassToShow is the pass of a question to look at first.
func (d *Decided) PassToShow(o eval.Ordinal) eval.Pass {
	if int(o) >= len(d.Passes) {
		return 0
	}
	return d.Passes[o]
}

// Extractor is who read the answers, as rows name it.
func (d *Decided) Extractor() string { return d.Source.Extractor }
