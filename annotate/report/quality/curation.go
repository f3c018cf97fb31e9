package quality

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// CurationFacts is what the report on curation is made of.
type CurationFacts interface {
	Dataset(eval.DatasetName) (eval.Dataset, error)
	Samples(context.Context, eval.DatasetName) iter.Seq2[eval.Sample, error]
	CurationActs(context.Context, eval.DatasetName) iter.Seq2[curation.Act, error]
}

// CurationOptions say what the report on curation is about.
type CurationOptions struct {
	Dataset    eval.DatasetName
	Inspection *curation.Inspection // whose candidates are curated; nil: the whole dataset
	Panel      curation.Panel
	Targets    []criteria.Quota
	Bootstrap  agree.Bootstrap
}

// CurationRow is how far the curation of a dataset is (MMStar, Sec. 4.1).
type CurationRow struct {
	report.ForEveryone
	Dataset    eval.DatasetName `json:"dataset"`
	Synthetic  bool             `json:"synthetic,omitempty"`
	Inspection string           `json:"inspection,omitempty"` // "": the whole dataset is curated
	Panel      int              `json:"experts_asked"`
	CurationFunnel
	Contested   int                 `json:"contested"`
	Disputed    int                 `json:"disputed"` // experts differ, and nobody has settled it
	Adjudicated int                 `json:"settled"`  // by a ruling
	Together    CurationVerdicts    `json:"together"`
	Experts     []CurationExpert    `json:"experts"`
	Agreement   []CurationAgreement `json:"agreement"`
	Pairs       []CurationPair      `json:"pairs"`
	Groups      []CurationGroup     `json:"groups"`
	Sources     []CurationFunnel    `json:"sources"`

	behind map[eval.Ordinal]*curatedSample
	order  []eval.Ordinal // of the pool
}

// CurationFunnel is how many samples of a source are left after each step (MMStar, Fig. 4).
type CurationFunnel struct {
	Source   string    `json:"source,omitempty"`
	Pool     int       `json:"pool"`
	Filtered int       `json:"filtered"` // candidates
	Reviewed int       `json:"reviewed"` // decided by as many experts as are asked for, or settled
	Accepted int       `json:"accepted"`
	Share    stat.Rate `json:"accepted_share"` // accepted, of the pool
}

// CurationVerdicts counts samples by verdict.
type CurationVerdicts struct {
	NeedsImage int       `json:"needs_image"`
	Answerable int       `json:"answerable"`
	InQuestion int       `json:"in_question"`
	Wrong      int       `json:"wrong"`
	Duplicate  int       `json:"duplicate"`
	Basic      int       `json:"basic"`
	Accepts    stat.Rate `json:"accepts"`
}

// CurationExpert is what one expert says.
type CurationExpert struct {
	Annotator string `json:"annotator"`
	CurationVerdicts
	Moved    int `json:"moved"`    // to another axis than the dataset's
	Informed int `json:"informed"` // given after others' words were shown
}

// CurationAgreement is how far experts agree on one thing: whether a sample is
// accepted, which verdict it has, or which axis.
type CurationAgreement struct {
	On      string            `json:"on"`
	Items   int               `json:"items" opens:"alike_on: differ_on:"` // with two words or more
	Percent stat.Rate         `json:"percent_agreement" opens:"alike_on: differ_on:"`
	Fleiss  agree.Coefficient `json:"fleiss_kappa" opens:"alike_on: differ_on:"`
	Alpha   agree.Coefficient `json:"krippendorff_alpha" opens:"alike_on: differ_on:"`
	AC1     agree.Coefficient `json:"gwet_ac1" opens:"alike_on: differ_on:"`
}

// CurationPair is how far two experts agree on what is accepted.
type CurationPair struct {
	A         string            `json:"a"`
	B         string            `json:"b"`
	Agreement stat.Rate         `json:"agreement" opens:"alike_on: differ_on:"`
	Kappa     agree.Coefficient `json:"cohen_kappa" opens:"alike_on: differ_on:"`
}

// CurationGroup is how far one group of the taxonomy is, where experts place its samples.
type CurationGroup struct {
	Path       []string `json:"path"`
	Candidates int      `json:"candidates" opens:"filtered"`
	Accepted   int      `json:"accepted" opens:"accepted"`
	Target     *int     `json:"target"` // null: none
	Missing    *int     `json:"missing"`
}

// ReportCuration reports what experts say, each and together, how far they agree,
// what is accepted against the targets, and the funnel per source. Agreement
// counts the words that were given without seeing the others'.
func ReportCuration(ctx context.Context, facts CurationFacts, o CurationOptions) (report.Report, error) {
	row, err := newCurationRow(ctx, facts, &o)
	if err != nil {
		return report.Report{}, fmt.Errorf("report curation of dataset %s: %w", o.Dataset, err)
	}
	out := report.Report{Name: "curation", Layout: curationLayout, Confidence: stat.Confidence, Rows: []report.Row{row}, Sheets: row.makeTables()}
	out.Notes = []string{fmt.Sprintf(
		"A sample is decided by more than half of at least %s; one that an adjudicator has resolved is as they say. "+
			"Agreement is over words given before the others' were shown.", report.FormatCount(max(1, o.Panel.Experts), "expert"))}
	return out, nil
}

func newCurationRow(ctx context.Context, facts CurationFacts, o *CurationOptions) (*CurationRow, error) {
	d, err := facts.Dataset(o.Dataset)
	if err != nil {
		return nil, err
	}
	acts, err := eval.Collect(facts.CurationActs(ctx, o.Dataset))
	if err != nil {
		return nil, err
	}
	t := newCurationTally(d, o)
	var items []curation.Item
	for s, err := range facts.Samples(ctx, o.Dataset) {
		if err != nil {
			return nil, err
		}
		if t.countPoolSample(&s) {
			items = append(items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
		}
	}
	cases, experts, err := curation.BuildCases(items, acts, o.Panel)
	if err != nil {
		return nil, err
	}
	for i := range cases {
		t.countCandidate(&cases[i])
	}
	return t.newRow(ctx, cases, experts)
}

type curationTally struct {
	o       *CurationOptions
	out     *CurationRow
	kept    map[eval.Ordinal]bool // candidates of the inspection
	source  map[eval.Ordinal]string
	funnels map[string]*CurationFunnel
	order   []string
	balance curation.Balance
	people  map[annotate.Annotator]*CurationExpert
}

func newCurationTally(d eval.Dataset, o *CurationOptions) *curationTally {
	t := &curationTally{
		o: o, source: make(map[eval.Ordinal]string), funnels: make(map[string]*CurationFunnel), people: make(map[annotate.Annotator]*CurationExpert),
		out: &CurationRow{Dataset: d.Name, Synthetic: d.Synthetic, Panel: max(1, o.Panel.Experts), behind: make(map[eval.Ordinal]*curatedSample)},
	}
	if o.Inspection != nil {
		t.out.Inspection = o.Inspection.Name
		t.kept = eval.IndexBy(o.Inspection.Candidates(), func(f curation.Finding) (eval.Ordinal, bool) { return f.Sample, true })
	}
	return t
}

// countPoolSample counts a sample of the pool, and reports whether it is a candidate.
func (t *curationTally) countPoolSample(s *eval.Sample) bool {
	f := t.funnels[s.Source]
	if f == nil {
		f = &CurationFunnel{Source: s.Source}
		t.funnels[s.Source] = f
		t.order = append(t.order, s.Source)
	}
	t.source[s.Ordinal] = s.Source
	f.Pool++
	t.out.Pool++
	t.out.behind[s.Ordinal] = &curatedSample{s.Source, report.Tagged{Pair: eval.Pair{Sample: s.Ordinal}, Path: s.Taxonomy, Tags: []report.Which{AllSamples}}}
	t.out.order = append(t.out.order, s.Ordinal)
	t.balance.AddPath(s.Taxonomy)
	if t.kept != nil && !t.kept[s.Ordinal] {
		return false
	}
	f.Filtered++
	t.out.Filtered++
	t.out.addTag(s.Ordinal, Passed)
	return true
}

func (t *curationTally) countCandidate(c *curation.Case) {
	f, d := t.funnels[t.source[c.Sample]], &c.Decision
	t.out.tagCase(c)
	for _, of := range []*CurationFunnel{f, &t.out.CurationFunnel} {
		of.Reviewed += report.OneIf(d.Outcome != curation.Open)
		of.Accepted += report.OneIf(d.Outcome == curation.Accepted)
	}
	t.out.Contested += report.OneIf(d.Outcome == curation.Contested)
	t.out.Disputed += report.OneIf(d.IsDisputed())
	t.out.Adjudicated += report.OneIf(d.Ruled)
	t.out.Together.countVerdict(d.Verdict)
	t.balance.CountCandidate(d.Axis, d.Outcome == curation.Accepted)
	for i := range c.Words {
		w := &c.Words[i]
		p := eval.GetOrAdd(t.people, w.Expert, func() *CurationExpert { return &CurationExpert{Annotator: string(w.Expert)} })
		p.countVerdict(w.Verdict)
		p.Moved += report.OneIf(w.Axis != nil && !slices.Equal(w.Axis, c.Axis))
		p.Informed += report.OneIf(w.Informed)
	}
}

// verdictCounters are how many samples have each verdict, in the order of curation.AllVerdicts.
func (v *CurationVerdicts) verdictCounters() []*int {
	return []*int{&v.NeedsImage, &v.Answerable, &v.InQuestion, &v.Wrong, &v.Duplicate, &v.Basic}
}

func (v *CurationVerdicts) countVerdict(verdict curation.Verdict) {
	if i := slices.Index(curation.AllVerdicts(), verdict); i >= 0 {
		*v.verdictCounters()[i]++
	}
}

func (v *CurationVerdicts) fillAcceptRate() {
	all := 0
	for _, n := range v.verdictCounters() {
		all += *n
	}
	v.Accepts = stat.Count{K: v.NeedsImage, N: all}.Rate("no verdicts")
}

func (t *curationTally) newRow(ctx context.Context, cases []curation.Case, experts []annotate.Annotator) (*CurationRow, error) {
	r := t.out
	r.Together.fillAcceptRate()
	r.Share = stat.Count{K: r.Accepted, N: r.Pool}.Rate("no samples")
	r.Experts, r.Groups, r.Sources = []CurationExpert{}, []CurationGroup{}, []CurationFunnel{}
	for _, who := range experts {
		if p := t.people[who]; p != nil {
			p.fillAcceptRate()
			r.Experts = append(r.Experts, *p)
		}
	}
	for _, g := range t.balance.ListGroups(t.o.Targets) {
		row := CurationGroup{Path: append([]string{}, g.Path...), Candidates: g.Candidates, Accepted: g.Accepted}
		if g.Target > 0 {
			target, missing := g.Target, g.CountMissing()
			row.Target, row.Missing = &target, &missing
		}
		r.Groups = append(r.Groups, row)
	}
	for _, s := range t.order {
		f := t.funnels[s]
		f.Share = stat.Count{K: f.Accepted, N: f.Pool}.Rate("no samples")
		r.Sources = append(r.Sources, *f)
	}
	var err error
	r.Agreement, r.Pairs, err = computeCurationAgreement(ctx, cases, experts, t.o.Bootstrap)
	r.tagAgreement(cases)
	return r, err
}

// computeCurationAgreement computes how far experts agree, over their blind words.
func computeCurationAgreement(ctx context.Context, cases []curation.Case, experts []annotate.Annotator, b agree.Bootstrap) ([]CurationAgreement, []CurationPair, error) {
	out, pairs := []CurationAgreement{}, []CurationPair{}
	if len(experts) < 2 {
		return out, pairs, nil
	}
	tables := map[string]agree.Table{}
	things := agreementSubjects()
	for i := range cases {
		rows := collectBlindWords(&cases[i], experts)
		for _, on := range things {
			tables[on] = append(tables[on], rows[on])
		}
	}
	for _, on := range things {
		s, err := tables[on].NewPanel(agree.Scale{}).Summarize(ctx, b)
		if err != nil {
			return out, pairs, err
		}
		out = append(out, CurationAgreement{On: on, Items: s.Paired, Percent: s.Percent, Fleiss: s.Fleiss, Alpha: s.Alpha, AC1: s.AC1})
	}
	list, _ := tables["accepted"].NewPanel(agree.Scale{}).ComparePairs(stat.Confidence, 100)
	for _, p := range list {
		pairs = append(pairs, CurationPair{A: string(experts[p.First]), B: string(experts[p.Last]), Agreement: p.Agreement, Kappa: p.Kappa})
	}
	return out, pairs, nil
}
