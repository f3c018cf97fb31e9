package pairwise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// BiasRow is what sways votes beside the answers: their order (MLLM-Bench, Fig. 5) and their length
// (Fig. 6). A row without a run is of all of the judge's comparisons together. A row with a Queue is of
// people: of one Person, or of their majority; the judge's name is "people" then.
type BiasRow struct {
	RunComparison
	Queue       annotate.QueueName `json:"queue,omitempty"`
	Person      annotate.Annotator `json:"person,omitempty"`
	Position    PositionRates      `json:"position"`
	FirstShown  stat.Rate          `json:"first_shown"`      // of the votes for an answer: those for the one shown first
	BothOrders  stat.Rate          `json:"first_shown_both"` // likewise, of pairs with a vote for an answer in both orders: half without a bias, however the answers differ
	Incomplete  int                `json:"incomplete"`       // questions without a vote in both orders, or without people's; they enter nothing
	Longer      stat.Rate          `json:"longer"`           // of the votes for an answer: those for the longer one
	Undecided   int                `json:"undecided"`        // votes for neither
	EqualLength int                `json:"equal_length"`     // votes on answers of one length
	Lengths     []LengthRow        `json:"lengths"`
}

// LengthRow is the preference for the longer answer where it is longer by From
// to below To tokens (metric.Tokenizer); without To there is no end.
type LengthRow struct {
	From      int       `json:"from"`
	To        int       `json:"to,omitempty"`
	Longer    stat.Rate `json:"longer"`
	Undecided int       `json:"undecided"`
}

func (l *LengthRow) name() string {
	return eval.Either(l.To == 0, strconv.Itoa(l.From)+"+", strconv.Itoa(l.From)+"-"+strconv.Itoa(l.To-1))
}

// FigureOfBin names the figure of lengths within this bin alone.
func (l *LengthRow) FigureOfBin(w report.Which) report.Which { return w + ":" + report.Which(l.name()) }

// biasCounts is what one row is made of.
type biasCounts struct {
	row       *BiasRow
	questions metric.PairwiseCounts
	lengths   []lengthVote
	votes     []shownVote
	pairs     []biasPair
	ongoing   bool // votes are still to come
}

// shownVote is a vote for one of the answers to a question.
type shownVote struct {
	cluster uint64
	first   bool // it went to the one shown first
	both    bool // the other order has a vote for an answer, too
}

// biasPair is how a pair came out; those of one sample are a cluster.
type biasPair struct {
	cluster  uint64
	position metric.Position
}

// lengthVote is a vote on answers of which the model's is longer by so many tokens.
type lengthVote struct {
	cluster uint64
	more    int
	result  metric.Result
}

// lengthEdges are where the bins of length differences begin, in tokens; the last one has no end.
var lengthEdges = [...]int{1, 25, 50, 100, 200}

func (v *lengthVote) binIndex() int {
	bin := len(lengthEdges) - 1
	for bin > 0 && max(v.more, -v.more) < lengthEdges[bin] {
		bin--
	}
	return bin
}

func (v *lengthVote) figureOfVote() report.Which {
	switch {
	case v.more == 0:
		return EqualLength
	case !v.result.IsDecided():
		return NeitherWon
	case (v.result == metric.Win) == (v.more > 0):
		return LongerWon
	}
	return ShorterWon
}

func (b *biasCounts) countFirstShown(cluster uint64, v eval.Vote, both bool) {
	if v.IsDecided() {
		b.votes = append(b.votes, shownVote{cluster, v == eval.Answer1, both})
	}
}

// countVotesByLength counts votes on the question counted last, whose model's answer is longer by so many tokens.
func (b *biasCounts) countVotesByLength(more int, votes ...metric.Result) {
	q := &b.row.Tags[len(b.row.Tags)-1]
	for _, r := range votes {
		if r == metric.Incomplete {
			continue
		}
		v := lengthVote{b.pairs[len(b.pairs)-1].cluster, more, r}
		b.lengths = append(b.lengths, v)
		q.Tags = append(q.Tags, v.figureOfVote())
		if more != 0 {
			q.Tags = append(q.Tags, newLengthRow(v.binIndex()).FigureOfBin(v.figureOfVote()))
		}
	}
	slices.Sort(q.Tags)
	q.Tags = slices.Compact(q.Tags)
}

func newLengthRow(bin int) *LengthRow {
	row := &LengthRow{From: lengthEdges[bin]}
	if bin+1 < len(lengthEdges) {
		row.To = lengthEdges[bin+1]
	}
	return row
}

// ReportBias reports the biases of every judge over the comparisons that the options
// ask for, and of the people who voted beside them.
func ReportBias(ctx context.Context, facts report.VoteFacts, o VoteOptions) (report.Report, error) {
	out := report.Report{Name: "bias", Layout: biasLayout, Confidence: stat.Confidence, Draw: drawBias, Lay: makeBiasTables}
	people, err := countPeopleBiases(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	all, notes, err := countJudgeBiases(ctx, facts, o)
	switch {
	case errors.Is(err, eval.ErrNotFound) && len(people) > 0 && o.Judge == "":
		notes = []string{"There are no votes of judges."}
	case err != nil:
		return report.Report{}, err
	}
	out.Notes = append(notes, biasNote)
	for _, group := range table.GroupBy(all, func(b *biasCounts) string { return b.row.placeTitle() }) {
		for _, b := range group {
			b.fillRow()
			out.Rows = append(out.Rows, b.row)
		}
		if len(group) > 1 {
			out.Overall = append(out.Overall, mergeBiases(group).row)
		}
	}
	for _, group := range people {
		if b := group[0]; b.ongoing {
			out.Notes = append(out.Notes, fmt.Sprintf("Queue %s: %s", b.row.Queue, table.SequenceNote))
		}
		out.Rows = append(out.Rows, eval.Map(group, func(b *biasCounts) report.Row { return b.row })...)
	}
	if len(people) > 0 {
		out.Notes = append(out.Notes, peopleBiasNote)
	}
	return out, nil
}

// countJudgeBiases counts the comparisons' own, those of one place side by side.
func countJudgeBiases(ctx context.Context, facts report.VoteFacts, o VoteOptions) ([]*biasCounts, []string, error) {
	d, found, err := findComparisons(ctx, facts, o)
	if err != nil {
		return nil, nil, err
	}
	var all []*biasCounts
	for i := range found {
		c := &found[i]
		b := &biasCounts{row: &BiasRow{RunComparison: d.newComparison(c)}}
		counts := metric.NewPairwise(o.Merge)
		err := d.eachQuestion(ctx, c, func(q *votedQuestion) {
			b.row.countQuestion(counts, q)
			at, both := report.ClusterOf(&q.sample), q.First.IsDecided() && q.Second.IsDecided()
			b.countFirstShown(at, q.First, both)
			b.countFirstShown(at, q.Second, both)
			b.pairs = append(b.pairs, biasPair{cluster: at, position: q.ClassifyPosition()})
			if q.Answered {
				b.countVotesByLength(metric.CountTokens(q.model)-metric.CountTokens(q.anchor), metric.ResultOfVote(q.First), metric.ResultOfVote(q.Second.Swapped()))
			}
		})
		if err != nil {
			return nil, nil, fmt.Errorf("report run %d against run %d: %w", c.model.ID, c.anchor.ID, err)
		}
		b.questions = *counts.TotalCounts()
		all = append(all, b)
	}
	slices.SortStableFunc(all, func(a, b *biasCounts) int { return strings.Compare(a.row.placeTitle(), b.row.placeTitle()) })
	return all, d.notes, nil
}

const biasNote = "Same, first, second and other are shares of the pairs with a vote in both orders. The longer answer is counted over votes for an answer, in whichever order; lengths are in tokens (" + metric.Tokenizer + "). Of the votes for the answer shown first half would be without a bias where both orders of a pair were voted on (first_shown_both); otherwise side and quality are confounded, as length and quality are."

// mergeBiases gives all comparisons of a judge in one.
func mergeBiases(group []*biasCounts) *biasCounts {
	first := group[0].row
	sum := &biasCounts{row: &BiasRow{RunComparison: first.RunComparison}}
	sum.row.Head = report.Head{Dataset: first.Dataset, Split: first.Split, Model: allModels}
	sum.row.Tags = nil
	for _, b := range group {
		sum.row.Tags = append(sum.row.Tags, b.row.Tags...)
		sum.row.Synthetic = sum.row.Synthetic || b.row.Synthetic
		sum.lengths = append(sum.lengths, b.lengths...)
		sum.votes, sum.pairs = append(sum.votes, b.votes...), append(sum.pairs, b.pairs...)
		for i, n := range b.questions.Positions {
			sum.questions.Positions[i] += n
		}
		sum.questions.Results[metric.Incomplete] += b.questions.Results[metric.Incomplete]
	}
	sum.fillRow()
	return sum
}

const allModels = "all"

func (b *biasCounts) fillRow() {
	r := b.row
	r.Position, r.Incomplete = b.positionRates(), b.questions.Results[metric.Incomplete]
	r.FirstShown, r.BothOrders = b.firstShownRates()
	r.Longer, r.Undecided, r.EqualLength = b.longerRate(func(*lengthVote) bool { return true })
	for bin := range lengthEdges {
		l := newLengthRow(bin)
		l.Longer, l.Undecided, _ = b.longerRate(func(v *lengthVote) bool { return v.binIndex() == bin })
		r.Lengths = append(r.Lengths, *l)
	}
}

// positionRates are the shares of the positions, with samples as clusters.
func (b *biasCounts) positionRates() PositionRates {
	var units [metric.PositionClasses]stat.Clusters
	for _, p := range b.pairs {
		if p.position == metric.PositionUnset {
			continue
		}
		for of := range units {
			units[of].AddToCluster(p.cluster, float64(report.OneIf(int(p.position) == of)), 1)
		}
	}
	share := func(of metric.Position) stat.Rate { return units[of].Rate("no pair with a vote in both orders") }
	return PositionRates{Same: share(metric.Same), First: share(metric.FirstBoth), Second: share(metric.SecondBoth), Other: share(metric.OtherPosition)}
}

// firstShownRates is the share of the votes that went to the answer shown first: of
// all, and of those of pairs with a vote for an answer in both orders.
func (b *biasCounts) firstShownRates() (all, both stat.Rate) {
	every, twice := stat.Clusters{Sequence: b.ongoing}, stat.Clusters{Sequence: b.ongoing}
	for _, v := range b.votes {
		first := float64(report.OneIf(v.first))
		every.AddToCluster(v.cluster, first, 1)
		if v.both {
			twice.AddToCluster(v.cluster, first, 1)
		}
	}
	return every.Rate("no vote for an answer"), twice.Rate("no pair with a vote for an answer in both orders")
}

// longerRate is how often the longer answer won the votes that are wanted, and how many
// of them are for neither or on answers of one length.
func (b *biasCounts) longerRate(wanted func(*lengthVote) bool) (rate stat.Rate, undecided, equal int) {
	units := stat.Clusters{Sequence: b.ongoing}
	for i := range b.lengths {
		v := &b.lengths[i]
		switch which := v.figureOfVote(); {
		case !wanted(v):
		case which == EqualLength:
			equal++
		case which == NeitherWon:
			undecided++
		default:
			units.AddToCluster(v.cluster, float64(report.OneIf(which == LongerWon)), 1)
		}
	}
	return units.Rate("no vote for an answer"), undecided, equal
}

// Audience is Insiders where the row is of one person's votes.
func (r *BiasRow) Audience() report.Audience {
	return eval.Either(r.Person != "", report.Insiders, report.Everyone)
}

// Settings are how the votes of both orders were merged.
func (r *BiasRow) Settings() []string { return []string{"votes merged as " + r.Merge} }

// drawVotes draws win, ties and lose against the anchor, by judge.
func drawVotes(rep *report.Report) []chart.Drawing {
	return eval.FlatMap(table.GroupBy(report.SelectRows[*VotesRow](rep.Rows), func(r *VotesRow) string { return r.placeTitle() }), func(group []*VotesRow) []chart.Drawing {
		stacks := eval.Map(group, func(r *VotesRow) chart.Stack {
			return chart.Stack{Label: r.RunLabel(), Parts: []int{r.Win, r.Folded, r.Lose}}
		})
		return []chart.Drawing{chart.DrawStacks("Votes, "+group[0].placeTitle(), []string{"win", "ties", "lose"}, stacks)}
	})
}

// drawBias draws what order and length do to votes (MLLM-Bench, Fig. 5 and 6): how votes fall over both
// orders, and how often the answer shown first and the longer one is preferred. The first is half of the
// time without a bias where both orders of a pair were voted on. Who sees one order, and how often the
// longer one wins, tells nothing of a bias by itself: a better answer may stand first, and may be longer.
func drawBias(rep *report.Report) []chart.Drawing {
	rows := report.SelectRows[*BiasRow](slices.Concat(rep.Overall, rep.Rows))
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *BiasRow) string { return r.placeTitle() }) {
		var stacks []chart.Stack
		var bars []chart.Bar
		for _, r := range group {
			p := &r.Position
			if p.Same.N > 0 {
				stacks = append(stacks, chart.Stack{Label: r.voterName(), Parts: []int{p.Same.K, p.First.K, p.Second.K, p.Other.K}})
			}
		}
		both := slices.ContainsFunc(group, func(r *BiasRow) bool { return r.BothOrders.N > 0 })
		first := eval.Either(both, "votes for the answer shown first, over both orders of a pair (50% without a bias)", "votes for the answer shown first (one order of each pair)")
		for i, name := range []string{first, "votes for the longer answer"} {
			for _, r := range group {
				shown := eval.Either(both, r.BothOrders, r.FirstShown)
				b := report.NewRateBar(r.voterName(), []stat.Rate{shown, r.Longer}[i])
				b.Group, b.Series = name, i
				bars = append(bars, b)
			}
		}
		if len(stacks) > 0 {
			out = append(out, chart.DrawStacks("Votes over both orders, "+group[0].placeTitle(), []string{"same", "first", "second", "other"}, stacks))
		}
		out = append(out, report.DrawBars("What is preferred, "+group[0].placeTitle(), report.Percent, "%", bars)...)
	}
	return out
}

func (r *BiasRow) voterName() string {
	switch {
	case r.Person != "":
		return string(r.Person)
	case r.Queue != "":
		return "majority"
	case r.Run == 0:
		return allModels
	}
	return r.RunLabel()
}

// drawRanks draws how alike every two rankings are; where too few models are in both, the tables say so.
func drawRanks(rep *report.Report) []chart.Drawing {
	rows := report.SelectRows[*RanksRow](rep.Rows)
	var bars []chart.Bar
	for _, r := range rows {
		if c := &r.Correlation; c.Undefined == "" {
			figure := fmt.Sprintf("%.3f  n %d", c.Rho, c.N)
			bars = append(bars, chart.Bar{Group: r.A.Name + ", beside", Label: r.B.Name, Value: c.Rho, Figure: figure, Tip: figure})
		}
	}
	if len(bars) == 0 {
		return nil
	}
	return []chart.Drawing{chart.DrawDivergingBars("Spearman's correlation of rankings", 1, "", bars)}
}
