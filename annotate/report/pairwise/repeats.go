package pairwise

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// RepeatsRow is how much a judge's win rate varies when the same is asked again (MLLM-Bench, Table 12).
// Mean and Deviation are over the win rates of the repeats, each over its own questions.
type RepeatsRow struct {
	report.ForEveryone
	RunComparison
	Repeats  int          `json:"repeats"`
	WinRates []RepeatRate `json:"win_rates"`
	RepeatSpread
	Levels []RepeatLevel `json:"levels"`
	// Changed are the questions with a result in two repeats or more whose results are not all
	// the same; Flipped those of them that the model won in one and lost in another.
	Changed stat.Rate `json:"changed"`
	Flipped int       `json:"flipped" opens:"flipped"`
	Single  int       `json:"single" opens:"single"` // questions with a result in one repeat, or in none
}

// RepeatSpread is the mean of the repeats' win rates and their standard deviation by n-1.
type RepeatSpread struct {
	Mean      stat.Estimate `json:"mean" as:"share" like:"changed"`
	Deviation stat.Estimate `json:"standard_deviation" as:"share" like:"changed"`
}

// RepeatLevel is the spread under one prefix of the taxonomy.
type RepeatLevel struct {
	Path []string `json:"path"`
	RepeatSpread
}

// RepeatRate is one repeat's win rate.
type RepeatRate struct {
	Repeat     int       `json:"repeat"`
	WinRate    stat.Rate `json:"win_rate"`
	Incomplete int       `json:"incomplete"`

	of *VotesRow // what its pairs came to
}

// ReportRepeats reports every way of asking a judge over its repeats.
func ReportRepeats(ctx context.Context, facts report.VoteFacts, o VoteOptions) (report.Report, error) {
	d, found, err := findComparisons(ctx, facts, o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "repeats", Layout: repeatsLayout, Confidence: stat.Confidence, Notes: d.notes, Lay: makeRepeatTables}
	var groups []*repeatedVotes
	for i := range found {
		c := &found[i]
		g := repeatGroupOf(&groups, d, c)
		if err := g.addRepeat(ctx, d, c); err != nil {
			return report.Report{}, fmt.Errorf("report run %d against run %d: %w", c.model.ID, c.anchor.ID, err)
		}
	}
	again := false
	for _, g := range groups {
		out.Rows = append(out.Rows, g.newRow())
		again = again || len(g.rates) > 1
	}
	if !again {
		out.Notes = append(out.Notes, "Every pair was judged once: concord judge votes --repeats 3 asks again.")
	}
	out.Notes = append(out.Notes,
		"Mean and standard deviation (by n-1) are over the win rates of the repeats: they speak of how reproducible the judge is, not of how many questions there are. Single are questions with a result in fewer than two repeats; the changed ones are of the others.")
	return out, nil
}

// repeatedVotes is the repeats of one ballot on one model, by question.
type repeatedVotes struct {
	comparison RunComparison
	rates      []RepeatRate
	order      []eval.Ordinal
	results    map[eval.Ordinal][]metric.Result // those that are one
	paths      map[eval.Ordinal][]string
	clusters   map[eval.Ordinal]uint64 // that samples share; 0: nothing
}

func repeatGroupOf(all *[]*repeatedVotes, d *comparisonReader, c *orientedComparison) *repeatedVotes {
	comparison := d.newComparison(c)
	comparison.Repeat = 0
	return *eval.FindOrAdd(all, func(g **repeatedVotes) bool {
		of := &(*g).comparison
		return of.Run == comparison.Run && of.AnchorRun == comparison.AnchorRun && of.placeTitle() == comparison.placeTitle()
	}, func() *repeatedVotes {
		return &repeatedVotes{comparison: comparison, results: make(map[eval.Ordinal][]metric.Result), paths: make(map[eval.Ordinal][]string), clusters: make(map[eval.Ordinal]uint64)}
	})
}

func (g *repeatedVotes) addRepeat(ctx context.Context, d *comparisonReader, c *orientedComparison) error {
	counts, row := metric.NewPairwise(d.o.Merge), &VotesRow{RunComparison: d.newComparison(c)}
	err := d.eachQuestion(ctx, c, func(b *votedQuestion) {
		k := b.sample.Ordinal
		if _, seen := g.paths[k]; !seen {
			g.order, g.paths[k], g.clusters[k] = append(g.order, k), b.Path, b.Cluster
		}
		if r := row.countQuestion(counts, b); r != metric.Incomplete {
			g.results[k] = append(g.results[k], r)
		}
	})
	if err != nil {
		return err
	}
	row.Outcomes, row.Levels = newOutcomes(counts.TotalCounts()), newLevels(counts)
	g.rates = append(g.rates, RepeatRate{Repeat: c.Repeat, WinRate: row.WinRate, Incomplete: row.Incomplete, of: row})
	return nil
}

func (g *repeatedVotes) newRow() *RepeatsRow {
	row := &RepeatsRow{RunComparison: g.comparison, Repeats: len(g.rates), WinRates: g.rates}
	slices.SortFunc(row.WinRates, func(a, b RepeatRate) int { return cmp.Compare(a.Repeat, b.Repeat) })
	row.RepeatSpread = g.computeSpread(func(r *VotesRow) *Outcomes { return &r.Outcomes })
	row.Levels = []RepeatLevel{}
	for i, l := range g.rates[0].of.Levels { // those of the questions, in every repeat
		row.Levels = append(row.Levels, RepeatLevel{l.Path, g.computeSpread(func(r *VotesRow) *Outcomes { return &r.Levels[i].Outcomes })})
	}
	var changed stat.Clusters
	for _, k := range g.order {
		tags := g.tagsOf(k)
		switch {
		case slices.Contains(tags, OneResult):
			row.Single++
		default:
			changed.AddHit(slices.Contains(tags, Changed))
			changed.CloseInCluster(g.clusters[k])
			row.Flipped += report.OneIf(slices.Contains(tags, Flipped))
		}
		row.keepQuestion(eval.Pair{Sample: k, First: row.Run, Second: row.AnchorRun}, g.paths[k], keptQuestion{}, tags...)
	}
	row.Changed = changed.Rate("no question with a result in two repeats")
	return row
}

// computeSpread computes that of the repeats' win rates over a part of their questions.
func (g *repeatedVotes) computeSpread(part func(*VotesRow) *Outcomes) RepeatSpread {
	values := eval.FilterMap(g.rates, func(r RepeatRate) (float64, bool) {
		rate := part(r.of).WinRate
		return rate.Value, rate.N > 0
	})
	if len(values) < 2 {
		none := stat.NewUndefinedEstimate(fmt.Sprintf("needs two repeats with a win rate, has %d", len(values)))
		return RepeatSpread{none, none}
	}
	return RepeatSpread{agree.StudentMean(values, stat.Confidence), agree.StandardDeviation(values, stat.Confidence)}
}

// tagsOf are the figures that a question stands behind.
func (g *repeatedVotes) tagsOf(k eval.Ordinal) []report.Which {
	all := g.results[k]
	switch {
	case len(all) < 2:
		return []report.Which{OneResult}
	case !slices.ContainsFunc(all, func(r metric.Result) bool { return r != all[0] }):
		return []report.Which{Unchanged}
	case slices.Contains(all, metric.Win) && slices.Contains(all, metric.Lose):
		return []report.Which{Changed, Flipped}
	}
	return []report.Which{Changed}
}

// PairsBehind yields the questions behind the counts of changes alone: a result of
// one repeat is opened in the report on votes.
func (r *RepeatsRow) PairsBehind(s report.Selection) iter.Seq[eval.Pair] {
	if !slices.Contains([]report.Which{Changed, Unchanged, Flipped, OneResult}, s.Which) {
		return func(func(eval.Pair) bool) {}
	}
	return r.RunComparison.PairsBehind(s)
}

var (
	repeatsLayout = report.NewLayout(report.HeadNames+"anchor judge criteria:text input merge level repeats mean standard_deviation changed flipped single", RepeatsRow{})
	repeatsSheet  = report.NewLayout(report.HeadNames+"anchor judge criteria:text input merge repeats mean standard_deviation changed flipped single", RepeatsRow{})
)

// TableLines gives the whole and then one line for each level, which has the spread alone.
func (r *RepeatsRow) TableLines() [][]table.Cell {
	out := [][]table.Cell{repeatsLayout.MakeTableLine(r.NewOpener(), report.Cells{"level": table.NewText("all")}, r)}
	for i := range r.Levels {
		out = append(out, repeatsLayout.MakeTableLine(r.NewOpener(), report.Cells{"level": table.NewText(eval.JoinPath(r.Levels[i].Path))}, &r.Levels[i], &r.RunComparison))
	}
	return out
}

func (r *RepeatsRow) cellsByFirstLevel() map[string]table.Cell {
	out := make(map[string]table.Cell)
	for i := range r.Levels {
		if l := &r.Levels[i]; len(l.Path) == 1 {
			out[l.Path[0]] = table.NewText("- (" + l.Mean.WhyUndefined() + ")")
			if l.Mean.WhyUndefined() == "" {
				out[l.Path[0]] = table.NewText(fmt.Sprintf("%s ± %s", table.FormatPercent(l.Mean.Value), table.FormatPercent(l.Deviation.Value)))
			}
		}
	}
	return out
}

// NewOpener opens the row's figures.
func (r *RepeatsRow) NewOpener() report.Opener { return r.newOpener(r) }

// ExtraCells has the changes, with what is in none.
func (r *RepeatsRow) ExtraCells() report.Cells {
	by := r.NewOpener()
	changed := report.AttachPicks(table.NewRate(r.Changed), by, Changed, Unchanged)
	return report.Cells{"changed": report.AddNonEmptyCuts(changed, by, report.NewOpenedCount(Flipped, r.Flipped), report.NewOpenedCount(OneResult, r.Single))}
}

// makeRepeatTables makes the rows, and each repeat's own win rate.
func makeRepeatTables(rep *report.Report) []table.Table {
	each := table.Table{Name: "every repeat", Columns: table.ParseColumns("dataset model anchor judge criteria input repeat:count win_rate:rate incomplete:count")}
	for _, r := range report.SelectRows[*RepeatsRow](rep.Rows) {
		for _, x := range r.WinRates {
			by := x.of.newOpener(x.of)
			each.Rows = append(each.Rows, []table.Cell{
				table.NewText(string(r.Dataset)), table.NewText(r.ModelName()), table.NewText(r.Anchor), table.NewText(r.JudgeName()), table.NewText(r.describeCriteria()), table.NewText(r.Input),
				table.NewCount(x.Repeat), x.of.rateCell(by), report.AttachPicks(table.NewCount(x.Incomplete), by, Incompletes),
			})
		}
	}
	rows := report.SelectRows[*RepeatsRow](rep.Rows)
	out := []table.Table{report.MakeRowTable(repeatsSheet, rep.Name, "", rows)}
	for _, group := range table.GroupBy(rows, func(r *RepeatsRow) string { return r.placeTitle() }) {
		if levels := makeLevelTable(group, group[0].placeTitle(), "Each cell is the mean and the standard deviation over repeats, in percent."); len(levels.Columns) > 1 {
			out = append(out, levels)
		}
	}
	return append(out, each)
}

// The figures of rows over votes that can be opened.
const (
	Wins          report.Which = "win"
	Losses        report.Which = "lose"
	Ties          report.Which = "tie"
	SituationOnes report.Which = "situation_one"
	SituationTwos report.Which = "situation_two"
	Unables       report.Which = "unable"
	Incompletes   report.Which = "incomplete"
	SameVotes     report.Which = "same" // positions from here on
	FirstVotes    report.Which = "first"
	SecondVotes   report.Which = "second"
	OtherVotes    report.Which = "other"
)

// The figures of rows over people's votes that can be opened, beside the reasons for leaving pairs out.
const (
	Filtered        report.Which = "filtered"
	NotVoted        report.Which = "not_voted"
	ExcludedVotes   report.Which = "excluded"
	InformedVotes   report.Which = "after_the_reveal"
	PeopleUndecided report.Which = "people_undecided"
	JudgeNotAsked   report.Which = "judge_not_asked"
	JudgeFailed     report.Which = "judge_failed"
	JudgeUnparsed   report.Which = "judge_unparsed"
	JudgeUndecided  report.Which = "judge_undecided"

	BothRight    report.Which = "right_both" // of a CriteriaEffect: with and without criteria as people
	WithRight    report.Which = "right_with"
	WithoutRight report.Which = "right_without"
	NeitherRight report.Which = "right_neither"
)

// The figures of lengths that can be opened; LengthRow.FigureOfBin names those of one bin.
const (
	LongerWon   report.Which = "longer"
	ShorterWon  report.Which = "shorter"
	NeitherWon  report.Which = "undecided"
	EqualLength report.Which = "equal_length"
)

// The figures of a RepeatsRow that can be opened.
const (
	Changed   report.Which = "changed"
	Unchanged report.Which = "unchanged"
	Flipped   report.Which = "flipped"
	OneResult report.Which = "single"
)

// newBallot gives how a judge was asked; nil where the row does not tell.
func newBallot(judge, input string, criteria bool, repeat int) *eval.Ballot {
	in, err := eval.ParseInput(input)
	return eval.Either(err == nil, &eval.Ballot{Judge: judge, Criteria: criteria, Input: in, Repeat: repeat}, nil)
}

// namePairFigure are how the figures are called whose own name says too little.
func namePairFigure(s *report.Selection) string {
	kind, _, _ := strings.Cut(string(s.Which), ":") // of lengths, the bin
	return namesOfPairs[report.Which(kind)]
}

var namesOfPairs = map[report.Which]string{
	SameVotes: "same vote", FirstVotes: "first twice", SecondVotes: "second twice", OtherVotes: "other",
	LongerWon: "longer won", ShorterWon: "shorter won", NeitherWon: "undecided", EqualLength: "equal length",
	report.Disagree: "differ", OneResult: "a single result", Filtered: "other pairs asked for", NotVoted: "not voted on",
	BothRight: "right both ways", WithRight: "right with only", WithoutRight: "right without only", NeitherRight: "right neither way",
}
