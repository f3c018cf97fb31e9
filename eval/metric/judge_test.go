package metric

import (
	"testing"

	"concord/eval"
)

// A question is pending exactly when the engine would ask another pass of it:
// both know the rules' readings, and the deciding judge's of what they left.
func TestPendingIsWhatTheEngineAsks(t *testing.T) {
	s := scheme(eval.Circular, eval.Asked)
	s.Run.Config.Settings.Judges = []eval.JudgeSetup{{Judge: "gpt"}}
	var all []string
	for marks, n := []string{""}, 0; n < 3; n++ {
		var longer []string
		for _, m := range marks {
			for _, next := range "+-?RWN" {
				longer = append(longer, m+string(next))
			}
		}
		marks = longer
		all = append(all, marks...)
	}
	for _, marks := range all {
		q := judged(marks)
		s.Judges = []Judge{{Name: "gpt", Reading: func(k eval.Key) (eval.Extraction, bool) {
			for _, j := range q.Judgments {
				if j.Key == k {
					return j.Extraction, true
				}
			}
			return eval.Extraction{}, false
		}}}
		s.Second = 1
		o := s.Decide(&q)
		closed := eval.CountsOfQuestion(s.Run.Config, &q, s.Rules).Questions == 1
		if pending := o.Circular == Pending; pending == closed {
			t.Errorf("%q: %v, and the engine counts it closed: %v", marks, o.Circular, closed)
		}
	}
}

// judged is a question as ask makes it, in which a judge reads as right (R),
// wrong (W) or none of the options (N) what the rules do not read.
func judged(marks string) eval.Question {
	passes := []rune(marks)
	for i, m := range passes {
		if m == 'R' || m == 'W' || m == 'N' {
			passes[i] = '?'
		}
	}
	q := ask(string(passes))
	for i, m := range marks {
		p := &q.Predictions[i]
		j := eval.Judgment{Key: p.Key, Judge: "gpt", Extraction: eval.Extraction{Status: eval.Found}}
		truth := q.Sample.ShowInPass(p.Pass).Answer
		switch m {
		case 'R':
			j.Extraction.Choice = truth
		case 'W':
			j.Extraction.Choice = map[eval.Choice]eval.Choice{"A": "B", "B": "C", "C": "A"}[truth]
		case 'N':
			j.Extraction.Status = eval.None
		default:
			continue
		}
		q.Judgments = append(q.Judgments, j)
	}
	return q
}
