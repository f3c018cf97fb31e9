package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
	"concord/eval/stat/ranking"
)

// VoteRow is where a model stands by the votes of one judge, or of people: its strength under
// the Bradley-Terry model with ties and a position effect (Davidson 1970; Davidson and Beaver
// 1977). Strengths are natural logarithms with mean 0.
type VoteRow struct {
	report.ForEveryone
	Dataset  eval.DatasetName `json:"dataset"`
	Voter    string           `json:"voter"`                   // the judge's name, or people
	Asked    string           `json:"judge_setting,omitempty"` // in which these votes were asked for otherwise than others of the judge
	Criteria bool             `json:"criteria" as:"with"`
	Input    string           `json:"input,omitempty"`
	report.Named
	Run       eval.RunID    `json:"run"`
	Synthetic bool          `json:"synthetic,omitempty"`
	Score     stat.Estimate `json:"score" column:"strength" as:"mean" opens:"every"` // N is samples, or clusters of them
	Rank      Rank          `json:"rank"`
	Best      bool          `json:"best"` // not separable from the best model
	Votes     int           `json:"votes" like:"strength"`
	// Tie is the chance of a tie beside the geometric mean of the chances of winning, and Position the
	// log odds of the answer shown first between equal models: of all votes of the board.
	Tie      stat.Estimate `json:"tie" as:"mean"`
	Position stat.Estimate `json:"position" as:"mean"`

	pairs  []eval.Pair  // that hold the model's answers, which are first
	title  string       // whose votes they are
	ballot *eval.Ballot // of a judge's
}

// ReportVoteBoard ranks models by pairwise votes: judges' and people's side by side.
func ReportVoteBoard(ctx context.Context, facts report.VoteFacts, o VotesOptions) (report.Report, error) {
	p, err := readVotes(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out := report.Report{Name: "leaderboard", Layout: voteLayout, Confidence: stat.Confidence}
	for _, v := range p.sortElectorates() {
		rows, notes, err := p.rankElectorate(ctx, v)
		if err != nil {
			return report.Report{}, err
		}
		out.Notes = append(out.Notes, notes...)
		if len(rows) == 0 {
			continue
		}
		out.Sheets = append(out.Sheets, makeVoteTable(rows))
		out.Rows = append(out.Rows, report.ToRows(rows)...)
	}
	if len(out.Rows) == 0 {
		return report.Report{}, fmt.Errorf("find votes that rank models%s: %w", joinReasons(out.Notes), eval.ErrNotFound)
	}
	out.Notes = append(out.Notes,
		"Scores are strengths of the Bradley-Terry model with ties (Davidson) and a position effect: natural logarithms with mean 0, over all votes in each order. Neither answer preferred counts as a tie.",
		"Intervals come of 1,000 bootstrap resamples of the samples, or of the clusters that --cluster names. Rank intervals of a table hold all at once; best: the model is not separable from the best one.")
	return out, nil
}

func joinReasons(notes []string) string {
	return eval.Either(len(notes) == 0, "", " ("+strings.Join(notes, " ")+")")
}

// sortElectorates gives the electorates by dataset, judges before people.
func (p *voteReader) sortElectorates() []*votesBySample {
	out := slices.DeleteFunc(slices.Collect(maps.Values(p.found)), func(v *votesBySample) bool { return len(v.samples) == 0 })
	slices.SortFunc(out, func(a, b *votesBySample) int {
		return cmp.Or(cmp.Compare(a.dataset, b.dataset), -cmp.Compare(min(1, len(a.judge)), min(1, len(b.judge))), cmp.Compare(a.judge, b.judge),
			report.CompareBools(a.criteria, b.criteria), cmp.Compare(a.input, b.input), cmp.Compare(a.asked, b.asked))
	})
	return out
}

// rankElectorate ranks the rows of an electorate, the best first, or why it has none.
func (p *voteReader) rankElectorate(ctx context.Context, v *votesBySample) ([]*VoteRow, []string, error) {
	runs := v.votedRuns()
	notes := v.listNotes()
	t, err := p.newTournament(v, runs)
	if err != nil {
		return nil, nil, err
	}
	s, err := t.FitStanding(ctx, ranking.Resamples, cmp.Or(p.o.Seed, 1), p.o.Progress)
	switch {
	case errors.Is(err, ranking.ErrApart):
		return nil, append(notes, p.describeUnconnected(v, t, runs)), nil
	case errors.Is(err, ranking.ErrNoOther), errors.Is(err, ranking.ErrNoFit):
		return nil, append(notes, fmt.Sprintf("%s: no ranking, as %s.", v.title(), err)), nil
	case err != nil:
		return nil, nil, err
	}
	if v.ongoing {
		s.NoInterval = "people are still voting, and it would hold for one look alone"
	}
	if s.NoInterval != "" {
		notes = append(notes, fmt.Sprintf("%s: no intervals, as %s.", v.title(), s.NoInterval))
	}
	if s.NoPosition != "" {
		notes = append(notes, fmt.Sprintf("%s: no position effect, as %s.", v.title(), s.NoPosition))
	}
	rows := eval.MapIndexed(runs, func(i int, id eval.RunID) *VoteRow { return v.newRow(p.runs[id], &s, i, t) })
	slices.SortStableFunc(rows, func(a, b *VoteRow) int {
		return cmp.Or(cmp.Compare(b.Score.Value, a.Score.Value), cmp.Compare(a.Run, b.Run))
	})
	return rows, notes, nil
}

func (v *votesBySample) newRow(run eval.Run, s *ranking.Standing, i int, t *ranking.Tournament) *VoteRow {
	r := &VoteRow{
		Dataset: v.dataset, Voter: v.voterName(), Asked: v.asked, Criteria: v.criteria, Named: report.NewNamed(run), Run: run.ID, Synthetic: run.Config.Synthetic,
		Votes: t.CountVotes(i), Score: stat.Estimate{N: t.CountSamples(), Value: s.Log[i], Exact: true},
		Tie: stat.Estimate{N: t.CountSamples(), Value: s.Tie, Exact: true}, Position: stat.Estimate{N: t.CountSamples(), Value: s.Position, Exact: true},
		pairs: v.pairsOfRun(run.ID), title: v.title(),
	}
	if v.judge != "" {
		r.Input, r.ballot = v.input.String(), &eval.Ballot{Judge: v.judge, Criteria: v.criteria, Input: v.input}
	}
	if s.NoPosition != "" {
		r.Position = stat.NewUndefinedEstimate(s.NoPosition)
	}
	r.Rank.Value = 1
	for j := range s.Log {
		r.Rank.Value += report.OneIf(s.Log[j] > s.Log[i]+1e-9)
	}
	if s.NoInterval != "" {
		return r
	}
	bounds := func(e *stat.Estimate, low, high float64) {
		if e.WhyUndefined() == "" {
			e.Low, e.High, e.Exact = low, high, false
		}
	}
	bounds(&r.Score, s.Low[i], s.High[i])
	bounds(&r.Tie, s.Ties[0], s.Ties[1])
	bounds(&r.Position, s.Positions[0], s.Positions[1])
	place := s.Places[i]
	r.Rank, r.Best = Rank{place.Rank, &place.Low, &place.High}, place.Best
	return r
}

// pairsOfRun are those that hold a run's answer, which stands first, in the order of samples.
func (v *votesBySample) pairsOfRun(run eval.RunID) []eval.Pair {
	var out []eval.Pair
	for o, some := range v.samples {
		for _, c := range some {
			switch p := (eval.Pair{Sample: o, First: c.first, Second: c.second}); run {
			case c.first:
				out = append(out, p)
			case c.second:
				out = append(out, p.Swapped())
			}
		}
	}
	slices.SortFunc(out, func(a, b eval.Pair) int {
		return cmp.Or(cmp.Compare(a.Sample, b.Sample), cmp.Compare(a.Second, b.Second))
	})
	return slices.Compact(out)
}

// title says whose votes they are.
func (v *votesBySample) title() string {
	parts := []string{string(v.dataset), v.voterName()}
	if v.judge != "" {
		parts[1] = "judge " + report.JudgeName(v.judge, v.asked)
	}
	if v.criteria {
		parts = append(parts, "with criteria")
	}
	if v.judge != "" && v.input != eval.InputUnset {
		parts = append(parts, v.input.String())
	}
	return strings.Join(parts, ", ")
}

// listNotes say what of the votes ranks nothing.
func (v *votesBySample) listNotes() []string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", table.FormatGrouped(n), what))
		}
	}
	add(v.left.unread, "without a vote in them")
	add(v.left.excluded, "excluded")
	add(v.left.informed, "given after the reveal")
	add(v.left.discarded, "on discarded samples")
	if len(parts) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: left out are %s.", v.title(), strings.Join(parts, ", "))}
}

// describeUnconnected says which models cannot be ranked beside each other.
func (p *voteReader) describeUnconnected(v *votesBySample, t *ranking.Tournament, runs []eval.RunID) string {
	parts := eval.Map(t.DisconnectedParts(), func(part []int) string {
		return eval.JoinList(part, func(i int) string { return p.runs[runs[i]].Config.Model })
	})
	return fmt.Sprintf("%s: no ranking, as strengths have no finite value between (%s): between two groups all votes go one way, or there are none.",
		v.title(), strings.Join(parts, "; "))
}

// NewOpener opens the pairs that were voted on, people's to who has voted on all of
// theirs. That a pair was voted on tells nothing.
func (r *VoteRow) NewOpener() report.Opener {
	return report.Opener{Row: r, Pairs: true, Open: true, People: r.ballot == nil, Ballot: r.ballot}
}

// PairsBehind yields the pairs that hold the model's answers.
func (r *VoteRow) PairsBehind(report.Selection) iter.Seq[eval.Pair] { return slices.Values(r.pairs) }

// KeysBehind yields the model's answers that were voted on.
func (r *VoteRow) KeysBehind(context.Context, report.Facts, report.Selection) iter.Seq2[eval.Key, error] {
	return report.SelectKeys(slices.Values(slices.CompactFunc(slices.Clone(r.pairs), func(a, b eval.Pair) bool { return a.Sample == b.Sample })), func(p eval.Pair) (eval.Key, bool) { return eval.Key{Run: r.Run, Sample: p.Sample}, true })
}

var (
	voteLayout      = report.NewLayout("dataset voter judge_setting criteria:text input rank rank_low rank_high model run strength votes best tie position", VoteRow{}, Rank{})
	voteBoardLayout = report.NewLayout("rank:text model run strength votes best", VoteRow{})
)

// LayoutParts are the row's rank.
func (r *VoteRow) LayoutParts() []any { return []any{&r.Rank} }

// makeVoteTable makes a board as people read it.
func makeVoteTable(rows []*VoteRow) table.Table {
	first := rows[0]
	t := voteBoardLayout.NewTable("leaderboard", first.title)
	t.Notes = []string{fmt.Sprintf("Tie %s, position %s.", table.NewMean(first.Tie), table.NewMean(first.Position))}
	for _, r := range rows {
		line := voteBoardLayout.MakeRowLine(r, report.Cells{"rank": table.NewText(r.Rank.String())})
		line[3] = line[3].MarkAsBest(r.Best) // the strength
		t.Rows = append(t.Rows, line)
	}
	return t
}
