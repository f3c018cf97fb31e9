package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// datasetSamples is what is known of the samples of a dataset, by ordinal.
type datasetSamples struct {
	clusters             []int32 // a number of the samples that depend on each other; -1: it stands alone
	splits               []int32 // of names; -1: no such sample
	paths                []int32 // of categories
	names, below, groups wordNumbers

	categories [][]string // whole paths of the taxonomy, by their numbers in paths
}

// wordNumbers gives equal words the same number.
type wordNumbers struct {
	index map[string]int32
	words []string
}

func (in *wordNumbers) numberOf(word string) int32 {
	n, ok := in.index[word]
	if !ok {
		n = int32(len(in.words)) //nolint:gosec // splits, categories or pictures of a dataset
		eval.MakeMap(&in.index)[word] = n
		in.words = append(in.words, word)
	}
	return n
}

// addSample takes down a sample, once.
func (s *datasetSamples) addSample(sample *eval.Sample) {
	for int(sample.Ordinal) >= len(s.clusters) {
		s.clusters, s.splits, s.paths = append(s.clusters, -1), append(s.splits, -1), append(s.paths, 0)
	}
	o := sample.Ordinal
	if s.splits[o] >= 0 {
		return
	}
	s.splits[o] = s.names.numberOf(sample.Split)
	if c := metric.ClusterName(sample); c != "" {
		s.clusters[o] = s.groups.numberOf(c)
	}
	s.paths[o] = s.below.numberOf(eval.Path(sample.Taxonomy))
	if int(s.paths[o]) == len(s.categories) {
		s.categories = append(s.categories, slices.Clone(sample.Taxonomy))
	}
}

// membersOf tells which samples are of a row's split and below a prefix of the taxonomy.
func (s *datasetSamples) membersOf(of *report.Head, path []string) func(eval.Ordinal) bool {
	under := eval.Map(s.categories, func(c []string) bool { return report.HasPrefix(c, path) })
	return func(o eval.Ordinal) bool {
		return int(o) < len(s.splits) && s.splits[o] >= 0 && under[s.paths[o]] && of.Covers(&eval.Sample{Split: s.names.words[s.splits[o]]})
	}
}

// categoriesAt are the prefixes of so many words that the taxonomy has; none of 0.
func (s *datasetSamples) categoriesAt(depth int) (out [][]string) {
	for _, c := range s.categories {
		if depth > 0 && len(c) >= depth && !slices.ContainsFunc(out, func(o []string) bool { return report.HasPrefix(c, o) }) {
			out = append(out, c[:depth])
		}
	}
	return out
}

// wholeName is how the split of all samples is called.
func (s *datasetSamples) wholeName() string {
	if len(s.names.words) == 1 && s.names.words[0] != "" {
		return s.names.words[0]
	}
	return report.AllSplits
}

// runAnswers is what runs make of the samples of a dataset.
type runAnswers struct {
	run      eval.Run
	decided  *report.Decided
	strategy eval.Strategy
}

// runDecider decides every question of the runs that are compared.
type runDecider struct {
	facts   report.Facts
	o       *Options
	meter   *report.Progress
	decided map[decidedKey]*runAnswers
	sets    map[eval.DatasetName]*datasetSamples
}

// decidedKey is a run decided under a strategy.
type decidedKey struct {
	run      eval.RunID
	strategy eval.Strategy
}

// sharedRuns is what reports that are made one after the other go on with: the runs
// decided so far, and the samples of their datasets.
type sharedRuns struct {
	decided map[decidedKey]*runAnswers
	sets    map[eval.DatasetName]*datasetSamples
}

func newReading(facts report.Facts, o *Options, runs []eval.Run) (*runDecider, error) {
	meter, err := report.NewProgress(facts, runs, o.Runs.Progress)
	if err != nil {
		return nil, err
	}
	shared := eval.Either(len(o.Rules) > 0, nil, o.Runs.Shared) // they are read otherwise than those of other reports
	s := report.SharedValue(shared, func() *sharedRuns {
		return &sharedRuns{make(map[decidedKey]*runAnswers), make(map[eval.DatasetName]*datasetSamples)}
	})
	return &runDecider{facts: facts, o: o, meter: meter, decided: s.decided, sets: s.sets}, nil
}

// decideRun decides the questions of a run, once.
func (r *runDecider) decideRun(ctx context.Context, run eval.Run) (*runAnswers, error) {
	strategy := cmp.Or(r.o.Runs.Strategy, run.Config.Strategy)
	at := decidedKey{run.ID, strategy}
	if a := r.decided[at]; a != nil {
		return a, nil
	}
	if strategy == eval.Circular && run.Config.Strategy != eval.Circular {
		return nil, eval.NewNotFoundError("run %d was not asked under CircularEval", run.ID)
	}
	set := eval.GetOrAdd(r.sets, run.Config.Dataset, func() *datasetSamples { return &datasetSamples{} })
	o := r.o.Runs
	if rules, ok := r.o.Rules[run.ID]; ok {
		o.Rules, o.Judge = rules, ""
	}
	d, err := report.DecideRun(ctx, r.facts, run, &o, strategy, r.meter, func(s *eval.Sample, _ metric.QuestionState) { set.addSample(s) })
	if err != nil {
		return nil, fmt.Errorf("read run %d: %w", run.ID, err)
	}
	a := &runAnswers{run: run, decided: d, strategy: strategy}
	r.decided[at] = a
	return a, nil
}

type decidedSide struct {
	*modelRuns
	answers []*runAnswers
	at      map[eval.Ordinal]eval.Ordinal // its samples by those of the other side, where it is on another dataset
}

// ownSample is the side's sample beside one of the row; false where it has none.
func (p *decidedSide) ownSample(o eval.Ordinal) (eval.Ordinal, bool) {
	if p.at == nil {
		return o, true
	}
	own, ok := p.at[o]
	return own, ok
}

// distinctName says which side it is, with its dataset where the other one is on another.
func (p *decidedSide) distinctName() string {
	return p.modelRuns.distinctName() + eval.Either(p.at != nil, " on "+string(p.dataset()), "")
}

func (r *runDecider) newDecidedSide(ctx context.Context, s *modelRuns) (*decidedSide, error) {
	out := &decidedSide{modelRuns: s}
	for _, run := range s.runs {
		a, err := r.decideRun(ctx, run)
		if err != nil {
			return nil, err
		}
		out.answers = append(out.answers, a)
	}
	return out, nil
}

// scoreOn gives how often a side is right on a sample, of so many times; false where
// one of its runs has not decided it.
func (p *decidedSide) scoreOn(o eval.Ordinal) (right, times float64, ok bool) {
	if o, ok = p.ownSample(o); !ok {
		return 0, 0, false
	}
	for _, a := range p.answers {
		switch a.decided.Marks.At(o) {
		case metric.MarkRight:
			right++
		case metric.MarkUnset:
			return 0, 0, false
		case metric.MarkWrong:
		}
	}
	return right, float64(len(p.answers)), true
}

// countOrdinals counts how many ordinals the side's answers reach.
func (p *decidedSide) countOrdinals() int {
	n := 0
	for _, a := range p.answers {
		n = max(n, len(a.decided.Marks))
	}
	return n
}

// eachInClusters yields the samples that belong to a row, those that depend on each
// other one after the other, with the last of each cluster marked.
func (s *datasetSamples) eachInClusters(n int, belongs func(eval.Ordinal) bool, each func(o eval.Ordinal, last bool)) {
	var together []eval.Ordinal
	for i := range eval.Ordinal(min(n, len(s.clusters))) { //nolint:gosec // a number of samples
		switch {
		case !belongs(i):
		case s.clusters[i] < 0:
			each(i, true)
		default:
			together = append(together, i)
		}
	}
	slices.SortStableFunc(together, func(a, b eval.Ordinal) int { return int(s.clusters[a] - s.clusters[b]) })
	for k, o := range together {
		each(o, k+1 == len(together) || s.clusters[together[k+1]] != s.clusters[o])
	}
}

// Options say what is compared. The zero value is every two runs of the same settings.
type Options struct {
	Runs report.Options // which runs, and how they are read
	// First and Second name a side: a model, or a run by its number. Second alone
	// is not given; First alone is set against all others of its settings.
	First, Second string
	Rules         map[eval.RunID]string // rule sets of single runs; else Runs.Rules
	Depth         int                   // a row for each category so deep in the taxonomy too; 0: none
	Detect        float64               // a difference, as a share, of which the needed n is asked; 0: none

	languages bool             // each model on a dataset and on its translation
	of        eval.DatasetName // one of the two; "": any
}

// ErrSame says that both sides are the same runs.
var ErrSame = errors.New("both sides are the same")

func (o *Options) seedOrDefault() uint64 { return cmp.Or(o.Runs.Seed, 1) }

// modelRuns is the runs of one model under the same settings: one, or repeats.
type modelRuns struct {
	runs []eval.Run
}

func (s *modelRuns) model() string { return s.runs[0].Config.Model }

func (s *modelRuns) runNumbers() []eval.RunID {
	return eval.Map(s.runs, func(r eval.Run) eval.RunID { return r.ID })
}

// distinctName says which side it is, to somebody who has to tell it from others.
func (s *modelRuns) distinctName() string {
	word := eval.Either(len(s.runs) > 1, "runs ", "run ")
	return s.model() + " (" + word + eval.List(s.runs, func(r eval.Run) string { return fmt.Sprint(r.ID) }) + ")"
}

// sharedSettings is what two runs have to share to be compared without being named:
// the questions, what the model is given, and how it is asked.
type sharedSettings struct {
	dataset  eval.DatasetName
	modality eval.Modality
	strategy eval.Strategy
	shots    int
	language string
	edge     int
	prompts  string
}

func newSharedSettings(r *eval.Run) sharedSettings {
	c := &r.Config
	out := sharedSettings{
		dataset: c.Dataset, modality: c.Modality, strategy: c.Strategy,
		shots: c.Settings.Shots, language: c.Settings.Language, edge: c.Settings.Edge,
	}
	for _, p := range c.Settings.Prompts {
		out.prompts += p.Name + " " + p.Language + " " + p.Hash + "\n"
	}
	return out
}

// groupSides puts the runs of one model under the same settings together. A run
// that is named by its number, or read by rules of its own, stands alone.
func (o *Options) groupSides(runs []eval.Run) map[sharedSettings][]*modelRuns {
	type place struct {
		sharedSettings
		model, params, endpoint string
		alone                   eval.RunID
	}
	out, at := make(map[sharedSettings][]*modelRuns), make(map[place]*modelRuns)
	for _, r := range runs {
		p := place{sharedSettings: newSharedSettings(&r), model: r.Config.Model, params: r.Config.Settings.Params, endpoint: r.Config.Settings.Endpoint}
		if _, own := o.Rules[r.ID]; own || slices.Contains(o.Runs.Runs, r.ID) || r.Config.Origin == eval.Imported {
			p.alone = r.ID
		}
		s := at[p]
		if s == nil {
			s = &modelRuns{}
			at[p] = s
			out[p.sharedSettings] = append(out[p.sharedSettings], s)
		}
		s.runs = append(s.runs, r)
	}
	return out
}

// isFirst reports whether a side may be the first: First is it, or not given.
func (o *Options) isFirst(s *modelRuns) bool {
	return o.First == "" || s.model() == o.First || slices.ContainsFunc(s.runNumbers(), func(n eval.RunID) bool {
		return strings.TrimPrefix(o.First, "#") == fmt.Sprint(n)
	})
}

func (o *Options) findSide(runs []eval.Run, name string) (*modelRuns, error) {
	if n, err := strconv.ParseUint(strings.TrimPrefix(name, "#"), 10, 32); err == nil {
		if r, ok := eval.First(runs, func(r eval.Run) bool { return uint64(r.ID) == n }); ok {
			return &modelRuns{[]eval.Run{r}}, nil
		}
	}
	fit := slices.DeleteFunc(slices.Clone(runs), func(r eval.Run) bool { return r.Config.Model != name })
	if len(fit) == 0 {
		return nil, newUnknownModel(name, runs)
	}
	sides := slices.Concat(slices.Collect(maps.Values(o.groupSides(fit)))...)
	if len(sides) > 1 {
		return nil, fmt.Errorf("%q has several runs that differ; name one by its number: %s", name, report.DescribeRuns(fit))
	}
	return sides[0], nil
}
