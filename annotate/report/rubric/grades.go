package rubric

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/correct"
	"concord/annotate/criteria"
	"concord/annotate/report"
	"concord/annotate/rubric"
	"concord/eval"
	"concord/eval/stat"
)

// Facts is what reports on rubrics are made of.
type Facts interface {
	report.Facts
	// CriteriaSets yields the sets of samples on which anybody has acted.
	CriteriaSets(context.Context, eval.DatasetName) iter.Seq2[criteria.Set, error]
	// Grades yields the judges' grades of a run; those of one judge on one
	// criterion in the order in which they were recorded.
	Grades(context.Context, eval.RunID) iter.Seq2[eval.Grade, error]
	// PeoplesGrades are the grades of people that stand on a dataset, and adjudicators'
	// rulings on criteria, the newest last.
	PeoplesGrades(context.Context, eval.DatasetName) (said, rulings []rubric.Act, err error)
}

// rater is who says something.
type rater struct {
	name   string
	person bool
}

// The raters of one kind.
const (
	kindPerson = "human"
	kindJudge  = "judge"
	kindPeople = "people"
)

// response is what is said of the criteria of one response, in their order.
type response struct {
	key      eval.Key
	id       eval.SampleID
	taxonomy []string
	criteria []criteria.Criterion
	author   annotate.Annotator // of the criteria
	by       map[rater][]rubric.Said
	expected map[rater][]*float64 // of judges that tell how probable each class is
	ruled    map[int]eval.Graded  // what an adjudicator decided, by criterion
}

func (r *response) peopleVerdicts(i int) (names []string, all []eval.Graded) {
	for _, who := range slices.SortedFunc(maps.Keys(r.by), compareRaters) {
		if g := r.by[who][i].Graded; who.person && g.Verdict != eval.VerdictUnset {
			names, all = append(names, who.name), append(all, g)
		}
	}
	return names, all
}

// consensusOn is what people come to on a criterion: what its adjudicator decided,
// else what more than half of them say.
func (r *response) consensusOn(i int) rubric.Said {
	if g, ok := r.ruled[i]; ok {
		return rubric.Said{Graded: g}
	}
	_, all := r.peopleVerdicts(i)
	return rubric.ResolveMajority(all)
}

func compareRaters(a, b rater) int {
	return cmp.Or(report.CompareBools(!a.person, !b.person), cmp.Compare(a.name, b.name))
}

// runResponses is the responses of one run, in the order of samples.
type runResponses struct {
	run       eval.Run
	responses []*response
	raters    []rater // people first, each by name
}

type countedResponses struct{ keys []eval.Key }

// KeysBehind yields them.
func (b *countedResponses) KeysBehind(context.Context, report.Facts, report.Selection) iter.Seq2[eval.Key, error] {
	return report.YieldKeys(b.keys)
}

// datasetGrades is all that is said of the responses to one dataset.
type datasetGrades struct {
	dataset  eval.DatasetName
	runs     []*runResponses
	informed int                           // grades given after others' were shown, which count nowhere
	said     map[annotate.Annotator]string // a hash of what each person says
}

// readGrades gathers what is said of the responses of the runs that are wanted.
func readGrades(ctx context.Context, f Facts, o *report.Options) ([]datasetGrades, error) {
	runs, err := f.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	var out []datasetGrades
	for _, r := range eval.Select(runs, o.IncludesRun) {
		of := eval.FindOrAdd(&out, func(b *datasetGrades) bool { return b.dataset == r.Config.Dataset }, func() datasetGrades {
			return datasetGrades{dataset: r.Config.Dataset}
		})
		of.runs = append(of.runs, &runResponses{run: r})
	}
	for i := range out {
		if err := out[i].readGradesOfDataset(ctx, f, o); err != nil {
			return nil, fmt.Errorf("read what is said of responses to %s: %w", out[i].dataset, err)
		}
	}
	out = slices.DeleteFunc(out, func(b datasetGrades) bool { return len(b.runs) == 0 })
	if len(out) == 0 {
		return nil, fmt.Errorf("find verdicts on criteria of responses: have a judge grade them (concord judge criteria) or people (concord queue create NAME --from criteria), or import verdicts (concord import grades): %w", eval.ErrNotFound)
	}
	return out, nil
}

func (b *datasetGrades) readGradesOfDataset(ctx context.Context, f Facts, o *report.Options) error {
	sets := make(map[eval.Ordinal]criteria.Revision)
	for set, err := range f.CriteriaSets(ctx, b.dataset) {
		if err != nil {
			return err
		}
		if set.Removed == nil {
			sets[set.Sample], _ = set.CurrentRevision()
		}
	}
	acts, rulings, err := f.PeoplesGrades(ctx, b.dataset)
	if err != nil {
		return err
	}
	blind := slices.DeleteFunc(slices.Clone(acts), func(a rubric.Act) bool { return a.Informed })
	b.informed, b.said = len(acts)-len(blind), make(map[annotate.Annotator]string)
	for _, a := range slices.Concat(blind, rulings) {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %v %q %s %s", b.said[a.Person], a.Response, a.Criterion, a.Hash, rubric.VerdictClass(a.Graded)))
		b.said[a.Person] = hex.EncodeToString(sum[:])
	}
	for _, c := range b.runs {
		if err := c.gatherGrades(ctx, f, o, sets, blind, rulings); err != nil {
			return err
		}
	}
	// A run of which nobody said anything has no figures.
	b.runs = slices.DeleteFunc(b.runs, func(c *runResponses) bool { return len(c.raters) == 0 })
	return nil
}

// responseIndex finds the place of what is said among a run's responses.
type responseIndex struct {
	at    map[eval.Key]*response
	names map[eval.Key]map[string]int // the criteria of a response by their names
}

func (c *runResponses) gatherGrades(ctx context.Context, f Facts, o *report.Options, sets map[eval.Ordinal]criteria.Revision, acts, rulings []rubric.Act) error {
	acts = slices.DeleteFunc(slices.Clone(acts), func(a rubric.Act) bool { return a.Response.Run != c.run.ID })
	var grades []eval.Grade
	said := make(map[eval.Key]bool)
	for g, err := range rubric.LatestGrades(f.Grades(ctx, c.run.ID)) {
		if err != nil {
			return err
		}
		grades, said[g.Key] = append(grades, g), true
	}
	for i := range acts {
		said[acts[i].Response] = true
	}
	if len(said) == 0 {
		return nil
	}
	b := responseIndex{make(map[eval.Key]*response), make(map[eval.Key]map[string]int)}
	for q, err := range report.ReadQuestionsByOwnRules(ctx, f, c.run, o) {
		if err != nil {
			return err
		}
		k := eval.Key{Run: c.run.ID, Sample: q.Sample.Ordinal}
		if _, answered := report.UnrotatedResponse(&q); !answered && !said[k] {
			continue
		}
		r := &response{
			key: k, id: q.Sample.ID, taxonomy: q.Sample.Taxonomy, criteria: sets[k.Sample].Criteria, author: sets[k.Sample].Who,
			by: make(map[rater][]rubric.Said), expected: make(map[rater][]*float64), ruled: make(map[int]eval.Graded),
		}
		b.at[k], b.names[k] = r, make(map[string]int)
		for i := range r.criteria {
			b.names[k][criteria.CriterionName(r.criteria, i)] = i
		}
		c.responses = append(c.responses, r)
	}
	for i := range acts {
		a := &acts[i]
		if r, at, ok := b.findCriterion(a.Response, a.Criterion); ok {
			*r.verdictSlot(rater{string(a.Person), true}, at) = r.dropOutdated(at, a.Hash, rubric.Said{Graded: a.Graded})
		}
	}
	for i := range rulings {
		a := &rulings[i]
		if r, at, ok := b.findCriterion(a.Response, a.Criterion); ok && a.Hash == r.criteria[at].HashText() {
			r.ruled[at] = a.Graded
		}
	}
	b.addJudgeGrades(grades)
	for _, r := range c.responses {
		c.raters = eval.AppendUnique(c.raters, slices.Collect(maps.Keys(r.by))...)
	}
	slices.SortFunc(c.raters, compareRaters)
	return nil
}

func (b *responseIndex) findCriterion(k eval.Key, name string) (*response, int, bool) {
	at, ok := b.names[k][name]
	return b.at[k], at, ok
}

// verdictSlot is the place of what a rater says of a criterion.
func (r *response) verdictSlot(who rater, i int) *rubric.Said {
	return &eval.GetOrAdd(r.by, who, func() []rubric.Said { return make([]rubric.Said, len(r.criteria)) })[i]
}

// dropOutdated drops what was said of another wording.
func (r *response) dropOutdated(i int, hash string, s rubric.Said) rubric.Said {
	return eval.Either(hash != r.criteria[i].HashText(), rubric.Said{Outdated: true}, s)
}

// addJudgeGrades takes the judges' grades. Of several repeats, what more than half say counts.
func (b *responseIndex) addJudgeGrades(grades []eval.Grade) {
	type cell struct {
		r   *response
		i   int
		who rater
	}
	repeats := make(map[cell][]eval.Graded)
	for n := range grades {
		g := &grades[n]
		r, i, ok := b.findCriterion(g.Key, g.Criterion)
		if !ok {
			continue
		}
		who := rater{name: g.Judge}
		said := r.verdictSlot(who, i)
		at := cell{r, i, who}
		one := r.dropOutdated(i, g.Hash, rubric.Said{Graded: g.Graded, Failed: !g.HasReply(), Unread: g.HasReply() && g.Verdict == eval.VerdictUnset})
		if one.Graded.Verdict == eval.VerdictUnset {
			if len(repeats[at]) == 0 && (!one.Outdated || !said.Unread && !said.Failed) {
				*said = one
			}
			continue
		}
		repeats[at] = append(repeats[at], g.Graded)
		*said = rubric.ResolveMajority(repeats[at])
		if len(repeats[at]) == 1 {
			said.Graded = g.Graded
		}
		if g.Expected != nil {
			eval.GetOrAdd(r.expected, who, func() []*float64 { return make([]*float64, len(r.criteria)) })[i] = g.Expected
		}
	}
}

// scoreMeans adds up the scores of responses.
type scoreMeans struct {
	rubric.Counts
	scores    []float64
	least     float64
	numbers   bool
	low, high []float64
	of        correct.Stratum // what people say of some of them
}

// addResponse adds a response, with what people together say of it; nil where nobody asks.
func (m *scoreMeans) addResponse(s, people *rubric.ScoreSheet) (float64, bool) {
	m.AddCounts(&s.Counts)
	if low, high, bounded := s.Bounds(); bounded {
		m.low, m.high = append(m.low, low), append(m.high, high)
	}
	v, ok := s.Score()
	if !ok {
		return v, false
	}
	m.scores = append(m.scores, v)
	m.least = min(m.least, s.LowestScore())
	m.numbers = m.numbers || s.Scored > 0
	if people == nil {
		return v, true
	}
	switch said, graded := people.Score(); {
	case graded:
		m.of.Labelled = append(m.of.Labelled, correct.Item{Machine: v, People: said})
	case people.Tied+people.Unable > 0: // people were asked, and come to nothing
		m.of.Missing = append(m.of.Missing, correct.Item{Machine: v})
	default:
		m.of.Unlabelled = append(m.of.Unlabelled, v)
	}
	return v, true
}

// computeFigures computes the bounds of the mean, and the mean that people's verdicts correct.
func (m *scoreMeans) computeFigures() figures {
	var out figures
	if len(m.low) > 0 && m.Scored == 0 {
		out.Bounds = &Bounds{averageOf(m.low), averageOf(m.high)}
	}
	if len(m.of.Labelled) == 0 || m.numbers {
		return out
	}
	s := correct.ComputeScore([]correct.Stratum{m.of}, correct.Options{Low: m.least, High: 1, Confidence: stat.Confidence})
	if s.Labels < correct.Fewest {
		s = s.WithoutCorrection(fmt.Sprintf("people graded only %d responses, and a corrected score takes %d", s.Labels, correct.Fewest))
	}
	corrected := report.NewCorrected(&s, "ppi++")
	out.Corrected = &corrected
	return out
}

// meanEstimate is the mean over responses: on the scale that their weights leave, or, of
// numbers, on none that is known.
func (m *scoreMeans) meanEstimate(clamp bool) stat.Estimate {
	values, least := m.scores, m.least
	if clamp {
		values, least = eval.Map(m.scores, func(v float64) float64 { return min(max(v, 0), 1) }), 0
	}
	switch {
	case len(values) == 0:
		return stat.NewUndefinedEstimate(noGrades)
	case m.numbers && clamp:
		return stat.NewUndefinedEstimate("numbers are not clamped")
	case m.numbers:
		return agree.StudentMean(values, stat.Confidence)
	}
	var c stat.Clusters
	for _, v := range values {
		c.AddSingle((v-least)/(1-least), 1)
	}
	out := c.MeanOnScale(least, 1, noGrades)
	out.Value = averageOf(values) // without what the scale rounds
	return out
}

func averageOf(values []float64) float64 {
	return eval.Sum(values, func(v float64) float64 { return v }) / float64(len(values))
}
