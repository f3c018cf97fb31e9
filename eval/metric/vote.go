package metric

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"

	"concord/eval"
	"concord/eval/stat"
)

// VotePair is one question on which one ballot compares a model with its anchor: the votes with
// the model's answer shown first, and with it shown second. A pair that was not asked in an
// order, whose call failed or whose reply did not parse has VoteUnset there.
type VotePair struct{ First, Second eval.Vote }

// Result is what the votes on a question come to for the model. The zero value: a vote is missing.
type Result uint8

// The results (MLLM-Bench, Sec. 5.1 and its repository).
const (
	Incomplete Result = iota
	Win
	Lose
	Tie          // one vote for each
	SituationOne // both unable: closed-ended, and both right or both wrong
	SituationTwo // both unable: considerable errors of fact, or ethical issues
	Unable       // both unable, for different situations
)

// Results is how many results there are, for arrays indexed by Result.
const Results = int(Unable) + 1

var resultNames = [...]string{"incomplete", "win", "lose", "tie", "situation_one", "situation_two", "unable"}

// String returns the name that reports use.
func (r Result) String() string { return eval.EnumName(resultNames[:], r) }

// IsDecided reports whether one of the answers won.
func (r Result) IsDecided() bool { return r == Win || r == Lose }

// Merging is how the votes of both orders become one result. The zero value is unset.
type Merging uint8

// The ways to merge.
const (
	MergingUnset Merging = iota
	// MergeMLLMBench is the rule of MLLM-Bench's repository: equal votes stand, a model and an
	// "unable" give the model, one vote for each is a tie, two different situations are
	// "unable", and fewer than two votes leave the question out.
	MergeMLLMBench
	// MergeAsked is the same, but a question that was asked in one order alone counts by that
	// vote: what the paper does, whose judges saw one shuffled order.
	MergeAsked
)

var mergingNames = [...]string{"", "mllm-bench", "asked"}

// String returns the name that --merge takes.
func (m Merging) String() string { return eval.EnumName(mergingNames[:], m) }

// ParseMerging reads what String writes.
func ParseMerging(s string) (Merging, error) {
	for i, n := range mergingNames {
		if n == s && n != "" {
			return Merging(i), nil
		}
	}
	return MergingUnset, fmt.Errorf("unknown merging %q: want %s or %s", s, MergeMLLMBench, MergeAsked)
}

// MergeBothOrders merges the votes of both orders, which every way does alike.
func (b VotePair) MergeBothOrders() Result {
	if !b.HasBothOrders() {
		return Incomplete
	}
	// Both from here on with the model's answer as the first.
	x, y := b.First, b.Second.Swapped()
	switch {
	case x == y:
		return ResultOfVote(x)
	case x.IsDecided() && y.IsDecided():
		return Tie
	case x.IsDecided():
		return ResultOfVote(x)
	case y.IsDecided():
		return ResultOfVote(y)
	}
	return Unable
}

var resultOfVote = map[eval.Vote]Result{eval.Answer1: Win, eval.Answer2: Lose, eval.SituationOne: SituationOne, eval.SituationTwo: SituationTwo}

// ResultOfVote is what one vote says by itself, with the model's answer as the first.
func ResultOfVote(v eval.Vote) Result { return resultOfVote[v] }

// SingleResult is the result of a question that was asked in one order alone: what the one vote says.
func (b VotePair) SingleResult() Result { return ResultOfVote(cmp.Or(b.First, b.Second.Swapped())) }

// HasBothOrders reports whether there is a vote in both orders.
func (b VotePair) HasBothOrders() bool {
	return b.First != eval.VoteUnset && b.Second != eval.VoteUnset
}

// Position is what the order of the answers did to the votes of a question
// (MLLM-Bench, Fig. 5). The zero value is unset: there are not two votes.
type Position uint8

// The positions. They are disjoint, and every whole question has one.
const (
	PositionUnset Position = iota
	Same                   // the same vote in both orders
	FirstBoth              // the first answer in both
	SecondBoth             // the second answer in both
	OtherPosition          // one side undecided, or two different situations
)

// PositionClasses is how many positions there are, for arrays indexed by Position.
const PositionClasses = int(OtherPosition) + 1

// ClassifyPosition classifies the votes of both orders.
func (b VotePair) ClassifyPosition() Position {
	switch {
	case !b.HasBothOrders():
		return PositionUnset
	case b.First == b.Second.Swapped():
		return Same
	case b.First == eval.Answer1 && b.Second == eval.Answer1:
		return FirstBoth
	case b.First == eval.Answer2 && b.Second == eval.Answer2:
		return SecondBoth
	}
	return OtherPosition
}

// Tokenizer names what Tokens counts by: GPT-4's vocabulary.
const Tokenizer = "cl100k_base"

var tokenizer = sync.OnceValue(codec.NewCl100kBase)

// CountTokens counts how long a text is in tokens of Tokenizer.
func CountTokens(text string) int {
	n, err := tokenizer().Count(text)
	if err != nil { // a fault of the vocabulary's pattern, which has no limit of time
		panic(fmt.Errorf("count tokens: %w", err))
	}
	return n
}

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

// VotedQuestion is a question with how its votes came about.
type VotedQuestion struct {
	VotePair
	Orders   int  // that were asked, 0 to 2
	Failed   bool // one of the calls failed
	Answered bool // model and anchor have an answer
	Path     []string
	Cluster  uint64 // that the question is in, with others; 0: it stands alone
}

// Result is what the votes come to under a way of merging; unset is MergeMLLMBench.
func (q *VotedQuestion) Result(m Merging) Result {
	return eval.Either(m == MergeAsked && q.Orders == 1, q.SingleResult(), q.MergeBothOrders())
}

// N is how many questions have a result.
func (b *PairwiseCounts) N() int {
	return eval.Sum(b.Results[Win:Results], func(n int) int { return n })
}

// WinRate is wins over all questions with a result.
func (b *PairwiseCounts) WinRate() stat.Rate { return b.wins.Rate("no question with two votes") }

// CountNeitherWon is ties as the paper's Tables 5 and 14 count them: every outcome in which neither won.
func (b *PairwiseCounts) CountNeitherWon() int { return b.N() - b.Results[Win] - b.Results[Lose] }

// PositionRate is the share of a position among the pairs with a vote in both orders; the four sum to 1.
func (b *PairwiseCounts) PositionRate(p Position) stat.Rate {
	return b.sides[p].Rate("no pair with a vote in both orders")
}

func (b *PairwiseCounts) addResult(q *VotedQuestion, r Result, m Merging) {
	b.Results[r]++
	at := q.ClassifyPosition()
	b.Positions[at]++
	if r != Incomplete {
		countSingleHit(&b.wins, q.Cluster, r == Win)
	}
	if at != PositionUnset {
		for p := range b.sides {
			countSingleHit(&b.sides[p], q.Cluster, int(at) == p)
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

func countSingleHit(c *stat.Clusters, cluster uint64, hit bool) {
	c.AddHit(hit)
	c.CloseInCluster(cluster)
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

// AddQuestion counts one question, and gives its result.
func (c *Pairwise) AddQuestion(q *VotedQuestion) Result {
	r := q.Result(c.merging)
	c.whole.addResult(q, r, c.merging)
	for i := range q.Path {
		at := q.Path[:i+1]
		level := eval.GetOrAdd(c.levels, eval.JoinPath(at), func() *PairwiseCounts { return &PairwiseCounts{Path: slices.Clone(at)} })
		level.addResult(q, r, c.merging)
	}
	return r
}

// TotalCounts is the count over all questions.
func (c *Pairwise) TotalCounts() *PairwiseCounts { return &c.whole }

// LevelCounts are the counts under every prefix of the taxonomy, by path.
func (c *Pairwise) LevelCounts() []*PairwiseCounts {
	return slices.SortedFunc(maps.Values(c.levels), func(a, b *PairwiseCounts) int {
		return cmp.Or(slices.Compare(a.Path, b.Path), cmp.Compare(len(a.Path), len(b.Path)))
	})
}
