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

// Figures is what one scan counted: all that the reports over runs need.
type Figures struct {
	runs    []runFigures
	bySplit bool
	split   string // the only one that is wanted; "": all
}

type runFigures struct {
	run    eval.Run
	rules  eval.Reader
	judges []string
	second string                                 // the judge that completes the rules' readings, "" without
	named  bool                                   // second is asked for by name: no other judge is of interest
	find   func(name string) (eval.Reader, error) // of rule sets
	tally  *metric.Tally
}

// Scan counts the runs that the options ask for, each in one pass over its
// questions.
func Scan(ctx context.Context, facts Facts, o Options) (*Figures, error) {
	return scan(ctx, facts, &o, "runs to report", func(*eval.Run) bool { return true })
}

// scan counts those runs of the options that serve a report, and says what is
// needed when there is none.
func scan(ctx context.Context, facts Facts, o *Options, need string, serves func(*eval.Run) bool) (*Figures, error) {
	runs, err := facts.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r eval.Run) bool { return !o.wants(r) || !serves(&r) })
	if len(runs) == 0 {
		return nil, fmt.Errorf("find %s: %w", need, eval.ErrNotFound)
	}
	m, err := NewProgress(facts, runs, o.Progress)
	if err != nil {
		return nil, err
	}
	out := &Figures{bySplit: o.BySplit, split: o.Split}
	judged := o.Judge == "" || o.Judge == NoJudge
	for _, r := range runs {
		f, err := scanRun(ctx, facts, r, o, m)
		if err != nil {
			return nil, fmt.Errorf("report run %d: %w", r.ID, err)
		}
		judged = judged || slices.Contains(f.judges, o.Judge)
		out.runs = append(out.runs, f)
	}
	if !judged {
		return nil, fmt.Errorf("find readings of judge %q: %w", o.Judge, eval.ErrNotFound)
	}
	m.End()
	if o.Split != "" && !slices.ContainsFunc(out.runs, func(r runFigures) bool { return len(out.splits(&r)) > 0 }) {
		return nil, fmt.Errorf("find questions of split %q: %w", o.Split, eval.ErrNotFound)
	}
	return out, nil
}

func scanRun(ctx context.Context, facts Facts, r eval.Run, o *Options, m *Progress) (runFigures, error) {
	if f, ok := o.Shared.figures(r.ID); ok {
		return f, nil
	}
	scheme, f, err := schemeOf(ctx, facts, r, o)
	if err != nil {
		return f, err
	}
	if f.tally, err = tally(ctx, facts.Questions(ctx, r), scheme, m); err == nil {
		o.Shared.keep(r.ID, &f)
	}
	return f, err
}

// notRead says which runs hold answers that no figure counts.
func (f *Figures) notRead() []string {
	var notes []string
	for i := range f.runs {
		r := &f.runs[i]
		if n := r.tally.Whole().Positions.NotRead; n > 0 {
			notes = append(notes, fmt.Sprintf("Run %d holds answers of a kind that the rules %s do not read; no figure counts them (%s).",
				r.run.ID, r.rules.Name(), table.Grouped(n)))
		}
	}
	return notes
}

// schemeOf is how a run is read under the options.
func schemeOf(ctx context.Context, facts Facts, r eval.Run, o *Options) (*metric.Scheme, runFigures, error) {
	f := runFigures{run: r, find: o.Reader}
	rules, err := rulesOf(o.Reader, o.rules(r))
	if err != nil {
		return nil, f, err
	}
	f.rules = rules
	scheme := &metric.Scheme{Run: r, Rules: rules}
	js, err := judgesOf(ctx, facts, r.ID)
	if err != nil {
		return nil, f, err
	}
	for i, name := range js.names {
		if o.judge(r) == name {
			f.second, scheme.Second, f.named = name, i+1, o.Judge == name
		}
		scheme.Judges = append(scheme.Judges, metric.Judge{
			Name: name, Reading: js.reading(name), Failed: func(k eval.Key) bool { return js.failed[name][k] },
		})
	}
	f.judges = js.names
	return scheme, f, nil
}

// batch is how many questions a worker takes at once: enough that handing
// them over costs nothing beside reading them.
const batch = 256

// tally reads the questions on all processors. Counting is commutative, so
// the figures do not depend on who counted what.
func tally(ctx context.Context, questions seqQuestions, s *metric.Scheme, m *Progress) (*metric.Tally, error) {
	work := make(chan []eval.Question)
	parts := make([]*metric.Tally, max(1, runtime.GOMAXPROCS(0)))
	var wg sync.WaitGroup
	for i := range parts {
		parts[i] = metric.NewTally(s)
		wg.Go(func() {
			for qs := range work {
				for j := range qs {
					parts[i].Add(&qs[j])
				}
			}
		})
	}
	err := deal(ctx, questions, work, m)
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

func deal(ctx context.Context, questions seqQuestions, work chan<- []eval.Question, m *Progress) error {
	var some []eval.Question
	for q, err := range questions {
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
		if some = append(some, q); len(some) < batch {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		work <- some
		m.add(len(some))
		some = make([]eval.Question, 0, batch)
	}
	if len(some) > 0 {
		work <- some
		m.add(len(some))
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
	for _, r := range runs {
		for _, d := range sets {
			if d.Name == r.Config.Dataset {
				m.total += d.Samples
			}
		}
	}
	return m, nil
}

func (m *Progress) add(n int) {
	m.done += n
	if m.tell != nil && m.done/batch%16 == 0 {
		m.tell(m.done, max(m.done, m.total))
	}
}

// End tells that all is read.
func (m *Progress) End() {
	if m.tell != nil {
		m.tell(m.done, m.done)
	}
}
