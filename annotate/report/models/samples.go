package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// samples is what is known of the samples of a dataset, by ordinal.
type samples struct {
	clusters []int32 // a number of the samples that depend on each other; -1: it stands alone
	splits   []int32 // of names
	paths    []int32 // of categories, at the depth that is asked for; -1: the taxonomy ends before
	names    interned
	below    interned
	groups   interned

	categories [][]string // by their numbers in paths
}

// interned gives equal words the same number.
type interned struct {
	index map[string]int32
	words []string
}

func (in *interned) number(word string) int32 {
	if in.index == nil {
		in.index = make(map[string]int32)
	}
	n, ok := in.index[word]
	if !ok {
		n = int32(len(in.words)) //nolint:gosec // splits, categories or pictures of a dataset
		in.index[word] = n
		in.words = append(in.words, word)
	}
	return n
}

// note takes down a sample, once.
func (s *samples) note(sample *eval.Sample, depth int) {
	for int(sample.Ordinal) >= len(s.clusters) {
		s.clusters, s.splits, s.paths = append(s.clusters, -1), append(s.splits, -1), append(s.paths, -1)
	}
	o := sample.Ordinal
	if s.splits[o] >= 0 {
		return
	}
	s.splits[o] = s.names.number(sample.Split)
	if c := metric.Cluster(sample); c != "" {
		s.clusters[o] = s.groups.number(c)
	}
	if depth > 0 && len(sample.Taxonomy) >= depth {
		s.paths[o] = s.below.number(eval.Path(sample.Taxonomy[:depth]))
		if int(s.paths[o]) == len(s.categories) {
			s.categories = append(s.categories, slices.Clone(sample.Taxonomy[:depth]))
		}
	}
}

// whole is how the split of all samples is called.
func (s *samples) whole() string {
	if len(s.names.words) == 1 && s.names.words[0] != "" {
		return s.names.words[0]
	}
	return report.AllSplits
}

// answers is what runs make of the samples of a dataset.
type answers struct {
	run      eval.Run
	decided  *report.Decided
	strategy eval.Strategy
}

// reading decides every question of the runs that are compared.
type reading struct {
	facts   report.Facts
	o       *Options
	meter   *report.Progress
	decided map[looking]*answers
	sets    map[eval.DatasetName]*samples
}

// looking is a run decided under a strategy, with its samples' categories at a
// depth.
type looking struct {
	run      eval.RunID
	strategy eval.Strategy
	depth    int
}

// seen is what reports that are made one after the other go on with: the runs
// decided so far, and the samples of their datasets by depth in the taxonomy.
type seen struct {
	decided map[looking]*answers
	sets    map[int]map[eval.DatasetName]*samples
}

func newReading(facts report.Facts, o *Options, runs []eval.Run) (*reading, error) {
	meter, err := report.NewProgress(facts, runs, o.Runs.Progress)
	if err != nil {
		return nil, err
	}
	shared := o.Runs.Shared
	if len(o.Rules) > 0 { // they are read otherwise than those of other reports
		shared = nil
	}
	s := report.Beside(shared, func() *seen {
		return &seen{make(map[looking]*answers), make(map[int]map[eval.DatasetName]*samples)}
	})
	if s.sets[o.Depth] == nil {
		s.sets[o.Depth] = make(map[eval.DatasetName]*samples)
	}
	return &reading{facts: facts, o: o, meter: meter, decided: s.decided, sets: s.sets[o.Depth]}, nil
}

// answer decides the questions of a run, once.
func (r *reading) answer(ctx context.Context, run eval.Run) (*answers, error) {
	strategy := cmp.Or(r.o.Runs.Strategy, run.Config.Strategy)
	at := looking{run.ID, strategy, r.o.Depth}
	if a := r.decided[at]; a != nil {
		return a, nil
	}
	if strategy == eval.Circular && run.Config.Strategy != eval.Circular {
		return nil, fmt.Errorf("run %d was not asked under CircularEval: %w", run.ID, eval.ErrNotFound)
	}
	set := r.sets[run.Config.Dataset]
	if set == nil {
		set = &samples{}
		r.sets[run.Config.Dataset] = set
	}
	o := r.o.Runs
	if rules, ok := r.o.Rules[run.ID]; ok {
		o.Rules, o.Judge = rules, ""
	}
	d, err := report.Decide(ctx, r.facts, run, &o, strategy, r.meter, func(s *eval.Sample, _ metric.Verdict) { set.note(s, r.o.Depth) })
	if err != nil {
		return nil, fmt.Errorf("read run %d: %w", run.ID, err)
	}
	a := &answers{run: run, decided: d, strategy: strategy}
	r.decided[at] = a
	return a, nil
}

// party is a side with its answers.
type party struct {
	*side
	answers []*answers
}

func (r *reading) party(ctx context.Context, s *side) (*party, error) {
	out := &party{side: s}
	for _, run := range s.runs {
		a, err := r.answer(ctx, run)
		if err != nil {
			return nil, err
		}
		out.answers = append(out.answers, a)
	}
	return out, nil
}

// score is how often a side is right on a sample, of so many times; false where
// one of its runs has not decided it.
func (p *party) score(o eval.Ordinal) (right, times float64, ok bool) {
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

// last is how many ordinals the side's answers reach.
func (p *party) last() int {
	n := 0
	for _, a := range p.answers {
		n = max(n, len(a.decided.Marks))
	}
	return n
}

// inClusters yields the samples that belong to a row, those that depend on each
// other one after the other, with the last of each cluster marked.
func (s *samples) inClusters(n int, belongs func(eval.Ordinal) bool, each func(o eval.Ordinal, last bool)) {
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

// Options say what is compared. The zero value is every two runs of the same
// settings.
type Options struct {
	Runs report.Options // which runs, and how they are read
	// First and Second name a side: a model, or a run by its number. Second alone
	// is not given; First alone is set against all others of its settings.
	First, Second string
	Rules         map[eval.RunID]string // rule sets of single runs; else Runs.Rules
	Depth         int                   // a row for each category so deep in the taxonomy too; 0: none
	Detect        float64               // a difference, as a share, of which the needed n is asked; 0: none
}

// ErrSame says that both sides are the same runs.
var ErrSame = errors.New("both sides are the same")

func (o *Options) seed() uint64 { return cmp.Or(o.Runs.Seed, 1) }

// side is the runs of one model under the same settings: one, or repeats.
type side struct {
	runs []eval.Run
}

// model is the model that the side is of.
func (s *side) model() string { return s.runs[0].Config.Model }

// numbers are the runs' numbers.
func (s *side) numbers() []eval.RunID {
	var out []eval.RunID
	for i := range s.runs {
		out = append(out, s.runs[i].ID)
	}
	return out
}

// named says which side it is, to somebody who has to tell it from others.
func (s *side) named() string {
	var numbers []string
	for _, n := range s.numbers() {
		numbers = append(numbers, fmt.Sprint(n))
	}
	word := "run "
	if len(numbers) > 1 {
		word = "runs "
	}
	return s.model() + " (" + word + strings.Join(numbers, ", ") + ")"
}

// settings is what two runs have to share to be compared without being named:
// the questions, what the model is given, and how it is asked.
type settings struct {
	dataset  eval.DatasetName
	modality eval.Modality
	strategy eval.Strategy
	shots    int
	language string
	edge     int
	prompts  string
}

func settingsOf(r *eval.Run) settings {
	c := &r.Config
	out := settings{
		dataset: c.Dataset, modality: c.Modality, strategy: c.Strategy,
		shots: c.Settings.Shots, language: c.Settings.Language, edge: c.Settings.Edge,
	}
	for _, p := range c.Settings.Prompts {
		out.prompts += p.Name + " " + p.Language + " " + p.Hash + "\n"
	}
	return out
}

// sidesOf puts the runs of one model under the same settings together. A run
// that is named by its number, or read by rules of its own, stands alone.
func (o *Options) sidesOf(runs []eval.Run) map[settings][]*side {
	type place struct {
		settings
		model, params, endpoint string
		alone                   eval.RunID
	}
	out, at := make(map[settings][]*side), make(map[place]*side)
	for _, r := range runs {
		p := place{settings: settingsOf(&r), model: r.Config.Model, params: r.Config.Settings.Params, endpoint: r.Config.Settings.Endpoint}
		if _, own := o.Rules[r.ID]; own || slices.Contains(o.Runs.Runs, r.ID) || r.Config.Origin == eval.Imported {
			p.alone = r.ID
		}
		s := at[p]
		if s == nil {
			s = &side{}
			at[p] = s
			out[p.settings] = append(out[p.settings], s)
		}
		s.runs = append(s.runs, r)
	}
	return out
}

// names reports whether a side may be the first: First is it, or not given.
func (o *Options) names(s *side) bool {
	return o.First == "" || s.model() == o.First || slices.ContainsFunc(s.numbers(), func(n eval.RunID) bool {
		return strings.TrimPrefix(o.First, "#") == fmt.Sprint(n)
	})
}

// find is the side that a name means.
func (o *Options) find(runs []eval.Run, name string) (*side, error) {
	if n, err := strconv.ParseUint(strings.TrimPrefix(name, "#"), 10, 32); err == nil {
		for _, r := range runs {
			if uint64(r.ID) == n {
				return &side{[]eval.Run{r}}, nil
			}
		}
	}
	var fit []eval.Run
	for _, r := range runs {
		if r.Config.Model == name {
			fit = append(fit, r)
		}
	}
	if len(fit) == 0 {
		return nil, fmt.Errorf("find a run of %q: %w", name, eval.ErrNotFound)
	}
	var sides []*side
	for _, group := range o.sidesOf(fit) {
		sides = append(sides, group...)
	}
	if len(sides) > 1 {
		return nil, fmt.Errorf("%q has several runs that differ; name one by its number: %s", name, report.Described(fit))
	}
	return sides[0], nil
}
