package accuracy

import (
	"context"
	"iter"
	"slices"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
)

// Keys yields what is behind the row, or with Selection.Level of an ability or
// of an ability and a subtask: questions by their verdict or by what is said,
// and those of the pictures that PlusRight, PlusWrong and AlwaysYes name.
func (r *MMERow) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	var all metric.MME
	whole := report.Selection{}
	for _, err := range r.Drill(ctx, facts, r.ReadAs, whole, func(q *report.Drilled) []eval.Key {
		if name, ok := metric.MMESubtask(&q.Sample); ok && report.Under([]string{eval.MMEAbility(name), name}, s.Level) {
			all.Add(q.Question, &q.Outcome)
		}
		return nil
	}) {
		if err != nil {
			return report.FailedKeys(err)
		}
	}
	var out []eval.Key
	for _, looks := range all.Looks() {
		for i := range looks {
			if mmeBehind(looks, &looks[i], s.Which) {
				out = append(out, eval.Key{Run: r.Run, Sample: looks[i].Sample})
			}
		}
	}
	slices.SortFunc(out, report.CompareKeys)
	return func(yield func(eval.Key, error) bool) {
		for _, k := range out {
			if !yield(k, nil) {
				return
			}
		}
	}
}

// mmeBehind reports whether a question is behind a figure; looks are those
// about its picture.
func mmeBehind(looks []metric.Look, l *metric.Look, which report.Which) bool {
	all := func(test func(*metric.Look) bool) bool {
		return len(looks) == 2 && test(&looks[0]) && test(&looks[1])
	}
	decided := func(l *metric.Look) bool { return l.Verdict.Decided() }
	right := func(l *metric.Look) bool { return l.Verdict == metric.Right }
	switch which {
	case PlusRight:
		return all(right)
	case PlusWrong:
		return all(decided) && !all(right)
	case AlwaysYes:
		return all(func(l *metric.Look) bool { return l.Said == eval.Yes })
	case SaidYes:
		return l.Said == eval.Yes
	case SaidNo:
		return l.Said != "" && l.Said != eval.Yes
	case Follows:
		return l.Answered && l.Follows
	case NotFollows:
		return l.Answered && !l.Follows
	case Unpaired:
		return len(looks) < 2
	case Undecided:
		return !l.Verdict.Decided()
	default:
		want, ok := verdictOf[which]
		return ok && l.Verdict == want
	}
}
