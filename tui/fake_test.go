package tui

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/home"
	"concord/tui/samples"
)

var clock = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// project is a small project in memory.
type project struct {
	rows   []home.Row
	queues []home.Queue

	datasets []eval.Dataset
	samples  []eval.Sample
	latest   []home.Answer
	failed   []home.Answer
	saved    []annotate.SavedReport
	steered  []string
	blind    map[eval.Key]bool
	left     map[annotate.Annotator]int // items that are yet to be answered
	pending  int
	acted    int
	votes    bool // judges and people have voted
	repeats  int  // of every vote, beside the first
	reads    int  // of acts
}

func (p *project) Runs() ([]eval.Run, error) {
	var out []eval.Run
	for _, r := range p.rows {
		out = append(out, r.Run)
	}
	return out, nil
}

// homeRows is the project as the home screen reads it.
type homeRows struct{ *project }

func (h homeRows) Runs(context.Context) ([]home.Row, error) {
	return append([]home.Row(nil), h.rows...), nil
}

func (h homeRows) Datasets(context.Context) ([]eval.Dataset, error) {
	return append([]eval.Dataset(nil), h.datasets...), nil
}

func (h homeRows) Queues(context.Context, annotate.Annotator) ([]home.Queue, error) {
	return append([]home.Queue(nil), h.queues...), nil
}

func (h homeRows) LatestAnswers(_ context.Context, _ annotate.Annotator, _ eval.RunID, n int) ([]home.Answer, error) {
	var out []home.Answer
	for _, a := range h.latest[:min(n, len(h.latest))] {
		if a.Visibility = blind.AllVisible; h.blind[a.Key] {
			a = home.Answer{Key: a.Key, Sample: a.Sample, Visibility: blind.TextHidden}
		}
		out = append(out, a)
	}
	return out, nil
}

func (h homeRows) FailedAnswers(_ context.Context, _ annotate.Annotator, _ eval.RunID, n int) ([]home.Answer, error) {
	return h.failed[:min(n, len(h.failed))], nil
}

func (p *project) Pause(r eval.RunID) error {
	p.steered = append(p.steered, fmt.Sprint("pause ", r))
	return nil
}

func (p *project) Resume(r eval.RunID) error {
	p.steered = append(p.steered, fmt.Sprint("resume ", r))
	return nil
}

func (p *project) Cancel(r eval.RunID) error {
	p.steered = append(p.steered, fmt.Sprint("cancel ", r))
	return nil
}

func (p *project) Datasets() ([]eval.Dataset, error) {
	return []eval.Dataset{{Name: "demo", Samples: len(p.samples), Complete: true, Synthetic: true}}, nil
}

func (p *project) Questions(_ context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for _, s := range p.samples {
			q := eval.Question{Sample: s}
			passes := 1
			if r.Config.Strategy == eval.Circular {
				passes = s.PassCount()
			}
			for i := range passes {
				k := eval.Key{Run: r.ID, Sample: s.Ordinal, Pass: eval.Pass(i)}
				q.Predictions = append(q.Predictions, p.answer(k, &s))
			}
			if !yield(q, nil) {
				return
			}
		}
	}
}

// answer is right, wrong or hard to read, by the key.
func (p *project) answer(k eval.Key, s *eval.Sample) eval.Prediction {
	shown := s.ShowInPass(k.Pass)
	text := "The answer is " + string(shown.Answer) + "."
	switch (int(k.Sample)*3 + int(k.Pass) + int(k.Run)) % 7 {
	case 3:
		text = "It could be many things, hard to tell from here."
	case 5:
		text = "The answer is A."
	}
	return eval.Prediction{Key: k, Text: text, At: clock}
}

// hard are the predictions of run 1 that are hard to read.
func (p *project) hard() []eval.Key {
	var out []eval.Key
	if len(p.rows) == 0 {
		return nil
	}
	for q, err := range p.Questions(context.Background(), p.rows[0].Run) {
		if err != nil {
			return nil
		}
		for _, a := range q.Predictions {
			if strings.Contains(a.Text, "hard to tell") {
				out = append(out, a.Key)
			}
		}
	}
	return out
}

// Judgments are a judge's readings: the hard ones mean nothing, but every
// fifth one.
func (p *project) Judgments(_ context.Context, run eval.RunID) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		for i, k := range p.hard() {
			j := eval.Judgment{Key: k, Judge: "judge-x", Extraction: eval.Extraction{Status: eval.None}, Call: eval.Call{At: clock}}
			if i%5 == 0 {
				j.Extraction = eval.Extraction{Choice: "A", Status: eval.Found}
			}
			if run == 1 && !yield(j, nil) {
				return
			}
		}
	}
}

func (p *project) Queue(n annotate.QueueName) (annotate.Queue, error) {
	for _, q := range p.queues {
		if q.Name == n {
			return q.Queue, nil
		}
	}
	return annotate.Queue{}, eval.ErrNotFound
}

func (p *project) Queues() ([]annotate.Queue, error) {
	var out []annotate.Queue
	for _, q := range p.queues {
		out = append(out, q.Queue)
	}
	return out, nil
}

func (p *project) GoldItems(annotate.QueueName) ([]annotate.Gold, error) { return nil, nil }

func (p *project) QueueItems(_ context.Context, q annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	return func(yield func(annotate.QueueItem, error) bool) {
		for i, k := range p.pairItems() {
			if q == "duels" && !yield(annotate.QueueItem{Index: i, Key: k, Inclusion: 1}, nil) {
				return
			}
		}
		for i, k := range p.hard() {
			if q == "unparsable" && !yield(annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 1}, nil) {
				return
			}
		}
	}
}

// QueueActs are ada's: most of the queue means nothing, every seventh an A.
func (p *project) QueueActs(_ context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	p.reads++
	return func(yield func(annotate.Act, error) bool) {
		keys := p.hard()
		for i, k := range keys[:len(keys)*3/4] {
			a := annotate.Act{
				Queue: q, Annotator: "ada", N: uint32(i + 1), Item: annotate.NewItemKey(k), Kind: annotate.Labelled,
				Reading: annotate.Reading{Kind: annotate.SaidNone}, At: clock,
			}
			if i%7 == 0 {
				a.Reading = annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}
			}
			if q == "unparsable" && !yield(a, nil) {
				return
			}
		}
	}
}

func (p *project) Prediction(k eval.Key) (eval.Prediction, error) {
	return p.answer(k, &p.samples[k.Sample]), nil
}

func (p *project) Sample(_ eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	return p.samples[o], nil
}

func (p *project) ExternalScores(context.Context) iter.Seq2[eval.ExternalScore, error] {
	return func(func(eval.ExternalScore, error) bool) {}
}

func (p *project) Heads() ([]annotate.Head, error) { return nil, nil }

func (p *project) SavedReports(q annotate.QueueName) ([]annotate.SavedReport, error) {
	var out []annotate.SavedReport
	for _, r := range p.saved {
		if r.Queue == q {
			out = append(out, r)
		}
	}
	return out, nil
}

func (p *project) SaveReport(_ context.Context, r annotate.SavedReport) (uint64, error) {
	r.ID = uint64(len(p.saved) + 1)
	p.saved = append(p.saved, r)
	return uint64(len(p.saved)), nil
}

func (p *project) ExportReport(report.Report) ([]string, error) { return nil, nil }

func (p *project) CountLeft(_ context.Context, who annotate.Annotator, _ annotate.QueueName) (int, error) {
	return p.left[who], nil
}

// behind is the project as the samples screen reads it.
type behind struct{ *project }

func (b behind) RowsOfRun(ctx context.Context, who annotate.Annotator, run eval.RunID, want func(*samples.Row) bool) iter.Seq2[samples.Row, error] {
	return samples.FilterRows(b.RowsOfKeys(ctx, samples.Ask{Who: who}, func(yield func(eval.Key, error) bool) {
		for _, s := range b.samples {
			if !yield(eval.Key{Run: run, Sample: s.Ordinal}, nil) {
				return
			}
		}
	}), want)
}

func (b behind) RowsOfKeys(_ context.Context, a samples.Ask, keys iter.Seq2[eval.Key, error]) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		for k, err := range keys {
			row := b.row(k, a.Tells)
			if k.Run == 0 {
				row = samples.Row{Key: k, Dataset: a.Dataset, Sample: row.Sample, Visibility: blind.AllVisible, Text: b.samples[k.Sample].Question, Truth: row.Truth}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func (b behind) row(k eval.Key, tells bool) samples.Row {
	s := b.samples[k.Sample]
	switch {
	case b.blind[k] && tells:
		return samples.Row{LeftOut: true}
	case b.blind[k]:
		return samples.Row{Key: k, Sample: s.ID, Visibility: blind.TextHidden}
	}
	return samples.Row{
		Key: k, Sample: s.ID, Visibility: blind.AllVisible, Text: b.answer(k, &s).Text, Truth: s.ShowInPass(k.Pass).Answer,
		Result: samples.Right, Reading: eval.Extraction{Choice: s.ShowInPass(k.Pass).Answer, Status: eval.Found, Method: "answer-is"},
	}
}

func (b behind) DetailInRun(_ context.Context, _ annotate.Annotator, run eval.RunID, o eval.Ordinal) (samples.Detail, error) {
	s := b.samples[o]
	d := samples.Detail{
		Sample: s.ID, Question: s.Question, Options: s.Options, Taxonomy: s.Taxonomy,
		Blinded: b.blind[eval.Key{Run: run, Sample: o}],
	}
	if d.Blinded {
		d.Passes = []samples.Pass{{Visibility: blind.TextHidden, Options: s.Options}}
		return d, nil
	}
	d.Truth, d.Model = s.Answer, b.rows[0].Run.Config.Model
	for i := range s.PassCount() {
		k := eval.Key{Run: run, Sample: o, Pass: eval.Pass(i)}
		shown := s.ShowInPass(k.Pass)
		d.Passes = append(d.Passes, samples.Pass{
			Pass: k.Pass, Visibility: blind.AllVisible, Options: shown.Options, Truth: shown.Answer, Text: b.answer(k, &s).Text,
			Readings: []blind.MachineReading{{
				Extractor:  "rules:concord",
				Extraction: eval.Extraction{Choice: shown.Answer, Status: eval.Found, Method: "answer-is"},
			}},
		})
	}
	return d, nil
}

func (b behind) SampleDetail(_ context.Context, _ annotate.Annotator, _ eval.DatasetName, o eval.Ordinal) (samples.Detail, error) {
	s := b.samples[o]
	return samples.Detail{Sample: s.ID, Question: s.Question, Options: s.Options, Taxonomy: s.Taxonomy, Truth: s.Answer}, nil
}

func (b behind) Picture(eval.PictureHash) ([]byte, error) { return nil, io.EOF }

func (p *project) State() session.JournalState {
	return session.JournalState{Pending: p.pending, Saved: p.acted}
}

func (p *project) Flush(context.Context) error {
	p.pending = 0
	return nil
}

// demo is a project with runs in several states and a queue.
func demo() *project {
	p := &project{blind: map[eval.Key]bool{{Run: 1, Sample: 2}: true}}
	levels := [][]string{{"perception", "colour"}, {"perception", "count"}, {"reasoning", "position"}}
	for i := range 60 {
		p.samples = append(p.samples, eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint(100 + i)), Kind: eval.KindChoice,
			Question: fmt.Sprintf("Which shape is left of the circle in image %d?", i),
			Options: []eval.Option{
				{Letter: "A", Text: "the square"},
				{Letter: "B", Text: "三角形"},
				{Letter: "C", Text: "the star"},
				{Letter: "D", Text: "nothing"},
			},
			Answer: eval.Choice("ABCD"[i%4 : i%4+1]), Taxonomy: levels[i%3],
		})
	}
	counts := func(q, found, none, refused, ambiguous, missing, failed int) eval.Counts {
		c := eval.Counts{Questions: q, Failures: failed, Reader: "concord@3"}
		c.Statuses[eval.Found], c.Statuses[eval.None], c.Statuses[eval.Refused] = found, none, refused
		c.Statuses[eval.Ambiguous], c.Statuses[eval.Missing] = ambiguous, missing
		c.Predictions = found + none + refused + ambiguous + missing + failed
		return c
	}
	config := func(model string, s eval.Strategy) eval.Config {
		return eval.Config{
			Dataset: "demo", Model: model, Strategy: s, Modality: eval.WithImage, Origin: eval.Replayed,
			Rules: "concord", Synthetic: true,
		}
	}
	p.rows = []home.Row{
		{Run: eval.Run{ID: 1, Config: config("otter-7b", eval.Circular)}, Live: true, Progress: eval.Progress{
			Run: 1, State: eval.Running, Total: 60, Counts: counts(42, 110, 3, 4, 2, 8, 1), InFlight: 4, Retrying: 1,
			Rate: 9.8, CallsLeft: 118, Started: clock, LastFailure: "transient: 429 too many requests",
		}},
		{Run: eval.Run{ID: 2, Config: config("lynx-vl", eval.Vanilla)}, Live: true, Progress: eval.Progress{
			Run: 2, State: eval.Paused, Total: 60, Counts: counts(20, 18, 0, 2, 0, 0, 0), Started: clock,
		}},
		{Run: eval.Run{ID: 3, Config: eval.Config{
			Dataset: "mmbench_dev_20230712", Model: "llava-v1.5-13b", Strategy: eval.Circular, Modality: eval.WithImage,
			Origin: eval.Imported, Rules: "vlmevalkit-2026", File: "mmbench_dev_20230712_llava-v1.5-13b.xlsx",
		}}, Progress: eval.Progress{Run: 3, Total: 1176, Counts: counts(1176, 4200, 20, 3, 11, 143, 0)}},
	}
	p.queues = []home.Queue{
		{Queue: annotate.Queue{
			Name: "unparsable", Rule: annotate.Rule{Dataset: "demo", From: annotate.FromUnparsable, Rules: "concord", Rate: 1, Runs: []eval.RunID{1}},
			Stratum: annotate.Random, Overlap: 1, Growing: true, Population: 35, Items: 19,
			Guideline: annotate.Guideline{Version: 1, Text: "Read the answer as its writer meant it."}, Synthetic: true,
		}, Labelled: 7, Skipped: 1, Annotators: 2},
		{Queue: annotate.Queue{
			Name: "hard ones", Rule: annotate.Rule{Dataset: "mmbench_dev_20230712", From: annotate.FromDisagreements},
			Stratum: annotate.Priority, Overlap: 3, Population: 120, Items: 50,
		}, Labelled: 50, Annotators: 1},
	}
	for i := range 8 {
		p.latest = append(p.latest, home.Answer{
			Key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}, Sample: eval.SampleID(fmt.Sprint(100 + i)),
			Text:    "The shape left of the circle is the square,\nso the answer is (A).",
			Reading: eval.Extraction{Choice: "A", Status: eval.Found, Method: "answer-is"},
		})
	}
	return p
}
