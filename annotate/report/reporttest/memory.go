package reporttest

import (
	"context"
	"iter"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Memory is Facts held in memory: what a store would hold after an import.
type Memory struct {
	AllDatasets    []eval.Dataset
	AllRuns        []eval.Run
	AllSamples     map[eval.DatasetName][]eval.Sample
	AllPredictions map[eval.RunID]map[eval.Ordinal][]eval.Prediction
	AllJudgments   map[eval.RunID][]eval.Judgment
	AllQueues      []annotate.Queue
	Items          map[annotate.QueueName][]annotate.QueueItem
	Acts           map[annotate.QueueName][]annotate.Act
	GoldItemsOf    map[annotate.QueueName][]annotate.Gold
	Saved          map[annotate.QueueName][]annotate.SavedReport
	AllMeasures    []eval.ExternalScore
	AllHeads       []annotate.Head
}

// New makes facts that hold nothing.
func New() *Memory {
	return &Memory{
		AllSamples:     make(map[eval.DatasetName][]eval.Sample),
		AllPredictions: make(map[eval.RunID]map[eval.Ordinal][]eval.Prediction),
		AllJudgments:   make(map[eval.RunID][]eval.Judgment),
		Items:          make(map[annotate.QueueName][]annotate.QueueItem),
		Acts:           make(map[annotate.QueueName][]annotate.Act),
		Saved:          make(map[annotate.QueueName][]annotate.SavedReport),
	}
}

// AddDataset adds samples under a name.
func (m *Memory) AddDataset(name eval.DatasetName, samples ...eval.Sample) {
	for i := range samples {
		samples[i].Ordinal = eval.Ordinal(i)
	}
	m.AllSamples[name] = samples
	m.AllDatasets = append(m.AllDatasets, eval.Dataset{Name: name, Samples: len(samples), Complete: true})
}

// AddRun adds a run and returns its id.
func (m *Memory) AddRun(c eval.Config) eval.RunID {
	r := eval.Run{ID: eval.RunID(len(m.AllRuns) + 1), Config: c}
	m.AllRuns = append(m.AllRuns, r)
	m.AllPredictions[r.ID] = make(map[eval.Ordinal][]eval.Prediction)
	return r.ID
}

// AddResponse adds a run's response to a sample in a pass.
func (m *Memory) AddResponse(run eval.RunID, o eval.Ordinal, pass eval.Pass, text string) {
	m.AddPrediction(eval.Prediction{Key: eval.Key{Run: run, Sample: o, Pass: pass}, Text: text})
}

// AddPrediction adds a prediction.
func (m *Memory) AddPrediction(p eval.Prediction) {
	ps := append(m.AllPredictions[p.Run][p.Sample], p)
	slices.SortFunc(ps, func(a, b eval.Prediction) int { return int(a.Pass) - int(b.Pass) })
	m.AllPredictions[p.Run][p.Sample] = ps
}

// Datasets lists all datasets.
func (m *Memory) Datasets() ([]eval.Dataset, error) { return m.AllDatasets, nil }

// Runs lists all runs.
func (m *Memory) Runs() ([]eval.Run, error) {
	eval.DistinguishRuns(m.AllRuns)
	return m.AllRuns, nil
}

// Questions yields the samples of a run's dataset with its predictions.
func (m *Memory) Questions(_ context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for _, s := range m.AllSamples[r.Config.Dataset] {
			if !yield(eval.Question{Sample: s, Predictions: m.AllPredictions[r.ID][s.Ordinal]}, nil) {
				return
			}
		}
	}
}

// Judgments yields the judgments on a run's predictions.
func (m *Memory) Judgments(_ context.Context, r eval.RunID) iter.Seq2[eval.Judgment, error] {
	return YieldAll(m.AllJudgments[r])
}

// Queue finds a queue by its name.
func (m *Memory) Queue(name annotate.QueueName) (annotate.Queue, error) {
	for _, q := range m.AllQueues {
		if q.Name == name {
			return q, nil
		}
	}
	return annotate.Queue{}, eval.ErrNotFound
}

// Queues lists all queues.
func (m *Memory) Queues() ([]annotate.Queue, error) { return m.AllQueues, nil }

// QueueItems yields a queue's items.
func (m *Memory) QueueItems(_ context.Context, q annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	return YieldAll(m.Items[q])
}

// GoldItems lists a queue's gold items.
func (m *Memory) GoldItems(q annotate.QueueName) ([]annotate.Gold, error) {
	return m.GoldItemsOf[q], nil
}

// QueueActs yields the acts in a queue.
func (m *Memory) QueueActs(_ context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return YieldAll(m.Acts[q])
}

// Prediction finds a prediction by its key.
func (m *Memory) Prediction(k eval.Key) (eval.Prediction, error) {
	for _, p := range m.AllPredictions[k.Run][k.Sample] {
		if p.Key == k {
			return p, nil
		}
	}
	return eval.Prediction{}, eval.ErrNotFound
}

// Sample finds a sample of a dataset.
func (m *Memory) Sample(name eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	if s := m.AllSamples[name]; int(o) < len(s) {
		return s[o], nil
	}
	return eval.Sample{}, eval.ErrNotFound
}

// SavedReports lists a queue's saved reports.
func (m *Memory) SavedReports(q annotate.QueueName) ([]annotate.SavedReport, error) {
	return m.Saved[q], nil
}

// Heads lists the heads of people's chains of acts.
func (m *Memory) Heads() ([]annotate.Head, error) { return m.AllHeads, nil }

// ExternalScores yields the scores measured elsewhere.
func (m *Memory) ExternalScores(context.Context) iter.Seq2[eval.ExternalScore, error] {
	return YieldAll(m.AllMeasures)
}

// YieldAll yields what a slice holds, without an error.
func YieldAll[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range all {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// Letters reads the text itself as the choice, or nothing.
type Letters struct{ name, version string }

// Name is the name that the reader was made with.
func (l Letters) Name() string { return l.name }

// Version is the version that the reader was made with.
func (l Letters) Version() string { return l.version }

// Read reads a choice out of a response.
func (l Letters) Read(_ eval.Kind, options []eval.Option, text string) eval.Extraction {
	for _, o := range options {
		if string(o.Letter) == text {
			return eval.Extraction{Choice: o.Letter, Status: eval.Found, Method: "letter"}
		}
	}
	return eval.Extraction{Status: eval.Missing}
}

// First reads everything as the first option.
type First struct{ Letters }

// Read reads a choice out of a response.
func (First) Read(_ eval.Kind, options []eval.Option, _ string) eval.Extraction {
	return eval.Extraction{Choice: options[0].Letter, Status: eval.Found, Method: "first"}
}

// NewReaders gives readers of one version by their name.
func NewReaders(version string) func(string) (eval.Reader, error) {
	return func(name string) (eval.Reader, error) {
		switch name {
		case "letters":
			return Letters{name, version}, nil
		case "first":
			return First{Letters{name, version}}, nil
		}
		return nil, eval.ErrNotFound
	}
}

// NewABCDSample makes the sample n, of four options, with its ground truth.
func NewABCDSample(n int, truth eval.Choice, path ...string) eval.Sample {
	s := eval.Sample{ID: eval.SampleID(strings.Repeat("i", n+1)), Kind: eval.KindChoice, Answer: truth, Taxonomy: path}
	for _, l := range []eval.Choice{"A", "B", "C", "D"} {
		s.Options = append(s.Options, eval.Option{Letter: l, Text: "text of " + string(l)})
	}
	return s
}

// AddLabel adds a label; no choice is a reading of none.
func (m *Memory) AddLabel(who annotate.Annotator, run eval.RunID, o eval.Ordinal, c eval.Choice) {
	n := uint32(1)
	for _, a := range m.Acts["q"] {
		if a.Annotator == who {
			n++
		}
	}
	r := annotate.Reading{Kind: annotate.PickedOption, Choice: c}
	if c == "" {
		r = annotate.Reading{Kind: annotate.SaidNone}
	}
	m.Acts["q"] = append(m.Acts["q"], annotate.Act{
		Queue: "q", Annotator: who, N: n, Item: annotate.NewItemKey(eval.Key{Run: run, Sample: o}), Kind: annotate.Labelled, Reading: r,
	})
}

// SkipRest has people put off all items of the queue that they have not
// labelled, so that no label is to come.
func (m *Memory) SkipRest(people ...annotate.Annotator) {
	for _, who := range people {
		st := annotate.FoldCountedActs(slices.DeleteFunc(slices.Clone(m.Acts["q"]), func(a annotate.Act) bool { return a.Annotator != who }))
		for _, it := range m.Items["q"] {
			if _, ok := st.Labels[it.Key]; !ok {
				m.AddLabel(who, it.Key.Run, it.Key.Sample, "")
				last := &m.Acts["q"][len(m.Acts["q"])-1]
				last.Item, last.Kind, last.Reading = it.Key, annotate.Skipped, annotate.Reading{}
			}
		}
	}
}

// AddJudgment adds a judgment of a response.
func (m *Memory) AddJudgment(run eval.RunID, o eval.Ordinal, c eval.Choice) {
	m.AllJudgments[run] = append(m.AllJudgments[run], eval.Judgment{
		Key: eval.Key{Run: run, Sample: o}, Judge: "gpt", Call: eval.Call{Prompt: "p1"},
		Extraction: eval.Extraction{Choice: c, Status: eval.Found},
	})
}

// AddAct adds an act about a sample of run 1.
func (m *Memory) AddAct(who annotate.Annotator, o eval.Ordinal, a annotate.Act) {
	for _, b := range m.Acts["q"] {
		if b.Annotator == who {
			a.N++
		}
	}
	a.Queue, a.Annotator, a.Item.Run, a.Item.Sample = "q", who, 1, o
	a.N++
	m.Acts["q"] = append(m.Acts["q"], a)
}

// AddRuling adds a ruling.
func (m *Memory) AddRuling(who annotate.Annotator, run eval.RunID, o eval.Ordinal, c eval.Choice) {
	m.AddLabel(who, run, o, c)
	m.Acts["q"][len(m.Acts["q"])-1].Kind = annotate.Ruled
}

// AddQueue makes the queue q, drawn at random.
func (m *Memory) AddQueue(from annotate.From, population int) {
	m.AllQueues = []annotate.Queue{{
		Name: "q", Stratum: annotate.Random, Overlap: 1, Population: population,
		Rule: annotate.Rule{Dataset: "d", From: from, Rules: "letters@1"},
	}}
}

// AddItem adds an item to the queue.
func (m *Memory) AddItem(k eval.Key, inclusion float64) {
	m.Items["q"] = append(m.Items["q"], annotate.QueueItem{Index: len(m.Items["q"]), Key: annotate.NewItemKey(k), Inclusion: inclusion})
	m.AllQueues[0].Items++
}

// SkipAll has ann skip every item.
func (m *Memory) SkipAll() {
	for _, it := range m.Items["q"] {
		m.Acts["q"] = append(m.Acts["q"], annotate.Act{Queue: "q", Annotator: "ann", N: uint32(len(m.Acts["q"]) + 1), Item: it.Key, Kind: annotate.Skipped})
	}
}

// AddLabelOf labels one pass.
func (m *Memory) AddLabelOf(k eval.Key, c eval.Choice) {
	m.AddLabel("ann", k.Run, k.Sample, c)
	last := &m.Acts["q"][len(m.Acts["q"])-1]
	last.Item.Pass = k.Pass
}

// Votes holds facts with votes, in memory.
type Votes struct {
	*Memory
	Prefs  []eval.Preference
	People []annotate.PersonVote
	Sets   []criteria.Set
}

// SettingsByHash takes the hash for the text.
func (p *Votes) SettingsByHash(hash string) ([]byte, error) { return []byte(hash), nil }

// PeoplesVotes gives what people voted.
func (p *Votes) PeoplesVotes(context.Context, eval.DatasetName) ([]annotate.PersonVote, error) {
	return p.People, nil
}

// CriteriaSets yields the criteria of samples.
func (p *Votes) CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return YieldAll(p.Sets)
}

// Comparisons lists those that have a vote.
func (p *Votes) Comparisons(context.Context) (out []eval.ComparisonProgress, err error) {
	for i := range p.Prefs {
		c := p.Prefs[i].Comparison()
		if !slices.ContainsFunc(out, func(o eval.ComparisonProgress) bool { return o.Comparison == c }) {
			out = append(out, eval.ComparisonProgress{Comparison: c})
		}
	}
	return out, nil
}

// Votes yields those of a comparison.
func (p *Votes) Votes(_ context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	var out []eval.Preference
	for i := range p.Prefs {
		if p.Prefs[i].Comparison() == c {
			out = append(out, p.Prefs[i])
		}
	}
	return YieldAll(out)
}

// AddVote adds a vote of a judge that sees the picture, and gives it to be changed.
func (p *Votes) AddVote(sample eval.Ordinal, first, second eval.RunID, v eval.Vote) *eval.Preference {
	p.Prefs = append(p.Prefs, eval.Preference{
		Pair: eval.Pair{Sample: sample, First: first, Second: second}, Ballot: eval.Ballot{Judge: "gpt", Input: eval.SeesImage}, Vote: v,
	})
	return &p.Prefs[len(p.Prefs)-1]
}
