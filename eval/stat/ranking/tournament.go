package ranking

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	gonum "gonum.org/v1/gonum/stat"

	"concord/eval/stat"
)

// Vote is one vote on a pair that was shown in an order: Won by the first, a tie, or won by the second.
type Vote struct {
	First, Second int
	Unordered     bool
	Outcome       Outcome
}

// Outcome is what a vote says of the first of a pair.
type Outcome uint8

// The outcomes.
const (
	Won Outcome = iota + 1
	Tied
	Lost
)

// Tournament holds votes by sample. The samples are what is drawn anew for
// intervals: votes on one sample depend on each other.
type Tournament struct {
	models  int
	cells   []Comparison
	index   map[Comparison]int // by First, Second, Unordered
	samples [][]int32          // of each sample, a cell and an outcome per vote
}

// NewTournament is for a number of models.
func NewTournament(models int) *Tournament {
	return &Tournament{models: models, index: make(map[Comparison]int)}
}

// AddVotes adds the votes on one sample.
func (t *Tournament) AddVotes(votes []Vote) {
	var codes []int32
	for _, v := range votes {
		k := Comparison{First: v.First, Second: v.Second, Unordered: v.Unordered}
		i, ok := t.index[k]
		if !ok {
			i = len(t.cells)
			t.index[k] = i
			t.cells = append(t.cells, k)
		}
		t.cells[i].countOutcome(v.Outcome, 1)
		codes = append(codes, int32(3*i+int(v.Outcome)-1)) //nolint:gosec // models squared
	}
	t.samples = append(t.samples, codes)
}

func (c *Comparison) countOutcome(o Outcome, n float64) {
	switch o {
	case Won:
		c.Won += n
	case Tied:
		c.Tied += n
	case Lost:
		c.Lost += n
	}
}

// CountSamples counts how many were added.
func (t *Tournament) CountSamples() int { return len(t.samples) }

// CountVotes counts those on pairs that hold a model.
func (t *Tournament) CountVotes(model int) int {
	n := 0.0
	for i := range t.cells {
		if c := &t.cells[i]; c.First == model || c.Second == model {
			n += c.countVotes()
		}
	}
	return int(n)
}

// DisconnectedParts are the parts of the tournament that votes do not connect.
func (t *Tournament) DisconnectedParts() [][]int { return ConnectedParts(t.models, t.cells) }

// Standing is the outcome of a tournament.
type Standing struct {
	Strengths
	Low, High []float64 // of Log, at stat.Confidence, one by one
	// Ties and Positions are the intervals of Tie and Position.
	Ties, Positions [2]float64
	Places          []Rank
	// Failed is how many of the resamples had no strengths.
	Failed, Times int
	// NoInterval is why there are no intervals and places; "" when there are.
	NoInterval string
}

// Resamples is how often samples are drawn anew.
const Resamples = 1000

// FitStanding fits the votes, and so many resamples for the intervals, of which progress is told how
// many are done; nil: nobody asks. It ends early with the context's error.
func (t *Tournament) FitStanding(ctx context.Context, times int, seed uint64, progress func(done, total int)) (Standing, error) {
	fit, err := FitDavidson(t.models, t.cells)
	if err != nil {
		return Standing{}, err
	}
	out := Standing{Strengths: fit, Times: times}
	b, err := t.bootstrapFits(ctx, times, seed, progress)
	if err != nil {
		return Standing{}, err
	}
	out.Failed = times - len(b.logs)
	switch {
	case len(t.samples) < 2:
		out.NoInterval = "it takes several samples"
		return out, nil
	case out.Failed*20 > times:
		out.NoInterval = "too few wins against the odds: samples drawn anew often leave some model without a win or a loss"
		return out, nil
	}
	b.centre = fit.Log
	out.Low, out.High = make([]float64, t.models), make([]float64, t.models)
	for i := range fit.Log {
		out.Low[i], out.High[i] = b.percentileInterval(func(k int) float64 { return b.logs[k][i] })
	}
	out.Ties[0], out.Ties[1] = b.percentileInterval(func(k int) float64 { return b.ties[k] })
	out.Positions[0], out.Positions[1] = b.percentileInterval(func(k int) float64 { return b.positions[k] })
	out.Places = RankModels(fit.Log, b)
	return out, nil
}

// bootstrap is what resamples gave: a Spread.
type bootstrap struct {
	samples         int
	centre          []float64
	logs            [][]float64
	ties, positions []float64
}

func (t *Tournament) bootstrapFits(ctx context.Context, times int, seed uint64, progress func(done, total int)) (*bootstrap, error) {
	out := &bootstrap{samples: len(t.samples)}
	source := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // to be repeatable, not secret
	cells, counts := slices.Clone(t.cells), make([]float64, 3*len(t.cells))
	kinds, of := t.distinctSamples()
	draw, weight := stat.NewResampler(of, len(kinds)), make([]int32, len(kinds))
	for n := range times {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(n, times)
		}
		clear(counts)
		draw(source, weight)
		for k, times := range weight {
			for _, code := range kinds[k] {
				counts[code] += float64(times)
			}
		}
		for i := range cells {
			cells[i].Won, cells[i].Tied, cells[i].Lost = counts[3*i], counts[3*i+1], counts[3*i+2]
		}
		fit, err := FitDavidson(t.models, cells)
		if err != nil {
			continue
		}
		out.logs = append(out.logs, fit.Log)
		out.ties = append(out.ties, fit.Tie)
		out.positions = append(out.positions, fit.Position)
	}
	return out, nil
}

// distinctSamples are the samples that differ in their votes, and of which of them each sample is one.
func (t *Tournament) distinctSamples() (kinds [][]int32, of []int32) {
	index, of := make(map[string]int32), make([]int32, len(t.samples))
	var key []byte
	for i, codes := range t.samples {
		key = key[:0]
		for _, c := range codes {
			key = binary.AppendVarint(key, int64(c))
		}
		k, ok := index[string(key)]
		if !ok {
			k = int32(len(kinds)) //nolint:gosec // at most the samples
			index[string(key)], kinds = k, append(kinds, codes)
		}
		of[i] = k
	}
	return kinds, of
}

func (b *bootstrap) percentileInterval(value func(k int) float64) (low, high float64) {
	v := make([]float64, len(b.logs))
	for k := range v {
		v[k] = value(k)
	}
	slices.Sort(v)
	tail := stat.PercentileTail(b.samples, stat.Confidence)
	return stat.Quantile(v, tail), stat.Quantile(v, 1-tail)
}

func (b *bootstrap) TellsApart(_, _ int) bool { return true }

// SE is the standard deviation of the difference over the resamples.
func (b *bootstrap) SE(i, j int) float64 {
	var apart []float64
	for _, v := range b.logs {
		apart = append(apart, v[i]-v[j])
	}
	return gonum.StdDev(apart, nil)
}

func (b *bootstrap) DrawDeviations(yield func([]float64) bool) {
	out := make([]float64, len(b.centre))
	for _, v := range b.logs {
		for i := range out {
			out[i] = v[i] - b.centre[i]
		}
		if !yield(out) {
			return
		}
	}
}

// winGraph is who won or tied against whom, by model, and the same the other way round.
type winGraph struct{ over, under [][]int }

func newWinGraph(models int, cells []Comparison) *winGraph {
	w := &winGraph{make([][]int, models), make([][]int, models)}
	link := func(winner, loser int) {
		w.over[winner] = append(w.over[winner], loser)
		w.under[loser] = append(w.under[loser], winner)
	}
	for i := range cells {
		c := &cells[i]
		if c.Won > 0 || c.Tied > 0 {
			link(c.First, c.Second)
		}
		if c.Lost > 0 || c.Tied > 0 {
			link(c.Second, c.First)
		}
	}
	return w
}

// connectedPart are the models that reach one by such steps, and that it reaches.
func (w *winGraph) connectedPart(of int) []int {
	above, below := reachableFrom(w.under, of), reachableFrom(w.over, of)
	var out []int
	for i := range above {
		if above[i] && below[i] {
			out = append(out, i)
		}
	}
	return out
}

// reachableFrom are the models that one reaches, itself among them.
func reachableFrom(next [][]int, from int) []bool {
	seen, queue := make([]bool, len(next)), []int{from}
	seen[from] = true
	for n := 0; n < len(queue); n++ {
		for _, k := range next[queue[n]] {
			if !seen[k] {
				seen[k] = true
				queue = append(queue, k)
			}
		}
	}
	return seen
}

// areAllConnected reports whether each model can be reached from each other by steps from one that won or
// tied to the one it met: then, and only then, strengths have a maximum (L. R. Ford, "Solution of a
// ranking problem from binary comparisons", American Mathematical Monthly 64, 1957).
func areAllConnected(models int, cells []Comparison) bool {
	return models > 1 && len(newWinGraph(models, cells).connectedPart(0)) == models
}

// ConnectedParts gives the models of each part of a tournament whose strengths cannot be compared:
// within a part each won or tied against each other, by way of others. One part is all of them.
func ConnectedParts(models int, cells []Comparison) [][]int {
	w := newWinGraph(models, cells)
	var out [][]int
	placed := make([]bool, models)
	for i := range models {
		if placed[i] {
			continue
		}
		part := w.connectedPart(i)
		for _, j := range part {
			placed[j] = true
		}
		out = append(out, part)
	}
	return out
}
