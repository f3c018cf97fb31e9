package alignment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/stat"
)

// Options say what an alignment report is about.
type Options struct {
	Queue     annotate.QueueName
	Policy    annotate.Policy    // unset: Majority
	Undecided annotate.Undecided // unset: Dropped
	Rules     []string           // rule sets to compare; empty: all that read the queue's kinds
	Epsilon   float64            // of the alternative annotator test

	// Reader finds a rule set; nil is extract.FindRules.
	Reader func(name string) (eval.Reader, error)
	// Progress is told how many items of how many are read; nil: nobody asks.
	Progress func(done, total int)

	Drop *Ceiling // how far alignment may fall since a saved report; nil: not asked

	Part  Part   // of the samples
	Judge string // this extractor alone; "": all

	Candidates bool // those of Judge in its place
	Examples   bool // items of the development part stay that prompts have as examples

	judgesOnly bool // no rule set is wanted
	saved      bool // for the staleness of saved reports, of parts too
	unweighted bool // no figure allows for how likely an item was drawn
	among      int  // of the held-out part: extractors whose intervals hold together
	shown      int  // of the development part: items that are examples in prompts
}

func (o *Options) newBasis() annotate.Basis { return report.BasisOrDefault(o.Policy, o.Undecided) }

// reviewedQueue is a queue as alignment looks at it: items with the labels that
// stand, and what each extractor reads in them.
type reviewedQueue struct {
	queue     annotate.Queue
	shown     *judgedQueue // where it is shown as one of readings
	runs      map[eval.RunID]eval.Run
	items     []annotate.AlignItem
	inclusion float64                   // of the item read last
	golds     int                       // items that were not drawn, but added since their answer is known
	uneven    bool                      // items were drawn with different probabilities
	uncertain map[annotate.ItemKey]bool // of items that were drawn and could be read: whether they were uncertain
	splits    map[eval.RunID]string     // of the run's items; AllSplits when they are of several
	people    *report.StandingLabels
	heads     []annotate.Head // of those who have acted in the queue, once their acts were read
	rules     []eval.Reader
	readings  map[string]map[eval.Key]eval.Extraction // of rule sets, by name
	judges    []judge
	basis     annotate.Basis
}

// fitModel finds how people's word is found, in a queue that may grow still.
func (rv *reviewedQueue) fitModel(ctx context.Context, o *Options) (err error) {
	rv.basis = o.newBasis()
	rv.basis.Growing = rv.queue.Growing
	rv.basis, err = rv.basis.FitModel(ctx, rv.items, o.Progress)
	return err
}

// judge is a judge that has readings on the queue's runs.
type judge struct {
	name    string
	prompts []string
	first   time.Time // when it was asked first
	spent   Spending
	id      annotate.JudgeID
	read    func(eval.Key) (eval.Extraction, bool)

	confidence func(eval.Key) float64 // in its reading; 0: not known
}

func newReviewedQueue(ctx context.Context, facts report.Facts, o *Options) (*reviewedQueue, error) {
	q, err := facts.Queue(o.Queue)
	if err != nil {
		return nil, err
	}
	halves := o.Part != PartUnset || o.saved
	o.judgesOnly = o.judgesOnly || halves && q.CheckTakesLabels() != nil
	facts, q, shown, err := showAsReadings(ctx, facts, q, halves)
	if err != nil {
		return nil, err
	}
	if err := q.CheckTakesReadings(); err != nil {
		return nil, fmt.Errorf("compare extracted answers: %w", err)
	}
	rv := &reviewedQueue{
		queue: q, shown: shown, splits: make(map[eval.RunID]string), uncertain: make(map[annotate.ItemKey]bool),
		readings: make(map[string]map[eval.Key]eval.Extraction),
	}
	if rv.runs, err = report.RunsByID(facts); err != nil {
		return nil, err
	}
	if rv.people, err = report.ReadStandingLabels(ctx, facts, q.Name); err != nil {
		return nil, err
	}
	if rv.heads, err = facts.Heads(); err != nil {
		return nil, fmt.Errorf("read the heads of the chains of acts: %w", err)
	}
	rv.heads = slices.DeleteFunc(slices.Clone(rv.heads), func(h annotate.Head) bool { _, acted := rv.people.States[h.Person]; return !acted })
	if err := rv.loadItems(ctx, facts, o); err != nil {
		return nil, err
	}
	return rv, cmp.Or(rv.fitModel(ctx, o), rv.findJudges(ctx, facts), rv.keepItemsOfPart(facts, o))
}

// loadItems reads the items, and what each rule set makes of them.
func (rv *reviewedQueue) loadItems(ctx context.Context, facts report.Facts, o *Options) error {
	named := make(map[string]bool)
	golds, err := report.ReadKnownAnswers(facts, &rv.queue)
	if err != nil {
		return err
	}
	turnout := annotate.NewLabelTurnout(&rv.queue, rv.people.States)
	items, err := eval.Collect(facts.QueueItems(ctx, rv.queue.Name))
	if err != nil {
		return fmt.Errorf("read items of queue %s: %w", rv.queue.Name, err)
	}
	answers := answerReader{facts: facts, runs: rv.runs}
	if err := answers.readRunsAhead(ctx, o, items); err != nil {
		return err
	}
	for i := range items {
		qi := &items[i]
		if qi.Key.Run == 0 || qi.Key.Against != 0 {
			return fmt.Errorf("align queue %s: item %s is not one prediction", rv.queue.Name, qi.Key)
		}
		a, err := answers.readAnswer(qi.Key)
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			return err
		}
		gold := report.IsAddedGold(golds, qi)
		if !gold && !a.failed {
			rv.uncertain[qi.Key] = qi.Uncertain
		}
		if gold {
			rv.golds++
		} else {
			rv.uneven = rv.uneven || len(rv.items) > rv.golds && qi.Inclusion != rv.inclusion
			rv.inclusion = qi.Inclusion
		}
		rv.items = append(rv.items, annotate.AlignItem{
			Key: qi.Key, Cluster: a.cluster, Model: report.NameRun(rv.runs[qi.Key.Run]), Taxonomy: a.taxonomy,
			Failed: a.failed, Gold: gold, Open: turnout.IsOpen(qi.Key), Labels: rv.people.ByItem[qi.Key], Ruling: rv.people.RulingOn(qi.Key),
			Excluded: rv.people.Excluded[qi.Key], Audited: rv.queue.IsAudited(qi.Key),
		})
		rv.addToSplit(qi.Key.Run, a.split)
		if err := rv.findRuleSets(o, a.kind, named); err != nil {
			return err
		}
		for _, r := range rv.rules {
			if e := a.read(r); e.Status != eval.StatusUnset {
				rv.readings[r.Name()][qi.Key.Key] = e
			}
		}
		if o.Progress != nil && answers.ahead == nil && len(rv.items)%report.BatchSize == 0 {
			o.Progress(len(rv.items), len(items))
		}
	}
	if o.Progress != nil {
		o.Progress(len(items), len(items))
	}
	return nil
}

func (rv *reviewedQueue) addToSplit(run eval.RunID, name string) {
	old, seen := rv.splits[run]
	if name == "" || seen && old != name {
		name = report.AllSplits
	}
	rv.splits[run] = name
}

// findRuleSets finds the rule sets for a kind of samples, once.
func (rv *reviewedQueue) findRuleSets(o *Options, kind eval.Kind, named map[string]bool) error {
	if named[kind.String()] || o.judgesOnly {
		return nil
	}
	named[kind.String()] = true
	for _, name := range o.ruleNamesFor(kind) {
		if slices.ContainsFunc(rv.rules, func(r eval.Reader) bool { return r.Name() == name }) {
			continue
		}
		r, err := report.FindRules(o.Reader, name)
		if err != nil {
			return err
		}
		rv.rules = append(rv.rules, r)
		rv.readings[name] = make(map[eval.Key]eval.Extraction)
	}
	return nil
}

func (o *Options) ruleNamesFor(kind eval.Kind) []string {
	return eval.Either(len(o.Rules) > 0, o.Rules, extract.RuleNamesFor(kind))
}

// findJudges finds the judges that have readings on the runs that the queue is
// about, whether they have items in it yet or not.
func (rv *reviewedQueue) findJudges(ctx context.Context, facts report.Facts) error {
	merged := make(map[string]map[eval.Key]eval.Judgment)
	for _, r := range rv.runs {
		rule := &rv.queue.Rule
		if r.Config.Dataset != rule.Dataset || len(rule.Runs) > 0 && !slices.Contains(rule.Runs, r.ID) {
			continue
		}
		js, err := report.ReadJudgments(ctx, facts, r.ID, true, func(j *eval.Judgment) eval.Judgment { return *j })
		if err != nil {
			return err
		}
		for name, m := range js.ByKey {
			maps.Copy(eval.GetOrAdd(merged, name, func() map[eval.Key]eval.Judgment { return make(map[eval.Key]eval.Judgment) }), m)
		}
	}
	rv.judges = eval.Map(slices.Sorted(maps.Keys(merged)), func(name string) judge { return rv.newJudge(name, merged[name]) })
	return nil
}

// newJudge gives a judge of the readings. What a saved report keeps of it are the
// prompts and settings by which it was asked in the queue's runs, and its
// readings of the queue's items: those of others change no figure.
func (rv *reviewedQueue) newJudge(name string, m map[eval.Key]eval.Judgment) judge {
	j := judge{name: name, read: func(k eval.Key) (eval.Extraction, bool) {
		x, ok := m[k]
		return x.Extraction, ok
	}, confidence: func(k eval.Key) float64 { return m[k].Confidence }}
	prompts, settings := make(map[string]bool), make(map[string]bool)
	for _, x := range m {
		prompts[x.Prompt], settings[x.Setup] = true, true
		j.spent.addCall(&x.Call)
		if j.first.IsZero() || x.At.Before(j.first) {
			j.first = x.At
		}
	}
	j.prompts = slices.Sorted(maps.Keys(prompts))
	h := sha256.New()
	for i := range rv.items {
		if e, ok := j.read(rv.items[i].Key.Key); ok {
			// A hash never refuses what is written to it.
			_, _ = fmt.Fprintf(h, "%s %s %q\n", rv.items[i].Key, e.Status, e.Choice)
		}
	}
	j.id = annotate.JudgeID{Name: name, Prompts: j.prompts, Settings: slices.Sorted(maps.Keys(settings)), Readings: hex.EncodeToString(h.Sum(nil)[:8])}
	return j
}

// describeGuidelines says under which versions of the guideline the labels were made, where that is not
// one version: people who read by different rules differ for a reason that no coefficient knows of.
func (rv *reviewedQueue) describeGuidelines() []string {
	made := make(map[int]int)
	for i := range rv.items {
		for j := range rv.items[i].Labels {
			l := &rv.items[i].Labels[j]
			if version := rv.queue.Guideline.VersionOfLabel(l); version > 0 || !l.Imported { // a file seldom says
				made[version]++
			}
		}
	}
	if len(made) < 2 {
		return nil
	}
	var parts []string
	for _, version := range slices.Sorted(maps.Keys(made)) {
		under := eval.Either(version == 0, "none, or an unknown one", fmt.Sprintf("version %d", version))
		parts = append(parts, fmt.Sprintf("%s: %s", under, report.FormatCount(made[version], "label")))
	}
	return []string{"The labels were made under different versions of the guideline (" + strings.Join(parts, ", ") + "): concord queue guideline " + string(rv.queue.Name) + " --history shows them."}
}

const methodWeighted = "inverse probability, by uncertainty"

// estimateWeightedAlignment is how far an extractor reads as people do, of predictions like those that a queue
// by uncertainty was drawn from: labels count by 1 over their probability, and how many
// predictions are uncertain is known (a regression estimator: Särndal, Swensson and Wretman,
// "Model Assisted Survey Sampling", 1992, Sec. 6.4). Nil of other queues.
func (rv *reviewedQueue) estimateWeightedAlignment(run eval.RunID, items []annotate.AlignItem, x *annotate.Extractor) *report.Corrected {
	rule := &rv.queue.Rule
	if rule.Order != annotate.ByUncertainty || x.LeftOut != "" {
		return nil
	}
	drawn, compared := make([]report.DrawnItem, len(items)), make([]annotate.ComparedReading, len(items))
	for i := range items {
		it := &items[i]
		compared[i] = rv.basis.CompareItem(it, x)
		drawn[i] = report.DrawnItem{
			Key: it.Key, Hash: rule.DrawRank(it.Key, rv.uncertain[it.Key]), Said: compared[i].LeftOut == "",
			Open: it.Open && (it.Ruling == nil || rv.basis.Policy != annotate.Adjudicated),
		}
	}
	of := func(d *report.DrawnItem) bool { _, ok := rv.uncertain[d.Key]; return ok }
	count, left := report.NewLabelCounting(drawn, of), rv.countDrawnFrom(run)
	strata, lacks := report.NewStrata(), 0
	for i := range drawn {
		d, uncertain := &drawn[i], report.OneIf(rv.uncertain[drawn[i].Key])
		if !of(d) || !count.DoesLabelCount("", d.Hash) {
			continue
		}
		left[uncertain]--
		strata.Cluster, strata.Weight = items[i].Cluster, count.WeightBy(&rule.Drawing, uncertain == 1)
		lacks += report.OneIf(compared[i].LeftOut == annotate.LeftNoReading)
		if machine := float64(1 - uncertain); d.Said {
			strata.AddLabelled("", machine, float64(report.OneIf(compared[i].Alignment == annotate.Aligned)))
		} else {
			strata.AddMissing("", machine)
		}
	}
	strata.Cluster = 0
	for uncertain, n := range left {
		for range n {
			strata.AddUnlabelled("", float64(1-uncertain))
		}
	}
	score := report.ComputeStrataScore(&report.Correcting{}, strata.ListStrata(), correct.Options{High: 1, Confidence: stat.Confidence},
		report.CountedLabels{Waiting: count.Labels - count.Counted, More: count.More, Unfinished: count.Open > 0})
	if lacks > 0 {
		score = score.WithoutCorrection(fmt.Sprintf("%s has not read %s of the items", x.Name, table.FormatGrouped(lacks)))
	}
	out := report.NewCorrected(&score, methodWeighted)
	if e := out.Estimate; out.Alike > 0 && !e.Sequence {
		out.Alike = correct.LabelsDrawnAlike(e)
	}
	return &out
}

// countDrawnFrom is how many predictions of a run, or of all for 0, the queue was drawn
// from: those that are not uncertain, and those that are.
func (rv *reviewedQueue) countDrawnFrom(run eval.RunID) (out [2]int) {
	d := &rv.queue.Rule.Drawing
	for i, of := range rv.queue.Rule.Runs {
		if run == 0 || run == of {
			out[0] += d.Sizes[i] - d.Unsure[i]
			out[1] += d.Unsure[i]
		}
	}
	return out
}

// weightedPartName is the weighted rate as the name of a part of its row.
func (r *Row) weightedPartName() string {
	e := r.Weighted.Estimate
	if reason := e.WhyUndefined(); reason != "" {
		return "weighted: - (" + reason + ")"
	}
	return fmt.Sprintf("weighted, of predictions like those drawn from: %s [%s, %s]", table.FormatPercent(e.Value), table.FormatPercent(e.Low), table.FormatPercent(e.High))
}

// weightedNotes say what a drawing by uncertainty means for the numbers.
func (rv *reviewedQueue) weightedNotes(rows []report.Row) []string {
	if rv.queue.Rule.Order != annotate.ByUncertainty {
		return nil
	}
	out := []string{fmt.Sprintf("Items that extractors leave uncertain were %.3g times as likely to be drawn. The weighted rates allow for it, and are of predictions like those that were drawn from; the other numbers describe the items.", rv.queue.Rule.Drawing.Lift)}
	for _, row := range rows {
		r := row.(*Row)
		if r.Weighted == nil {
			continue
		}
		if worth := r.Weighted.DescribeDesignEffect(); worth != "" {
			out = append(out, r.Extractor+" on "+r.Model+": "+worth)
		}
		if n := r.Weighted.Missing; n > 0 && r.Weighted.Bounds != nil {
			out = append(out, fmt.Sprintf("%s: drawn and without a say of people: %s; whatever they would say, the weighted rate is within [%s, %s].",
				r.Extractor+" on "+r.Model, table.FormatGrouped(n), table.FormatPercent(r.Weighted.Bounds.Low), table.FormatPercent(r.Weighted.Bounds.High)))
		}
	}
	return out
}
