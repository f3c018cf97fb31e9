package alignment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Row is how far one extractor reads a run's items of a queue as people do (MMBench, Fig. 5 and App.
// D.1). In a report's Overall it is about the whole queue, and Runs names the runs instead of Run.
type Row struct {
	ExtractorRow
	Consensus string `json:"consensus,omitempty"`    // dawid-skene: classes count by how probable they are
	CaseOpen  int    `json:"no_consensus,omitempty"` // misaligned: people came to nothing, and undecided is own

	Weighted *report.Corrected `json:"weighted,omitempty"` // of predictions like those that a queue by uncertainty was drawn from; nil of other queues

	*agree.AlternativeTest // whether it may take the place of a person; nil in saved rows

	Adjudicated *annotate.Adjudication `json:"adjudicated,omitempty"` // nil when nobody has settled any item

	Models    []ModelShare         `json:"models,omitempty"`
	Levels    []LevelShare         `json:"levels"`
	People    []PersonShare        `json:"people"`
	Confusion []annotate.Confusion `json:"confusion"`

	Common  *CommonShare `json:"common,omitempty"` // nil where no other extractor is compared
	McNemar []Test       `json:"mcnemar,omitempty"`
	Drop    *Drop        `json:"drop,omitempty"` // since a saved report; nil: not asked

	Saved   uint64     `json:"saved,omitempty"` // the number of the saved report that the row is of
	SavedBy string     `json:"saved_by,omitempty"`
	SavedAt *time.Time `json:"saved_at,omitempty"`
	Version string     `json:"saved_version,omitempty"` // the concord that saved it
	Stale   *bool      `json:"stale,omitempty"`         // only of saved ones
	Reasons []string   `json:"stale_reasons,omitempty"`

	Heads []annotate.Head `json:"heads,omitempty"` // of saved ones: where the chains of acts stood of the people whose acts it counts
}

// ExtractorRow is the figures of an extractor on a queue, today or in a saved report.
type ExtractorRow struct {
	report.Head
	Runs []eval.RunID `json:"runs,omitempty"`
	report.Source
	Prompts []string `json:"prompts,omitempty"` // of a judge

	Queue     annotate.QueueName `json:"queue"`
	Part      string             `json:"part,omitempty"` // of its samples; "": all
	Policy    string             `json:"policy"`
	Undecided string             `json:"undecided"`
	LeftOut   string             `json:"left_out,omitempty"` // why this extractor has no figures here

	Alignment  stat.Rate         `json:"alignment"`
	CaseOne    int               `json:"case_one"`
	CaseTwo    int               `json:"case_two"`
	Kappa      agree.Coefficient `json:"cohen_kappa"`
	AC1        agree.Coefficient `json:"gwet_ac1"`
	Baseline   stat.Rate         `json:"majority_baseline"`
	Excluded   map[string]int    `json:"excluded"`
	Items      int               `json:"items"` // in the queue, of this run
	Annotators int               `json:"annotators"`
}

// ReportAlignment compares rule sets and judges with people's labels on a queue: a row for each
// run and extractor, and the whole queue in Overall when it has several runs. Saved reports of
// the queue follow, with whether they are stale.
func ReportAlignment(ctx context.Context, facts report.Facts, o Options) (report.Report, error) {
	o.judgesOnly = o.judgesOnly || o.Judge != ""
	rv, err := newReviewedQueue(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	return rv.reportAlignment(ctx, facts, o)
}

func (rv *reviewedQueue) reportAlignment(ctx context.Context, facts report.Facts, o Options) (report.Report, error) {
	looks, err := rv.countHeldOutLooks(facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "alignment", Layout: besideLayout, Confidence: stat.Confidence, Draw: drawAlignment, Bars: makeExtractorAndReportBars, Lay: makeAlignmentTables, Notes: append(o.cautionAboutPart(looks), rv.listNotes(&o)...)}
	if o.Part == HeldOut {
		out.MustSave = errors.New("a look at the held-out part is counted: add --save")
	}
	byRun := make(map[eval.RunID][]annotate.AlignItem)
	for _, it := range rv.items {
		byRun[it.Key.Run] = append(byRun[it.Key.Run], it)
	}
	ids := slices.Sorted(maps.Keys(byRun))
	for _, id := range ids {
		rows, err := rv.compareExtractors(ctx, &o, report.NewHead(rv.runs[id], rv.splits[id]), byRun[id])
		if err != nil {
			return report.Report{}, err
		}
		out.Rows = append(out.Rows, rows...)
	}
	if len(ids) > 1 {
		whole := report.Head{Dataset: rv.queue.Rule.Dataset, Split: report.AllSplits, Model: "all", Modality: "all", Synthetic: rv.queue.Synthetic}
		if out.Overall, err = rv.compareExtractors(ctx, &o, whole, rv.items); err != nil {
			return report.Report{}, err
		}
		for _, row := range out.Overall {
			row.(*Row).Runs = ids
		}
		out.Notes = append(out.Notes, rv.warnMixedSettings(ids)...)
	}
	whole := eval.Either(out.Overall == nil, out.Rows, out.Overall)
	out.Notes = append(out.Notes, slices.Concat(rv.weightedNotes(whole), warnDifferentItems(whole))...)
	excluded, err := report.ListExcludedItems(facts, &rv.queue, rv.people.States)
	if err != nil {
		return report.Report{}, err
	}
	out.NoteExcludedItems(excluded)
	k := &savedDetails{rows: slices.Concat(out.Overall, out.Rows)}
	out.Kept, out.Draft = k, rv.makeReportDrafter(&o, k.rows)
	if o.Drop != nil && o.Drop.Max > 0 {
		whole := selectWholeRows(report.SelectRows[*Row](k.rows))
		if k.gates, err = rv.computeDrops(ctx, facts, &o, whole); err != nil {
			return report.Report{}, err
		}
		out.Notes = append(out.Notes, describeAlignmentDrops(whole)...)
	}
	err = rv.addSavedRows(facts, &o, k, &out)
	return out, err
}

func (rv *reviewedQueue) compareExtractors(ctx context.Context, o *Options, h report.Head, items []annotate.AlignItem) ([]report.Row, error) {
	var out []report.Row
	basis := rv.basis
	all := rv.listExtractors(o)
	compared := eval.Map(all, func(x extractor) annotate.Extractor { return x.Extractor })
	aligned, err := annotate.AlignExtractors(ctx, items, compared, basis)
	if err != nil {
		return nil, err
	}
	for i, a := range aligned {
		row := &Row{Adjudicated: a.Adjudicated, CaseOpen: a.CaseOpen, Confusion: append([]annotate.Confusion{}, a.Confusion...), ExtractorRow: ExtractorRow{
			Head: h, Source: all[i].source, Prompts: all[i].prompts, Queue: rv.queue.Name, Part: o.Part.String(),
			Policy: basis.Policy.String(), Undecided: basis.Undecided.String(), LeftOut: a.LeftOut,
			Alignment: a.Alignment, CaseOne: a.CaseOne, CaseTwo: a.CaseTwo,
			Kappa: a.Kappa, AC1: a.AC1, Baseline: a.Baseline, Excluded: a.Excluded,
			Items: len(items), Annotators: rv.people.CountLabellers(),
		}}
		if o.Part == HeldOut {
			row.Alignment = RateOfAlignment(items, basis, &all[i].Extractor, a.Alignment.Sequence, o.among)
		}
		if basis.Policy == annotate.DawidSkene {
			row.Consensus = basis.Policy.String()
		}
		if all[i].LeftOut == "" {
			test := agree.RunAlternativeTest(annotate.RatedItems(items, &all[i].Extractor), o.Epsilon, agree.AlternativeItems)
			row.AlternativeTest = &test
		}
		row.Weighted = rv.estimateWeightedAlignment(h.Run, items, &all[i].Extractor)
		row.fillParts(&a)
		row.addComparisons(&a)
		out = append(out, row)
	}
	return out, nil
}

// extractor is one to be compared, with how its rows name it.
type extractor struct {
	annotate.Extractor
	source  report.Source
	first   time.Time // when a judge was asked first
	spent   Spending
	prompts []string
}

func (rv *reviewedQueue) listExtractors(o *Options) []extractor {
	var out []extractor
	for i := range rv.rules {
		set := rv.rules[i]
		readings := rv.readings[set.Name()]
		source := report.NewRulesSource(set)
		source.ReadAs = report.Options{Reader: o.Reader}
		out = append(out, extractor{
			Extractor: annotate.Extractor{
				Name: source.Extractor, LeftOut: rv.whyLeftOut(set),
				Read: func(k eval.Key) (eval.Extraction, bool) {
					e, ok := readings[k]
					return e, ok
				},
			},
			source: source,
		})
	}
	for _, j := range rv.judges {
		of, name := eval.JudgeOfCandidate(j.name), j.name
		if of != "" && o.Part == PartUnset {
			continue // a prompt that was tried on one half is measured on the halves alone
		}
		if o.Candidates {
			name = of
		}
		if o.Judge != "" && o.Judge != name {
			continue
		}
		out = append(out, extractor{
			Extractor: annotate.Extractor{Name: j.name, Read: j.read},
			source:    report.Source{Extractor: j.name, ReadAs: report.Options{Reader: o.Reader}},
			prompts:   slices.DeleteFunc(slices.Clone(j.prompts), func(p string) bool { return p == "" }),
			first:     j.first, spent: j.spent,
		})
	}
	return out
}

// whyLeftOut is why a rule set cannot be compared on the queue. A queue of what it could not
// read would give it the rate at which people find nothing either, which says nothing about it.
func (rv *reviewedQueue) whyLeftOut(r eval.Reader) string {
	rule := &rv.queue.Rule
	name, _, versioned := strings.Cut(rule.Rules, "@")
	if rule.From != annotate.FromUnparsable || name != r.Name() || versioned && rule.Rules != eval.ReaderID(r) {
		return ""
	}
	return fmt.Sprintf("the queue holds only what %s could not read", rule.Rules)
}

// hasLabelsToCome reports whether labels are still to come.
func (rv *reviewedQueue) hasLabelsToCome() bool {
	return rv.queue.Growing || slices.ContainsFunc(rv.items, func(it annotate.AlignItem) bool { return it.Open && !it.Gold && !it.Failed })
}

func (rv *reviewedQueue) listNotes(o *Options) []string {
	var notes []string
	if rv.queue.Stratum == annotate.Priority {
		notes = append(notes, "The queue is of targeted sampling: its numbers describe its items, not a population.")
	}
	if rv.uneven && (o.unweighted || rv.queue.Rule.Order != annotate.ByUncertainty) {
		notes = append(notes, "The items were drawn with different probabilities, and the numbers do not weigh them: they describe these items.")
	}
	if o.Policy == annotate.DawidSkene {
		notes = append(notes, annotate.SkeneNote)
		if who := rv.basis.DescribeErrors(); who != "" {
			notes = append(notes, who)
		}
	}
	if rv.hasLabelsToCome() {
		notes = append(notes, table.SequenceNote)
	}
	notes = append(notes, report.DescribeAddedItems(&rv.queue, rv.golds)...)
	notes = append(notes, rv.describeGuidelines()...)
	if rv.queue.Synthetic {
		notes = append(notes, "The queue is synthetic: recorded answers that the project wrote itself.")
	}
	return notes
}

// Audience is everybody, without the parts that may hold few items.
func (r *Row) Audience() report.Audience { return report.InPart }

// PublicPart leaves out people, levels, confusions, adjudicators and the extractors set beside
// each other: they may hold so few items that they tell how one was labelled.
func (r *Row) PublicPart() report.Row {
	out := *r
	out.People, out.Levels, out.Confusion = []PersonShare{}, []LevelShare{}, []annotate.Confusion{}
	out.Adjudicated, out.Common, out.McNemar, out.Heads = nil, nil, nil, nil
	return &out
}

// Settings are the queue with its policy, and the judge's prompts.
func (r *Row) Settings() []string {
	out := []string{"queue " + string(r.Queue) + ", policy " + annotate.DescribePolicies(r.Policy, r.Undecided)}
	return append(out, eval.Map(r.Prompts, func(p string) string { return "prompt of " + r.Extractor + " " + report.ShortHash(p) })...)
}
