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

	categories [][]string                // whole paths of the taxonomy, by their numbers in paths
	rows       map[string]*memberSamples // by split and path, of the samples so far
}

// memberSamples are the samples that belong to a row.
type memberSamples struct {
	has             func(eval.Ordinal) bool
	alone, together []eval.Ordinal // those that stand alone, and the others by cluster
	clusters        []int32
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
		eval.EnsureMap(&in.index)[word] = n
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
	s.rows = nil
	s.splits[o] = s.names.numberOf(sample.Split)
	if c := metric.ClusterName(sample); c != "" {
		s.clusters[o] = s.groups.numberOf(c)
	}
	s.paths[o] = s.below.numberOf(eval.JoinPath(sample.Taxonomy))
	if int(s.paths[o]) == len(s.categories) {
		s.categories = append(s.categories, slices.Clone(sample.Taxonomy))
	}
}

// membersOf are the samples of a row's split and below a prefix of the taxonomy.
func (s *datasetSamples) membersOf(of *report.Head, path []string) *memberSamples {
	return eval.GetOrAdd(eval.EnsureMap(&s.rows), of.Split+"\x00"+eval.JoinPath(path), func() *memberSamples {
		under := eval.Map(s.categories, func(c []string) bool { return report.PathHasPrefix(c, path) })
		out := &memberSamples{clusters: s.clusters, has: func(o eval.Ordinal) bool {
			return int(o) < len(s.splits) && s.splits[o] >= 0 && under[s.paths[o]] && of.CoversSample(&eval.Sample{Split: s.names.words[s.splits[o]]})
		}}
		for o := range eval.Ordinal(len(s.clusters)) { //nolint:gosec // a number of samples
			switch {
			case !out.has(o):
			case s.clusters[o] < 0:
				out.alone = append(out.alone, o)
			default:
				out.together = append(out.together, o)
			}
		}
		slices.SortStableFunc(out.together, func(a, b eval.Ordinal) int { return int(s.clusters[a] - s.clusters[b]) })
		return out
	})
}

// eachInClusters yields samples that depend on each other in a row, and marks the last of each cluster.
func (m *memberSamples) eachInClusters(each func(o eval.Ordinal, last bool)) {
	for k, o := range m.together {
		each(o, k+1 == len(m.together) || m.clusters[m.together[k+1]] != m.clusters[o])
	}
}

// categoriesAt are the prefixes of so many words that the taxonomy has; none of 0.
func (s *datasetSamples) categoriesAt(depth int) (out [][]string) {
	for _, c := range s.categories {
		if depth > 0 && len(c) >= depth && !slices.ContainsFunc(out, func(o []string) bool { return report.PathHasPrefix(c, o) }) {
			out = append(out, c[:depth])
		}
	}
	return out
}

// wholeSplitName is how the split of all samples is called.
func (s *datasetSamples) wholeSplitName() string {
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

func newRunDecider(facts report.Facts, o *Options, runs []eval.Run) (*runDecider, error) {
	meter, err := report.NewProgress(facts, runs, o.Runs.Progress)
	if err != nil {
		return nil, err
	}
	shared := eval.Either(len(o.Rules) > 0, nil, o.Runs.Shared) // they are read otherwise than those of other reports
	s := report.SharedValueOrNew(shared, func() *sharedRuns {
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

// sideScore is how often a side is right on a sample, of so many times: 0 when a run has not decided it.
type sideScore struct{ right, of float64 }

func (s sideScore) isDecided() bool { return s.of > 0 }

func (s sideScore) share() float64 { return s.right / s.of }

func (p *decidedSide) scoreOn(o eval.Ordinal) (out sideScore) {
	o, ok := p.ownSample(o)
	if !ok {
		return sideScore{}
	}
	for _, a := range p.answers {
		one := scoreOfMark(a.decided.Marks.At(o))
		if !one.isDecided() {
			return one
		}
		out.right, out.of = out.right+one.right, out.of+1
	}
	return out
}

// scoreOfMark is the score of a mark.
func scoreOfMark(m metric.Mark) sideScore {
	return sideScore{float64(report.OneIf(m == metric.MarkRight)), float64(report.OneIf(m != metric.MarkUnset))}
}

// ownMarks are the marks of a side that is one run on the samples of the row; false for another.
func (p *decidedSide) ownMarks() (metric.Marks, bool) {
	return p.answers[0].decided.Marks, p.at == nil && len(p.answers) == 1
}

// countOrdinals counts how many ordinals the side's answers reach.
func (p *decidedSide) countOrdinals() int {
	return eval.MaxOf(p.answers, func(a *runAnswers) int { return len(a.decided.Marks) })
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
	return s.model() + " (" + word + eval.JoinList(s.runs, func(r eval.Run) string { return fmt.Sprint(r.ID) }) + ")"
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

// mayBeFirst reports whether a side may be the first: First is it, or not given.
func (o *Options) mayBeFirst(s *modelRuns) bool {
	return o.First == "" || s.model() == o.First || slices.ContainsFunc(s.runNumbers(), func(n eval.RunID) bool {
		return strings.TrimPrefix(o.First, "#") == fmt.Sprint(n)
	})
}

func (o *Options) findSide(runs []eval.Run, name string) (*modelRuns, error) {
	if n, err := strconv.ParseUint(strings.TrimPrefix(name, "#"), 10, 32); err == nil {
		if r, ok := eval.FirstWanted(runs, func(r eval.Run) bool { return uint64(r.ID) == n }); ok {
			return &modelRuns{[]eval.Run{r}}, nil
		}
	}
	fit := slices.DeleteFunc(slices.Clone(runs), func(r eval.Run) bool { return r.Config.Model != name })
	if len(fit) == 0 {
		return nil, newUnknownModelError(name, runs)
	}
	sides := slices.Concat(slices.Collect(maps.Values(o.groupSides(fit)))...)
	if len(sides) > 1 {
		return nil, fmt.Errorf("%q has several runs that differ; name one by its number: %s", name, report.DescribeRuns(fit))
	}
	return sides[0], nil
}
