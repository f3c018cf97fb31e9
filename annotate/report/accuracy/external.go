package accuracy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
)

// ExternalScoreRow is a score that was measured elsewhere, as its source prints it: the
// predictions behind it are somebody else's.
type ExternalScoreRow struct {
	report.ForEveryone
	report.NoKeys
	External bool `json:"external"` // always: what was measured here is another row
	eval.ExternalScore
}

// readExternalScores reads the measures that the options ask for: none where they name runs, which these are not.
func readExternalScores(ctx context.Context, facts report.Facts, o *report.Options) ([]*ExternalScoreRow, error) {
	if len(o.Runs) > 0 {
		return nil, nil
	}
	var out []*ExternalScoreRow
	err := eval.ForEachRead(facts.ExternalScores(ctx), func(m eval.ExternalScore) {
		if o.Dataset != "" && string(o.Dataset) != m.Benchmark || o.Model != "" && o.Model != m.Model {
			return
		}
		out = append(out, &ExternalScoreRow{External: true, ExternalScore: m})
	})
	return out, eval.WrapError(err, "read scores measured elsewhere")
}

// formatExternalNote says whose word the marked figures are.
func formatExternalNote(rows []*ExternalScoreRow) string {
	return table.Dagger + " measured elsewhere: " + strings.Join(listSources(rows), "; ") + "."
}

func listSources(rows []*ExternalScoreRow) []string {
	out := eval.Map(rows, func(r *ExternalScoreRow) string { return r.Source })
	slices.Sort(out)
	return slices.Compact(out)
}

// TableLines stand among those of BaselinesRow.
func (r *ExternalScoreRow) TableLines() [][]table.Cell {
	return [][]table.Cell{{
		table.NewBlank(), table.NewText(r.Benchmark), table.NewBlank(), table.NewText(r.Model), table.NewBlank(), table.NewText("external"), table.NewBlank(), table.NewText(r.Metric),
		table.NewBlank(), r.newCell(), table.NewBlank(), table.NewBlank(), table.NewText(r.Source),
	}}
}

func (r *ExternalScoreRow) newCell() table.Cell { return table.NewExternal(r.Value, r.N) }

func (r *ExternalScoreRow) cellInColumn(m *scoreCol) table.Cell {
	return eval.Either(m.share, r.newCell().AsPercentage(), r.newCell())
}

// rankByExternalScores ranks by each benchmark's metric that was measured elsewhere, as
// all metrics of the papers are: more is better.
func rankByExternalScores(rows []*ExternalScoreRow) []*report.Ranking {
	var out []*report.Ranking
	for _, m := range rows {
		r := report.FindOrAddRanking(&out, report.Ranking{
			Name: m.Benchmark + ", " + m.Metric + " (external)", Kind: "external", Dataset: eval.DatasetName(m.Benchmark),
		})
		r.Values[m.Model] = m.Value
		r.Sources = eval.AppendUnique(r.Sources, m.Source)
	}
	return out
}

// addExternalColumns adds the columns that only scores measured elsewhere have, beside those of all.
func addExternalColumns(all []scoreCol, ext []*ExternalScoreRow) []scoreCol {
	var out []scoreCol
	for _, r := range ext {
		if r.findBenchmarkColumn(slices.Concat(all, out)) < 0 {
			out = append(out, scoreCol{dataset: eval.DatasetName(r.Benchmark), split: report.AllSplits, name: r.Metric})
		}
	}
	return out
}

// findBenchmarkColumn finds the place of the column that is of the benchmark and the metric by
// name, be it of the dataset's only split; -1 where there is none.
func (r *ExternalScoreRow) findBenchmarkColumn(all []scoreCol) int {
	at := slices.IndexFunc(all, func(m scoreCol) bool { return strings.EqualFold(m.title(), r.Benchmark+" "+r.Metric) })
	if at >= 0 {
		return at
	}
	for i, m := range all {
		switch {
		case !strings.EqualFold(string(m.dataset), r.Benchmark) || !strings.EqualFold(m.name, r.Metric):
		case at >= 0:
			return -1 // of several splits
		default:
			at = i
		}
	}
	return at
}

// fillExternal gives a line of runs with pictures the figures of its model that were
// measured elsewhere and that it has no run for, and leaves the others.
func (b modelLine) fillExternal(cells []table.Cell, all []scoreCol, ext []*ExternalScoreRow) (rest []*ExternalScoreRow) {
	for _, r := range ext {
		at := r.findBenchmarkColumn(all)
		if r.Model != b[0].Model || b[0].Modality != eval.WithImage.String() ||
			all[at].figure != nil && slices.ContainsFunc(b, all[at].isColumnOf) || cells[at].IsExternal() {
			rest = append(rest, r)
			continue
		}
		cells[at] = r.cellInColumn(&all[at])
	}
	return rest
}

// makeExternalLines makes the figures of each model under the columns, behind the four that name a line.
func makeExternalLines(ext []*ExternalScoreRow, all []scoreCol) [][]table.Cell {
	lines := make(map[string][]table.Cell)
	for _, r := range ext {
		line := eval.GetOrAdd(lines, r.Model, func() []table.Cell {
			return append([]table.Cell{table.NewText(r.Model), table.NewBlank(), table.NewBlank(), table.NewText("external")}, make([]table.Cell, len(all))...)
		})
		at := r.findBenchmarkColumn(all)
		line[4+at] = r.cellInColumn(&all[at])
	}
	return eval.Map(slices.Sorted(maps.Keys(lines)), func(model string) []table.Cell { return lines[model] })
}

// peopleGrades are the people who scored open answers of a dataset.
type peopleGrades struct {
	of       map[eval.Key]*answerGrades
	excluded []report.ExcludedItem
}

// answerGrades are the scores of one answer that count: blind ones, of queues drawn
// at random. Of several by one person the one in the last queue stands.
type answerGrades struct {
	scores             map[annotate.Annotator]int
	excluded, informed bool
}

func readPeopleGrades(ctx context.Context, facts report.Facts, name eval.DatasetName) (*peopleGrades, error) {
	queues, err := facts.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	out := &peopleGrades{of: make(map[eval.Key]*answerGrades)}
	for i := range queues {
		q := &queues[i]
		if q.Rule.Dataset != name || q.Rule.From == annotate.FromPairs {
			continue
		}
		states, err := report.ReadStates(ctx, facts, q.Name)
		if err != nil {
			return nil, err
		}
		excluded, err := report.ListExcludedItems(facts, q, states)
		if err != nil {
			return nil, err
		}
		out.excluded = append(out.excluded, excluded...)
		gold, err := report.ReadAddedItems(ctx, facts, q)
		if err != nil {
			return nil, err
		}
		for who, st := range states {
			for k, l := range st.Labels {
				if l.Reading.Kind == annotate.Scored && k.Against == 0 && !gold[k] {
					out.addLabel(k.Key, who, &l, q.Stratum == annotate.Random)
				}
			}
		}
	}
	return out, nil
}

// ReportReplacing tests of each judge of open answers whether its scores may take the place of a person's.
func ReportReplacing(ctx context.Context, facts ScoreFacts, o report.Options, epsilon float64) (report.Report, error) {
	runs, err := facts.Runs()
	if err != nil {
		return report.Report{}, fmt.Errorf("list runs: %w", err)
	}
	people, rows := make(map[eval.DatasetName]*peopleGrades), make(map[[2]string]*report.ReplacingRow)
	for _, r := range eval.Select(runs, o.IncludesRun) {
		on := r.Config.Dataset
		if people[on] == nil {
			if people[on], err = readPeopleGrades(ctx, facts, on); err != nil {
				return report.Report{}, err
			}
		}
		scores, err := readJudgeScores(ctx, facts, r.ID, o.Judge)
		if err != nil {
			return report.Report{}, err
		}
		for _, judge := range scores.names {
			row := eval.GetOrAdd(rows, [2]string{string(on), judge}, func() *report.ReplacingRow { return &report.ReplacingRow{Dataset: on, Judge: judge} })
			people[on].addJudgedAnswers(row, scores.last[judge])
		}
	}
	all := slices.SortedFunc(maps.Values(rows), func(a, b *report.ReplacingRow) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Judge, b.Judge))
	})
	return report.NewReplacingReport(all, epsilon, "a judge's scores of open answers (concord judge scores)")
}

// addJudgedAnswers adds the answers that a judge scored, with people's scores that count.
func (g *peopleGrades) addJudgedAnswers(to *report.ReplacingRow, scores map[eval.Key]eval.Score) {
	for _, k := range slices.SortedFunc(maps.Keys(scores), report.CompareKeys) {
		said := g.of[k]
		if v := scores[k].Value; said != nil && !said.excluded && v >= 1 && v <= eval.TopScore {
			one := agree.RatedItem{Judge: agree.Saying{Number: float64(v), Numeric: true}, People: make(map[string]agree.Saying)}
			for who, score := range said.scores {
				one.People[string(who)] = agree.Saying{Number: float64(score), Numeric: true}
			}
			to.Items = append(to.Items, one)
		}
	}
}

func (g *peopleGrades) addLabel(k eval.Key, who annotate.Annotator, l *annotate.Label, random bool) {
	at := eval.GetOrAdd(g.of, k, func() *answerGrades { return &answerGrades{scores: make(map[annotate.Annotator]int)} })
	switch {
	case l.Excluded:
		at.excluded = true
	case l.Informed:
		at.informed = true
	case random:
		at.scores[who] = l.Reading.Score
	}
}
