package pairwise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// RanksRow is how alike two rankings of models are (MLLM-Bench, Sec. 6.3 and Table 7): Spearman's
// correlation over the models that both rank. What is behind a ranking is in the report that it is of.
type RanksRow struct {
	report.ForEveryone
	report.NoKeys
	A           report.Ranking    `json:"a"`
	B           report.Ranking    `json:"b"`
	Correlation agree.Correlation `json:"spearman"`
	Models      []RankedModel     `json:"models"`
	OnlyA       int               `json:"only_a"` // models that the other does not rank
	OnlyB       int               `json:"only_b"`
}

// RankedModel is a model with both of the figures that rank it.
type RankedModel struct {
	Model string  `json:"model"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
}

// RankOptions say which rankings are compared.
type RankOptions struct {
	Votes VoteOptions
	Seed  uint64 // of the permutation test, where it draws

	// Benchmarks gives the rankings by scores, and what has to be known of them. nil: there are none.
	Benchmarks func(context.Context) (all []*report.Ranking, notes []string, err error)
}

// drawn is how many orders the permutation test draws when there are too many to try them all.
const drawn = 20_000

// fewestRanked is below how many models no correlation says anything: of two it is 1 or -1.
const fewestRanked = 3

// ReportRankCorrelation correlates the rankings by every judge's win rates, by people's votes,
// by every benchmark's score and by scores measured elsewhere, each with each.
func ReportRankCorrelation(ctx context.Context, facts report.VoteFacts, o RankOptions) (report.Report, error) {
	all, notes, err := collectRankings(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	if len(all) < 2 {
		return report.Report{}, fmt.Errorf("find two rankings of models (by votes, by runs on datasets, or by imported scores): %w", eval.ErrNotFound)
	}
	out := report.Report{Name: "ranks", Layout: ranksLayout, Confidence: stat.Confidence, Draw: drawRanks, Notes: notes}
	var rows []*RanksRow
	for i, a := range all {
		rows = append(rows, eval.Map(all[i+1:], func(b *report.Ranking) *RanksRow { return newRanksRow(a, b, o.Seed) })...)
	}
	out.Rows, out.Sheets = report.ToRows(rows), makeRankTables(all, rows)
	out.Notes = append(out.Notes,
		"Spearman's correlation is over the models that both rank; ties share the mean of their ranks. p is of the two-sided permutation test: all orders of up to nine models, a seeded sample of more. Both are over models: what samples share (--cluster) is in neither.",
		"Win rates leave the anchor out, which nobody voted on against itself; of several runs of a model, with the image, the newest counts.")
	return out, nil
}

func newRanksRow(a, b *report.Ranking, seed uint64) *RanksRow {
	row := &RanksRow{A: *a, B: *b, Models: []RankedModel{}}
	var pairs [][2]float64
	for _, model := range slices.Sorted(maps.Keys(a.Values)) {
		y, both := b.Values[model]
		if !both {
			row.OnlyA++
			continue
		}
		row.Models = append(row.Models, RankedModel{model, a.Values[model], y})
		pairs = append(pairs, [2]float64{a.Values[model], y})
	}
	row.OnlyB = len(b.Values) - len(pairs)
	row.Correlation = agree.CorrelateSpearman(pairs, agree.PermutationOptions{Times: drawn, Seed: seed})
	if len(pairs) < fewestRanked {
		row.Correlation.Undefined = fmt.Sprintf("fewer than %d models that both rank", fewestRanked)
	}
	return row
}

func collectRankings(ctx context.Context, facts report.VoteFacts, o *RankOptions) ([]*report.Ranking, []string, error) {
	var all []*report.Ranking
	var notes []string
	votes, err := ReportVotes(ctx, facts, o.Votes)
	switch {
	case err == nil:
		notes = slices.DeleteFunc(votes.Notes, func(n string) bool { return n == mergeNote || n == askedNote })
		all = append(all, rankByVotes(&votes)...)
	case !errors.Is(err, eval.ErrNotFound):
		return nil, nil, err
	}
	people, err := rankByPeople(ctx, facts, o)
	if err != nil {
		return nil, nil, err
	}
	if o.Benchmarks != nil {
		more, told, err := o.Benchmarks(ctx)
		if err != nil {
			return nil, nil, err
		}
		people, notes = append(people, more...), append(notes, told...)
	}
	all = append(all, people...)
	return slices.DeleteFunc(all, func(r *report.Ranking) bool { return len(r.Values) == 0 }), notes, nil
}

func rankByVotes(r *report.Report) []*report.Ranking {
	var out []*report.Ranking
	runs := make(map[string]eval.RunID)
	rows := report.SelectRows[*VotesRow](r.Rows)
	for _, v := range rows {
		if v.N == 0 {
			continue
		}
		name := v.rankingName()
		if slices.ContainsFunc(rows, func(o *VotesRow) bool { return o.rankingName() == name && o.AnchorRun != v.AnchorRun }) {
			name += ", against " + v.Anchor
		}
		at := name + "\x00" + v.Model
		if v.Run < runs[at] {
			continue
		}
		runs[at] = v.Run
		report.FindOrAddRanking(&out, report.Ranking{Name: name, Kind: "votes", Dataset: v.Dataset}).Values[v.Model] = v.WinRate.Value
	}
	return out
}

// rankingName names the ranking that the row is of, where all on a dataset have one anchor.
func (r *VotesRow) rankingName() string {
	out := string(r.Dataset) + ", " + r.JudgeName() + ", " + r.describeCriteria() + " criteria, " + r.Input
	if r.Repeat > 0 {
		out += fmt.Sprintf(", repeat %d", r.Repeat)
	}
	return out
}

// rankByPeople ranks by the share of pairs that the majority prefers a model in, of those that it voted on.
func rankByPeople(ctx context.Context, facts report.VoteFacts, o *RankOptions) ([]*report.Ranking, error) {
	all, err := readPairQueues(ctx, facts, &AgreementOptions{VoteOptions: o.Votes})
	if err != nil {
		if errors.Is(err, eval.ErrNotFound) {
			return nil, nil
		}
		return nil, err
	}
	runs, err := report.RunsByID(facts)
	if err != nil {
		return nil, err
	}
	var out []*report.Ranking
	for _, p := range all {
		if p.queue.Rule.Anchor == 0 && o.Votes.Anchor == "" {
			continue // each against each: no share of wins is comparable
		}
		wins := make(map[eval.RunID]*stat.Count)
		newest := make(map[string]eval.RunID)
		for _, e := range p.entries {
			said := p.majorityOpinion(e)
			if said.why != "" {
				continue
			}
			model := runs[e.pair.First].Config.Model
			newest[model] = max(newest[model], e.pair.First)
			eval.GetOrAdd(wins, e.pair.First, func() *stat.Count { return new(stat.Count) }).Add(said.result == metric.Win)
		}
		r := report.FindOrAddRanking(&out, report.Ranking{Name: string(p.queue.Rule.Dataset) + ", people, queue " + string(p.queue.Name), Kind: "people", Dataset: p.queue.Rule.Dataset})
		for model, run := range newest {
			r.Values[model] = float64(wins[run].K) / float64(wins[run].N)
		}
	}
	return out, nil
}

var ranksLayout = report.NewLayout("a b rho:number models:count p:number method undefined only_a:count only_b:count")

// TableLines lays the row out as lines of its table.
func (r *RanksRow) TableLines() [][]table.Cell {
	rho, p, method := table.NewBlank(), table.NewBlank(), table.NewBlank()
	if c := &r.Correlation; c.Undefined == "" {
		rho, p, method = table.NewNumber(&c.Rho), table.NewNumber(&c.P), table.NewText(describePermutation(c))
	}
	return [][]table.Cell{{
		table.NewText(r.A.Name), table.NewText(r.B.Name), rho, table.NewCount(r.Correlation.N), p, method, table.NewText(r.Correlation.Undefined), table.NewCount(r.OnlyA), table.NewCount(r.OnlyB),
	}}
}

// describePermutation describes how the p value came about.
func describePermutation(c *agree.Correlation) string {
	return eval.Either(c.Exact, "exact", "of "+table.FormatGrouped(c.Tried)+" orders")
}

// makeRankTables makes the matrix of correlations, with numbers for the rankings that
// a table below names, and every two of them.
func makeRankTables(all []*report.Ranking, rows []*RanksRow) []table.Table {
	names := table.Table{Name: "rankings", Columns: table.ParseColumns("no:count ranking by models:count")}
	matrix := table.Table{
		Name: "Spearman's correlation", Columns: table.ParseColumns("ranking"),
		Notes: []string{"Each cell is rho with the number of models that both rank."},
	}
	at := make(map[string]int)
	for i, r := range all {
		at[r.Name] = i
		names.Rows = append(names.Rows, []table.Cell{table.NewText(strconv.Itoa(i + 1)), table.NewText(r.Name), table.NewText(r.Kind), table.NewCount(len(r.Values))})
		matrix.Columns = append(matrix.Columns, table.Column{Name: strconv.Itoa(i + 1), Kind: table.KindNumber})
		line := []table.Cell{table.NewText(strconv.Itoa(i + 1))}
		for range all {
			line = append(line, table.NewText("·"))
		}
		matrix.Rows = append(matrix.Rows, line)
	}
	detail := table.Table{Name: "every two rankings", Columns: table.ParseColumns("a b rho:number models:count p:number method only_a:count only_b:count")}
	for _, r := range rows {
		a, b, c := at[r.A.Name], at[r.B.Name], &r.Correlation
		rho, p, method := "-", "-", c.Undefined
		if c.Undefined == "" {
			rho, p, method = table.FormatDecimal(c.Rho), report.FormatPValue(c.P), describePermutation(c)
		}
		cell := table.NewText(rho + " (n " + strconv.Itoa(c.N) + ")")
		matrix.Rows[a][b+1], matrix.Rows[b][a+1] = cell, cell
		detail.Rows = append(detail.Rows, []table.Cell{
			table.NewText(strconv.Itoa(a + 1)), table.NewText(strconv.Itoa(b + 1)), table.NewText(rho), table.NewCount(c.N), table.NewText(p), table.NewText(method), table.NewCount(r.OnlyA), table.NewCount(r.OnlyB),
		})
	}
	return []table.Table{names, matrix, detail, makeModelTable(all)}
}

// makeModelTable makes what the rankings are made of: each model's figure in each.
func makeModelTable(all []*report.Ranking) table.Table {
	t := table.Table{Name: "models", Title: "what each ranking is by", Columns: table.ParseColumns("model")}
	var models []string
	for i, r := range all {
		t.Columns = append(t.Columns, table.Column{Name: strconv.Itoa(i + 1), Kind: table.KindNumber})
		models = slices.AppendSeq(models, maps.Keys(r.Values))
	}
	slices.Sort(models)
	for _, m := range slices.Compact(models) {
		line := []table.Cell{table.NewText(m)}
		for _, r := range all {
			c := table.NewBlank()
			if v, ok := r.Values[m]; ok {
				c = table.NewText(strconv.FormatFloat(v, 'g', 3, 64))
			}
			line = append(line, c)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
