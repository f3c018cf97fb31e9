package accuracy

import (
	"context"
	"iter"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// Keys lists the predictions that a selection counts.
func (r *Row) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	circular := r.Strategy == eval.Circular.String()
	counts := func(x *metric.Reading) bool { return circular || x.Pass == 0 }
	return r.Drill(ctx, facts, r.ReadAs, s, func(q *report.Drilled) []eval.Key {
		verdict := q.Outcome.Vanilla
		if circular {
			verdict = q.Outcome.Circular
		}
		want, ofQuestion := verdictOf[s.Which]
		status, ofRecords := statusOf[s.Which]
		switch {
		case s.Which == report.Every:
			return q.Key(r.Run)
		case ofQuestion && verdict == want && !circular, s.Which == Irregular && q.Outcome.Irregular && !circular:
			return []eval.Key{{Run: r.Run, Sample: q.Sample.Ordinal}}
		case ofQuestion && verdict == want, s.Which == Irregular && q.Outcome.Irregular:
			return q.Key(r.Run)
		case ofRecords:
			return q.Records(func(_ int, x *metric.Reading) bool {
				return counts(x) && !x.Failed && x.Combined.Status == status
			})
		case s.Which == Errors:
			return q.Records(func(_ int, x *metric.Reading) bool { return counts(x) && x.Failed })
		}
		return nil
	})
}

// Keys lists the predictions that a selection counts.
func (r *PositionsRow) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return r.Drill(ctx, facts, r.ReadAs, s, func(q *report.Drilled) []eval.Key {
		return q.Records(func(_ int, x *metric.Reading) bool {
			if x.NotRead() {
				return s.Which == NotRead
			}
			switch s.Which {
			case Predicted:
				return !x.Failed && x.Combined.Choice == accuracyPart(&s).Label
			case Unread:
				return !x.Failed && x.Combined.Choice == ""
			case Truth:
				return x.Answer == accuracyPart(&s).Label && x.Answer != ""
			case Errors:
				return x.Failed
			case report.Right:
				return x.Right()
			case report.Wrong:
				return x.Answer != "" && !x.Right() && !x.Due
			default:
				return false
			}
		})
	})
}

// Keys lists the predictions that a selection counts.
func (r *StepsRow) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	o := r.ReadAs
	if r.Judge != nil {
		o.Judge = *r.Judge
	}
	return r.Drill(ctx, facts, o, s, func(q *report.Drilled) []eval.Key {
		return q.Records(func(i int, x *metric.Reading) bool {
			key := q.Predictions[i].Key
			step := q.Scheme.Step(key, x)
			switch s.Which {
			case Step1:
				return step == metric.ByRules
			case Step1Not:
				return step != metric.ByRules && step != metric.StepUnset
			case Step2:
				return step == metric.ByJudge
			case Fallback:
				return step == metric.ByFallback
			case Neither:
				return step == metric.ByNobody && !x.Due
			case Unparsed:
				return step == metric.ByNobody && q.Scheme.Replied(key)
			case Failed:
				return step == metric.ByNobody && q.Scheme.JudgeFailed(key)
			case Errors:
				return x.Failed
			default:
				return false
			}
		})
	})
}

var statusOf = map[report.Which]eval.Status{
	Found: eval.Found, None: eval.None, Refused: eval.Refused, Ambiguous: eval.Ambiguous, Missing: eval.Missing,
	NotRead: eval.StatusUnset,
}

var verdictOf = map[report.Which]metric.Verdict{
	report.Right: metric.Right, report.Wrong: metric.NotRight, Pending: metric.Pending,
	NoTruth: metric.NoTruth, Unanswered: metric.Unanswered, NoRules: metric.NoRules,
}
