package report

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
)

// Shortage is what a run has not decided of what it is asked for.
type Shortage struct {
	n        int
	verdicts map[metric.QuestionState]int
	ids      []string
}

const mostLacking = 5

// JoinFirst gives the first five names, and a mark where there are more.
func JoinFirst(names []string) string {
	if len(names) > mostLacking {
		names = append(slices.Clone(names[:mostLacking]), "...")
	}
	return strings.Join(names, ", ")
}

// CountUndecided counts a question that is wanted and not decided.
func (l *Shortage) CountUndecided(s *eval.Sample, v metric.QuestionState, wanted bool) {
	if !wanted || v.IsDecided() || v == metric.NoTruth {
		return
	}
	l.n++
	if l.verdicts == nil {
		l.verdicts = make(map[metric.QuestionState]int)
	}
	l.verdicts[v]++
	if len(l.ids) <= mostLacking {
		l.ids = append(l.ids, table.ShortenText(string(s.ID)))
	}
}

// ToError says what is missing; nil when nothing is.
func (l *Shortage) ToError(run eval.Run, of int, what string) error {
	if l.n == 0 {
		return nil
	}
	var how []string
	for _, one := range []struct {
		verdict metric.QuestionState
		help    string
	}{
		{metric.Pending, "concord eval continues a run"},
		{metric.Unanswered, "the imported file has no answer"},
		{metric.NoRules, "the rules do not read answers of their kind: name others by --rules"},
	} {
		if l.verdicts[one.verdict] > 0 {
			how = append(how, one.help)
		}
	}
	return fmt.Errorf("it (%s) has not decided %s of %s %s: %s (%s)", run.Config.Model, table.FormatGrouped(l.n), table.FormatGrouped(of), what, JoinFirst(l.ids), strings.Join(how, "; "))
}
