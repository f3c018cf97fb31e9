package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// ReplacingRow is whether a judge may take the place of a person: by their votes on
// the pairs of a queue, or by their scores of the open answers to a dataset.
type ReplacingRow struct {
	ForEveryone
	NoKeys
	Dataset  eval.DatasetName   `json:"dataset"`
	Queue    annotate.QueueName `json:"queue,omitempty"`
	Judge    string             `json:"judge"`
	Criteria bool               `json:"criteria,omitempty" as:"with"`
	Input    string             `json:"input,omitempty"`
	Repeat   int                `json:"repeat,omitempty"`
	N        int                `json:"n"` // items that the judge and two people rated
	agree.AlternativeTest

	Items []agree.RatedItem `json:"-"` // that the judge or anybody rated
}

// NewReplacingReport tests the items of such rows; what says where they come from.
func NewReplacingReport(rows []*ReplacingRow, epsilon float64, what string) (Report, error) {
	if len(rows) == 0 {
		return Report{}, fmt.Errorf("find %s: %w", what, eval.ErrNotFound)
	}
	for _, r := range rows {
		r.AlternativeTest = agree.RunAlternativeTest(r.Items, epsilon, agree.AlternativeItems)
		r.N = r.Rated
	}
	return Report{
		Name: "alignment", Confidence: stat.Confidence, Rows: ToRows(rows), Notes: []string{DescribeAlternativeTest(epsilon)},
		Layout: NewLayout("dataset queue judge criteria input repeat n winning_rate advantage_probability may_replace people_with_few_items", ReplacingRow{}),
	}, nil
}

// DescribeAlternativeTest says what the figures of the test are.
func DescribeAlternativeTest(epsilon float64) string {
	return fmt.Sprintf("Winning rate and advantage probability are of the alternative annotator test, epsilon %g: the share of people whom the judge beats, and how often it is as close to the others as one of them; from a winning rate of 0.5 on it may take the place of a person.", epsilon)
}

var replacingLayout = NewLayout("judge winning_rate advantage_probability may_replace people_with_few_items epsilon", agree.AlternativeTest{})

// MakeAlternativeTestTable makes the tests of judges, a line each; without any test it has no rows.
func MakeAlternativeTestTable(judges []string, tests []*agree.AlternativeTest) table.Table {
	t := replacingLayout.NewTable("alternative annotator test", "whether a judge may take the place of a person")
	for i, test := range tests {
		if test != nil && test.WinningRate.Undefined == "" {
			t.Rows = append(t.Rows, replacingLayout.MakeTableLine(Opener{}, test, Cells{"judge": table.NewText(judges[i])}))
		}
	}
	return t
}

// Shortage is what a run has not decided of what it is asked for.
type Shortage struct {
	n        int
	verdicts map[metric.QuestionState]int
	ids      []string
}

const mostLacking = 5

// JoinFirstFive gives the first five names, and a mark where there are more.
func JoinFirstFive(names []string) string {
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
	eval.EnsureMap(&l.verdicts)[v]++
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
	return fmt.Errorf("it (%s) has not decided %s of %s %s: %s (%s)", run.Config.Model, table.FormatGrouped(l.n), table.FormatGrouped(of), what, JoinFirstFive(l.ids), strings.Join(how, "; "))
}

// DistinguishJudges says of each comparison in which settings its judge was asked otherwise than in
// another comparison of the same kind. All votes of one have the same settings.
func DistinguishJudges(ctx context.Context, facts VoteFacts, runs map[eval.RunID]eval.Run, all []eval.Comparison) ([]string, error) {
	type kind struct {
		on eval.DatasetName
		eval.Ballot
	}
	out := make([]string, len(all))
	alike, texts := make(map[kind][]int), make(map[kind][][]byte)
	for i, c := range all {
		setup := ""
		for v, err := range facts.Votes(ctx, c) {
			if err != nil {
				return nil, fmt.Errorf("read votes: %w", err)
			}
			if setup = v.Setup; v.HasReply() {
				break
			}
		}
		text, err := facts.SettingsByHash(setup)
		if err != nil {
			return nil, fmt.Errorf("read the settings of judge %s: %w", c.Judge, err)
		}
		k := kind{runs[c.A].Config.Dataset, c.Ballot}
		k.Repeat = 0
		alike[k], texts[k] = append(alike[k], i), append(texts[k], text)
	}
	for k, of := range alike {
		for n, said := range eval.DistinguishSettings(texts[k]) {
			out[of[n]] = said
		}
	}
	return out, nil
}

// JudgeName is a judge's name, with the settings in which its votes differ.
func JudgeName(judge, asked string) string {
	return eval.Either(asked == "", judge, judge+" ["+asked+"]")
}
