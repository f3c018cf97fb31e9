package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/eval/metric"
	"concord/eval/stat"
)

// BiasRow is what sways a judge's votes beside the answers: their order
// (MLLM-Bench, Fig. 5) and their length (Fig. 6). A row without a run is of
// all of the judge's contests together.
type BiasRow struct {
	Duel
	Position    PositionRates `json:"position"`
	Incomplete  int           `json:"incomplete"` // questions without a vote in both orders; they enter nothing
	Longer      stat.Rate     `json:"longer"`     // of the questions that one answer won: the longer one did
	Undecided   int           `json:"undecided"`  // neither won
	EqualLength int           `json:"equal_length"`
	Lengths     []LengthRow   `json:"lengths"`
}

// LengthRow is the preference for the longer answer where it is longer by From
// to below To characters; without To there is no end.
type LengthRow struct {
	From      int       `json:"from"`
	To        int       `json:"to,omitempty"`
	Longer    stat.Rate `json:"longer"`
	Undecided int       `json:"undecided"`
}

func (l *LengthRow) name() string {
	if l.To == 0 {
		return strconv.Itoa(l.From) + "+"
	}
	return strconv.Itoa(l.From) + "-" + strconv.Itoa(l.To-1)
}

// biases is what one row is made of.
type biases struct {
	row     *BiasRow
	bouts   metric.Bouts
	lengths *metric.Lengths
}

// Bias reports the biases of every judge over the contests that the options
// ask for.
func Bias(ctx context.Context, facts VoteFacts, o VoteOptions) (Report, error) {
	d, found, err := findDuels(ctx, facts, o)
	if err != nil {
		return Report{}, err
	}
	var all []*biases
	for i := range found {
		c := &found[i]
		b := &biases{row: &BiasRow{Duel: d.duel(c)}, lengths: metric.NewLengths()}
		counts := metric.NewContest(o.Merge)
		err := d.bouts(ctx, c, func(q *bout) {
			r := b.row.count(counts, q)
			if q.Answered {
				b.lengths.Add(q.model, q.anchor, r)
			}
		})
		if err != nil {
			return Report{}, fmt.Errorf("report run %d against run %d: %w", c.model.ID, c.anchor.ID, err)
		}
		b.bouts = *counts.Whole()
		all = append(all, b)
	}
	slices.SortStableFunc(all, func(a, b *biases) int { return strings.Compare(a.row.place(), b.row.place()) })
	out := Report{Name: "bias", Confidence: stat.Confidence, Notes: append(d.notes, biasNote)}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].row.place() == all[0].row.place() {
			n++
		}
		group := all[:n]
		for _, b := range group {
			b.fill()
			out.Rows = append(out.Rows, b.row)
		}
		if n > 1 {
			sum := together(group)
			out.Overall = append(out.Overall, sum.row)
			group = append([]*biases{sum}, group...)
		}
		out.sheets = append(out.sheets, positionSheet(group), lengthSheet(group))
		all = all[n:]
	}
	return out, nil
}

const biasNote = "Same, first, second and other are shares of the pairs with a vote in both orders. The longer answer is counted over the questions that one answer won after merging; lengths are in characters."

// together is all contests of a judge in one.
func together(group []*biases) *biases {
	first := group[0].row
	sum := &biases{row: &BiasRow{Duel: first.Duel}, lengths: metric.NewLengths()}
	sum.row.Head = Head{Dataset: first.Dataset, Split: first.Split, Model: allModels}
	sum.row.behind = nil
	for _, b := range group {
		sum.row.behind = append(sum.row.behind, b.row.behind...)
		sum.row.Synthetic = sum.row.Synthetic || b.row.Synthetic
		sum.lengths.Merge(b.lengths)
		for i, n := range b.bouts.Positions {
			sum.bouts.Positions[i] += n
		}
		sum.bouts.Results[metric.Incomplete] += b.bouts.Results[metric.Incomplete]
	}
	sum.fill()
	return sum
}

const allModels = "all"

func (b *biases) fill() {
	r, all := b.row, b.lengths.All()
	r.Position, r.Incomplete = positionRates(&b.bouts), b.bouts.Results[metric.Incomplete]
	r.Longer, r.Undecided, r.EqualLength = longer(all.Longer), all.Undecided, b.lengths.Equal
	for _, l := range b.lengths.Bins {
		r.Lengths = append(r.Lengths, LengthRow{From: l.From, To: l.To, Longer: longer(l.Longer), Undecided: l.Undecided})
	}
}

func longer(c stat.Count) stat.Rate { return c.Rate("no question that one answer won") }

func (r *BiasRow) columns() []Column {
	return columns(duelColumns, []Column{{Name: "measure"}, {Name: "class"}, {Name: "share", Kind: KindRate}},
		countColumns("undecided", "equal_length", "incomplete"))
}

// lines gives one line for each position, and for each bin of lengths behind
// the whole.
func (r *BiasRow) lines() [][]Cell {
	start := r.cells()
	var out [][]Cell
	line := func(measure, class string, figures ...Cell) {
		out = append(out, slices.Concat(start, []Cell{text(measure), text(class)}, figures))
	}
	for i, share := range r.Position.cells() {
		incomplete := blank()
		if i == 0 {
			incomplete = integer(r.Incomplete)
		}
		line("position", positionColumns[i].Name, share, blank(), blank(), incomplete)
	}
	line("longer", "all", rate(r.Longer), integer(r.Undecided), integer(r.EqualLength), blank())
	for i := range r.Lengths {
		l := &r.Lengths[i]
		line("longer", l.name(), rate(l.Longer), integer(l.Undecided), blank(), blank())
	}
	return out
}

func positionSheet(group []*biases) Table {
	t := Table{
		Name: "positions", Title: group[0].row.place(),
		Columns: columns([]Column{{Name: "model"}}, positionColumns[:1], []Column{{Kind: KindBar}}, positionColumns[1:], countColumns("incomplete")),
	}
	var same []stat.Rate
	for _, b := range group {
		same = append(same, b.row.Position.Same)
	}
	drawn := bars(same)
	for i, b := range group {
		p := b.row.Position.cells()
		t.Rows = append(t.Rows, []Cell{b.row.Head.cells()[3], p[0], drawn[i], p[1], p[2], p[3], integer(b.row.Incomplete)})
	}
	return t
}

func lengthSheet(group []*biases) Table {
	t := Table{
		Name: "lengths", Title: group[0].row.place(),
		Columns: columns([]Column{{Name: "model"}, {Name: "longer_by"}, {Name: "longer_preferred", Kind: KindRate}, {Kind: KindBar}},
			countColumns("undecided", "equal_length")),
	}
	for _, b := range group {
		model := b.row.Head.cells()[3]
		rates := []stat.Rate{b.row.Longer}
		for _, l := range b.row.Lengths {
			rates = append(rates, l.Longer)
		}
		drawn := bars(rates)
		t.Rows = append(t.Rows, []Cell{model, text("any"), rate(b.row.Longer), drawn[0], integer(b.row.Undecided), integer(b.row.EqualLength)})
		for i := range b.row.Lengths {
			l := &b.row.Lengths[i]
			t.Rows = append(t.Rows, []Cell{model, text(l.name()), rate(l.Longer), drawn[i+1], integer(l.Undecided), blank()})
		}
	}
	return t
}
