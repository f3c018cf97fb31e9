package alignment

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Ceiling is how far alignment may drop since a saved report.
type Ceiling struct {
	Max     float64 // a share: the upper bound of the drop has to be below it; 0: it is not asked for
	Since   uint64  // the number of the saved report; 0: the last one of the same consensus, whose number it becomes
	ByValue bool    // the drop itself has to be below it, and no bound
}

// Drop is how far an extractor's alignment fell since a saved report: then less
// now, so that a positive one is a loss.
type Drop struct {
	Since      uint64        `json:"since"` // the number of the saved report
	Difference stat.Estimate `json:"difference"`
	Method     string        `json:"method"`
	Why        string        `json:"why,omitempty"` // of independent: why it is not paired
}

// The methods of a drop.
const (
	dropPaired      = "paired by sample"
	dropIndependent = "as independent"
	dropNone        = "nothing changed"
)

// pastFacts are the facts as they were at a time: acts and judgments that came later are left out.
type pastFacts struct {
	report.Facts
	until time.Time
}

func (p pastFacts) QueueActs(ctx context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return eval.Filter(p.Facts.QueueActs(ctx, q), func(a *annotate.Act) bool { return !a.At.After(p.until) })
}

func (p pastFacts) Judgments(ctx context.Context, run eval.RunID) iter.Seq2[eval.Judgment, error] {
	return eval.Filter(p.Facts.Judgments(ctx, run), func(j *eval.Judgment) bool { return !j.At.After(p.until) })
}

// computeDrops sets the rows of the whole queue beside those of a saved report, and
// says what of them does not stay below the ceiling. Every extractor of the
// saved report has to; one that came since has nothing to be set beside.
func (rv *reviewedQueue) computeDrops(ctx context.Context, facts report.Facts, o *Options, rows []*Row) ([]Gate, error) {
	s, err := rv.findSavedReport(facts, o)
	if err != nil {
		return nil, err
	}
	saved, err := readSavedRows(s, nil)
	if err != nil {
		return nil, err
	}
	o.Drop.Since = s.ID
	then, err := newReviewedQueue(ctx, pastFacts{facts, s.At}, o)
	if err != nil {
		return nil, fmt.Errorf("read queue %s as it was: %w", o.Queue, err)
	}
	changes := s.StaleChanges(rv.inputsForSaved(s, o))
	var gates []Gate
	for _, was := range selectWholeRows(saved) {
		g := Gate{Figure: fmt.Sprintf("drop of the alignment of %s since saved report %d", was.Extractor, s.ID), Max: &o.Drop.Max, ByValue: o.Drop.ByValue}
		i := slices.IndexFunc(rows, func(r *Row) bool { return r.Extractor == was.Extractor })
		switch {
		case was.Alignment.N == 0:
			continue // there was nothing to fall from
		case i < 0 || rows[i].Alignment.N == 0:
			g.Undefined = "it reads nothing of the queue that people labelled any more"
		default:
			d := &Drop{Since: s.ID}
			rows[i].Drop = d
			c := toCalibrationRows([]*Row{was}, s.Inputs())[0]
			if d.Method = dropNone; len(c.relevantChanges(changes)) > 0 {
				d.computeDrop(then, rv, o, s, was, rows[i])
			} else {
				d.Difference = stat.NewExactEstimate(0, was.Alignment.N)
			}
			g.Value, g.High, g.How = d.Difference.Value, &d.Difference.High, d.describeMethod()
		}
		gates = append(gates, g)
	}
	return gates, nil
}

func (d *Drop) describeMethod() string {
	return eval.Either(d.Why != "", d.Method+", since "+d.Why, d.Method)
}

// computeDrop finds the drop of one extractor: paired, where the facts behind the
// saved figure are still there.
func (d *Drop) computeDrop(then, now *reviewedQueue, o *Options, s *annotate.SavedReport, was, is *Row) {
	if d.Why = then.whyFactsGone(s, was, now); d.Why != "" {
		less := is.Alignment
		d.Method = dropIndependent
		d.Difference = stat.SumEstimates(report.EstimateOfRate(was.Alignment), stat.Estimate{N: less.N, Value: -less.Value, Low: -less.High, High: -less.Low})
		d.Difference.Sequence = less.Sequence
		return
	}
	d.Method = dropPaired
	units := make(map[uint64][4]float64)
	for side, rv := range []*reviewedQueue{then, now} {
		all := rv.listExtractors(o)
		x := &all[slices.IndexFunc(all, func(x extractor) bool { return x.Name == was.Extractor })].Extractor
		for i := range rv.items {
			c := rv.basis.CompareItem(&rv.items[i], x)
			if c.LeftOut != "" {
				continue
			}
			u := units[rv.items[i].Cluster]
			u[2*side] += float64(report.OneIf(c.Alignment == annotate.Aligned))
			u[2*side+1]++
			units[rv.items[i].Cluster] = u
		}
	}
	var p stat.Paired
	for _, u := range units {
		p.AddUnit(u[0], u[1], u[2], u[3])
		p.CloseCluster()
	}
	level := eval.Either(is.Alignment.Sequence, stat.SequenceConfidence(stat.Confidence, p.CountClusters()), stat.Confidence)
	d.Difference, _ = p.Difference(level, nothingThen)
	d.Difference.Sequence = is.Alignment.Sequence
}

const nothingThen = "no item was compared"

// whyFactsGone is why what a saved figure was computed from cannot be read again; ""
// where it can. The receiver is the queue as it was.
func (rv *reviewedQueue) whyFactsGone(s *annotate.SavedReport, was *Row, now *reviewedQueue) string {
	in := rv.currentInputs()
	switch {
	case in.LabelsHash != s.LabelsHash:
		return "the labels behind it are not found again"
	case s.RulingsHash != "" && in.RulingsHash != s.RulingsHash:
		return "the adjudication behind it is not found again"
	case was.Rules != "" && !slices.ContainsFunc(now.rules, func(r eval.Reader) bool { return r.Name() == was.Rules && slices.Contains(s.Rules, eval.ReaderID(r)) }):
		return "its rules are of another version by now"
	case was.Rules == "" && !slices.ContainsFunc(rv.judges, func(j judge) bool { return j.name == was.Extractor && slices.Contains(s.Judges, j.id.String()) }):
		return "what the judge extracted behind it is not found again"
	}
	return ""
}

func (rv *reviewedQueue) findSavedReport(facts report.Facts, o *Options) (*annotate.SavedReport, error) {
	saved, err := facts.SavedReports(rv.queue.Name)
	if err != nil {
		return nil, fmt.Errorf("read saved reports of queue %s: %w", rv.queue.Name, err)
	}
	policy := o.newBasis().SavedPolicyName()
	for i := range slices.Backward(saved) {
		s := &saved[i]
		switch {
		case o.Drop.Since == 0 && s.Policy == policy, s.ID == o.Drop.Since && s.Policy == policy:
			return s, nil
		case s.ID == o.Drop.Since:
			return nil, fmt.Errorf("compare with saved report %d: it is by %s, and this one by %s", s.ID, annotate.DescribeSavedPolicies(s.Policy), annotate.DescribeSavedPolicies(policy))
		}
	}
	if o.Drop.Since != 0 {
		return nil, fmt.Errorf("compare with saved report %d: queue %s has none of that number", o.Drop.Since, rv.queue.Name)
	}
	return nil, fmt.Errorf("compare with a saved report: queue %s has none by %s (report alignment --save keeps one)", rv.queue.Name, annotate.DescribeSavedPolicies(policy))
}

// FindUnmetDrops finds the drops of an alignment report that do not stay below its ceiling.
func FindUnmetDrops(r *report.Report) []Gate {
	k, ok := r.Kept.(*savedDetails)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(k.gates), Gate.IsMet)
}

// selectWholeRows selects the rows over all runs, or of the only one.
func selectWholeRows(rows []*Row) []*Row {
	if slices.ContainsFunc(rows, func(r *Row) bool { return r.Run == 0 }) {
		return slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool { return r.Run != 0 })
	}
	return rows
}

// describeAlignmentDrops say how far alignment fell.
func describeAlignmentDrops(rows []*Row) []string {
	var out []string
	for _, r := range rows {
		if d := r.Drop; d != nil {
			out = append(out, fmt.Sprintf("Drop of the alignment of %s since saved report %d, in points: %s, %s.", r.Extractor, d.Since, table.NewPoints(d.Difference).FormatEstimate(), d.describeMethod()))
		}
	}
	return out
}
