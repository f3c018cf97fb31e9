package metric

import (
	"cmp"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// PairwiseCounts counts the questions on which one model is compared with its
// anchor, over one node of the taxonomy. Each question that is added has one of
// the results, and an Incomplete one has one of the reasons.
type PairwiseCounts struct {
	Path      []string // empty: all questions
	Results   [Results]int
	Positions [PositionClasses]int

	NotAsked int // of Incomplete: no order was asked
	OneOrder int // one order was asked, which does not count by itself
	Unparsed int // all that counts was asked, and a reply held no vote
	Failed   int // likewise, and a call failed
	NoAnswer int // of NotAsked: the model or the anchor has no answer to compare

	wins  stat.Clusters
	sides [PositionClasses]stat.Clusters
}

// Asked is a question with how its votes came about.
type Asked struct {
	VotePair
	Orders   int  // that were asked, 0 to 2
	Failed   bool // one of the calls failed
	Answered bool // model and anchor have an answer
	Path     []string
	Cluster  uint64 // that the question is in, with others; 0: it stands alone
}

// Result is what the votes come to under a way of merging; unset is
// MergeMLLMBench.
func (q *Asked) Result(m Merging) Result {
	if m == MergeAsked && q.Orders == 1 {
		return q.Single()
	}
	return q.Merge()
}

// N is how many questions have a result.
func (b *PairwiseCounts) N() int {
	n := 0
	for r := Win; int(r) < Results; r++ {
		n += b.Results[r]
	}
	return n
}

// WinRate is wins over all questions with a result.
func (b *PairwiseCounts) WinRate() stat.Rate {
	return b.wins.Rate("no question with two votes")
}

// Folded is the ties as the paper's tables count them (Tables 5 and 14): every
// outcome in which neither won.
func (b *PairwiseCounts) Folded() int { return b.N() - b.Results[Win] - b.Results[Lose] }

// Position is the share of a position among the pairs with a vote in both
// orders; the four sum to 1.
func (b *PairwiseCounts) Position(p Position) stat.Rate {
	return b.sides[p].Rate("no pair with a vote in both orders")
}

func (b *PairwiseCounts) add(q *Asked, r Result, m Merging) {
	b.Results[r]++
	at := q.Position()
	b.Positions[at]++
	if r != Incomplete {
		count(&b.wins, q.Cluster, r == Win)
	}
	if at != PositionUnset {
		for p := range b.sides {
			count(&b.sides[p], q.Cluster, int(at) == p)
		}
	}
	switch {
	case r != Incomplete:
	case q.Orders == 0:
		b.NotAsked++
		if !q.Answered {
			b.NoAnswer++
		}
	case q.Orders == 1 && m != MergeAsked:
		b.OneOrder++
	case q.Failed:
		b.Failed++
	default:
		b.Unparsed++
	}
}

func count(c *stat.Clusters, cluster uint64, hit bool) {
	c.AddHit(hit)
	c.CloseIn(cluster)
}

// Pairwise counts the questions on which one ballot compares a model with its anchor,
// over all questions and every prefix of the taxonomy.
type Pairwise struct {
	merging Merging
	whole   PairwiseCounts
	levels  map[string]*PairwiseCounts
}

// NewPairwise counts under a way of merging.
func NewPairwise(m Merging) *Pairwise {
	return &Pairwise{merging: m, levels: make(map[string]*PairwiseCounts)}
}

// Add counts one question, and gives its result.
func (c *Pairwise) Add(q *Asked) Result {
	r := q.Result(c.merging)
	c.whole.add(q, r, c.merging)
	for i := range q.Path {
		key := eval.Path(q.Path[:i+1])
		if c.levels[key] == nil {
			c.levels[key] = &PairwiseCounts{Path: slices.Clone(q.Path[:i+1])}
		}
		c.levels[key].add(q, r, c.merging)
	}
	return r
}

// Whole is the count over all questions.
func (c *Pairwise) Whole() *PairwiseCounts { return &c.whole }

// Levels are the counts under every prefix of the taxonomy, by path.
func (c *Pairwise) Levels() []*PairwiseCounts {
	out := make([]*PairwiseCounts, 0, len(c.levels))
	for _, b := range c.levels {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b *PairwiseCounts) int {
		return cmp.Or(slices.Compare(a.Path, b.Path), cmp.Compare(len(a.Path), len(b.Path)))
	})
	return out
}
