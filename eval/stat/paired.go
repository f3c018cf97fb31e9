package stat

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Paired adds up the units of two looks at the same samples, cluster by cluster. The zero value is empty.
type Paired struct {
	many  bool // some cluster is more than one unit that counts or not
	all   map[[4]float64]int
	open  [4]float64
	inner int
}

// AddUnit adds a unit to the open cluster: y of d as the first look counts it, and as the second does.
func (p *Paired) AddUnit(y1, d1, y2, d2 float64) {
	for i, v := range [4]float64{y1, d1, y2, d2} {
		p.open[i] += v
	}
	p.inner++
}

// CloseCluster ends the open cluster.
func (p *Paired) CloseCluster() { p.CloseAsMany(1) }

// CloseAsMany ends the open cluster, which counts as n that come to the same.
func (p *Paired) CloseAsMany(n int) {
	if p.inner == 0 || n == 0 {
		p.open, p.inner = [4]float64{}, 0
		return
	}
	t := p.open
	bit := func(v float64) bool { return v == 0 || v == 1 }
	p.many = p.many || p.inner > 1 || t[1] != 1 || t[3] != 1 || !bit(t[0]) || !bit(t[2])
	p.addClusters(t, n)
	p.open, p.inner = [4]float64{}, 0
}

func (p *Paired) addClusters(t [4]float64, clusters int) {
	if p.all == nil {
		p.all = make(map[[4]float64]int)
	}
	p.all[t] += clusters
}

// AddPairs adds single samples that count or not.
func (p *Paired) AddPairs(counts Pairs) {
	for t, n := range map[[4]float64]int{{1, 1, 1, 1}: counts.Both, {1, 1, 0, 1}: counts.First, {0, 1, 1, 1}: counts.Second, {0, 1, 0, 1}: counts.Neither} {
		if n > 0 {
			p.addClusters(t, n)
		}
	}
}

// CountClusters counts how many were added.
func (p *Paired) CountClusters() int {
	n := 0
	for _, k := range p.all {
		n += k
	}
	return n
}

// Pairs counts samples by what the two looks say. It is false where a cluster
// is more than one unit that counts or not.
func (p *Paired) Pairs() (Pairs, bool) {
	var out Pairs
	for t, n := range p.all {
		out.AddItems(t[0] > 0, t[2] > 0, n)
	}
	return out, !p.many
}

// Methods of an interval of a difference.
const (
	MethodNewcombe = "newcombe-10"
	MethodCluster  = "cluster-robust"
)

// Difference is the first look's share less the second's, at a confidence
// level, and the method of its interval: Newcombe's 10 for single samples that
// count or not, and else cluster-robust with Student's quantile.
//
// The cluster-robust variance is smoothed where fewer than ten clusters stand on the scarcer
// side: two pseudo-clusters, half a cluster's worth each way (after Bonett and Price, "Adjusted
// Wald confidence interval for a difference of binomial proportions based on paired data",
// Journal of Educational and Behavioral Statistics 37, 2012, who take whole ones).
func (p *Paired) Difference(confidence float64, reason string) (Estimate, string) {
	if pairs, single := p.Pairs(); single {
		return pairs.DifferenceAt(confidence, reason), MethodNewcombe
	}
	i := p.computeInfluence()
	if i.n == 0 {
		return NewUndefinedEstimate(reason), MethodCluster
	}
	low, high := i.interval(confidence)
	return Estimate{N: int(i.n), Value: i.value, Low: max(-1, low), High: min(1, high), Few: i.few}, MethodCluster
}

// SE is the cluster-robust standard error of the difference.
func (p *Paired) SE() float64 {
	i := p.computeInfluence()
	if i.n < 2 {
		return math.Inf(1)
	}
	return math.Sqrt(i.squares * i.n / (i.n - 1))
}

// influence is what each cluster adds to the difference, less the mean.
type influence struct {
	n, value, squares float64
	over, under       float64 // clusters that speak for the first look, for the second
	freedom           float64 // degrees of freedom, by the clusters' sizes; 0: one less than there are
	uneven            float64 // the square of the size of a pseudo-cluster, in clusters; 0: 1
	few               string  // the warning where few clusters decide
}

func (p *Paired) computeInfluence() influence {
	var sum [4]float64
	out := influence{}
	for t, n := range p.all {
		for i, v := range t {
			sum[i] += float64(n) * v
		}
		out.n += float64(n)
	}
	if sum[1] == 0 || sum[3] == 0 {
		return influence{}
	}
	r1, r2 := sum[0]/sum[1], sum[2]/sum[3]
	out.value = r1 - r2
	var sizes []float64
	var squares, fourths, influences float64 // of sizes, and of influences
	for _, t := range p.sortedClusters() {
		n := float64(p.all[t])
		u := (t[0]-r1*t[1])/sum[1] - (t[2]-r2*t[3])/sum[3]
		out.squares += n * u * u
		influences += n * u * u * u * u
		size := t[1] + t[3]
		squares += n * size * size
		fourths += n * size * size * size * size
		if out.n < FewClusters {
			sizes = append(sizes, slices.Repeat([]float64{size}, p.all[t])...)
		}
		switch apart := t[0]/max(t[1], 1) - t[2]/max(t[3], 1); {
		case apart > 0:
			out.over += n
		case apart < 0:
			out.under += n
		}
	}
	out.freedom = max(1, squares*squares/fourths-1)
	if len(sizes) > 0 {
		out.freedom = DegreesOfFreedom(sizes)
	}
	if worth := (sum[1] + sum[3]) * (sum[1] + sum[3]) / squares; p.many { // so many of equal size
		out.uneven = out.n * out.n / (worth * worth)
		out.few = warnUneven(worth, out.squares*out.squares/influences)
	}
	return out
}

// sortedClusters are the kinds of clusters in an order of their own: no sum depends on the order of a map.
func (p *Paired) sortedClusters() [][4]float64 {
	return slices.SortedFunc(maps.Keys(p.all), func(a, b [4]float64) int {
		return slices.Compare(a[:], b[:])
	})
}

func (i *influence) interval(confidence float64) (low, high float64) {
	centre, se, all := AddPseudoClusters(i.n, i.value, i.squares, min(i.over, i.under), cmp.Or(i.uneven, 1)) // with the pseudo-clusters
	freedom := cmp.Or(i.freedom, i.n-1) + all - i.n
	half := StudentQuantile(max(1, freedom), confidence) * se
	return centre - half, centre + half
}

// AddPseudoClusters gives a difference over n clusters and its standard error with the
// pseudo-clusters of Paired.Difference, and how many clusters these make; squares are those of
// the clusters' influences, scarce how many clusters speak for the side for which fewer do, and
// uneven the square of how many clusters' worth a pseudo-cluster is.
func AddPseudoClusters(n, value, squares, scarce, uneven float64) (centre, se, all float64) {
	weight := fadeFromOneToZero(scarce, 5, 10)
	all = n + 2*weight
	centre = value * n / all
	sum := squares*n*n + 2*weight*uneven/4 + value*value*n - all*centre*centre
	return centre, math.Sqrt(max(0, sum) / (all * max(all-1, 1))), all
}

// Test is a two-sided test of whether the two looks count equally often.
type Test struct {
	P                 float64
	Mid               float64 // the mid-p value, where the test is exact; else P
	Method, Undefined string
}

// The tests of a paired comparison.
const (
	TestMcNemar  = "mcnemar-exact"
	TestSignFlip = "sign-flip"
	TestAllFlips = "sign-flip-exact"
)

// flips is how often signs are flipped at random where all ways to do it are
// more than allFlips: those of 20 clusters at most are never.
const (
	flips    = 20_000
	allFlips = 1 << 20
)

// RunEqualityTest is McNemar's exact binomial test for single samples that count or not,
// and else a permutation test that flips the sign of each cluster's difference
// (with all signs of few clusters, and else with seeded random ones).
func (p *Paired) RunEqualityTest(seed uint64) Test {
	if pairs, single := p.Pairs(); single {
		if pairs.First+pairs.Second == 0 {
			return Test{P: 1, Mid: 1, Method: TestMcNemar}
		}
		exact, mid := BinomialTest(pairs.First, pairs.Second)
		return Test{P: exact, Mid: mid, Method: TestMcNemar}
	}
	// How many clusters of each size of difference keep their sign: a table of few
	// kinds takes no longer for being long.
	size := make(map[float64]int)
	total := 0.0
	for _, t := range p.sortedClusters() {
		if t[1] == 0 || t[3] == 0 {
			continue
		}
		d := t[0]/t[1] - t[2]/t[3]
		if d != 0 {
			size[math.Abs(d)] += p.all[t]
			total += d * float64(p.all[t])
		}
	}
	if len(size) == 0 {
		return Test{P: 1, Mid: 1, Method: TestSignFlip}
	}
	sizes := slices.Sorted(maps.Keys(size))
	ways := 1
	for _, s := range sizes {
		if ways *= size[s] + 1; ways > allFlips {
			return runSampledFlips(sizes, size, total, seed)
		}
	}
	return runEveryFlip(sizes, size, total)
}

// BinomialTest is the two-sided exact test of whether a and b come of a fair coin, and its mid-p value.
func BinomialTest(a, b int) (exact, mid float64) {
	coin := distuv.Binomial{N: float64(a + b), P: 0.5}
	fewer := float64(min(a, b))
	if a == b { // nothing is more even, and half the mass is below the middle
		return 1, 1 - coin.Prob(fewer)/2
	}
	exact = min(1, 2*coin.CDF(fewer))
	return exact, exact - coin.Prob(fewer)
}

// runEveryFlip goes through all ways, each as probable as its signs are.
func runEveryFlip(sizes []float64, size map[float64]int, total float64) Test {
	out := Test{Method: TestAllFlips}
	chances := make([][]float64, len(sizes)) // of so many that keep their sign
	for i, s := range sizes {
		coin := distuv.Binomial{N: float64(size[s]), P: 0.5}
		for k := range size[s] + 1 {
			chances[i] = append(chances[i], coin.Prob(float64(k)))
		}
	}
	var walk func(i int, sum, chance float64)
	walk = func(i int, sum, chance float64) {
		if i == len(sizes) {
			switch apart := math.Abs(sum) - math.Abs(total); {
			case apart > 1e-9:
				out.P, out.Mid = out.P+chance, out.Mid+chance
			case apart >= -1e-9:
				out.P, out.Mid = out.P+chance, out.Mid+chance/2
			}
			return
		}
		n := len(chances[i]) - 1
		for k, p := range chances[i] {
			walk(i+1, sum+sizes[i]*float64(2*k-n), chance*p)
		}
	}
	walk(0, 0, 1)
	out.P, out.Mid = min(1, out.P), min(1, out.Mid)
	return out
}

func runSampledFlips(sizes []float64, size map[float64]int, total float64, seed uint64) Test {
	r := rand.New(rand.NewPCG(seed, uint64(len(sizes))))
	extreme := 1 // the order that was seen
	for range flips {
		sum := 0.0
		for _, s := range sizes {
			sum += s * float64(2*drawHeads(r, size[s])-size[s])
		}
		if math.Abs(sum) >= math.Abs(total)-1e-9 {
			extreme++
		}
	}
	v := float64(extreme) / (flips + 1)
	return Test{P: v, Mid: v, Method: TestSignFlip}
}

// drawHeads counts how many of n fair coins show heads.
func drawHeads(r *rand.Rand, n int) int {
	out := 0
	for ; n >= 64; n -= 64 {
		out += bits.OnesCount64(r.Uint64())
	}
	return out + bits.OnesCount64(r.Uint64()>>(64-n)) // a shift by 64 leaves nothing
}

// AdjustHolm are p-values adjusted for being several, in their order (Holm 1979): an
// adjusted one below a level holds that level over all of them.
func AdjustHolm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	last := 0.0
	for rank, i := range order {
		last = max(last, min(1, p[i]*float64(len(p)-rank)))
		out[i] = last
	}
	return out
}

// Power is the chance with which a comparison is to find a difference.
const Power = 0.8

// DetectableDifference is the smallest difference that as many clusters as were seen
// find with the chance Power, at the spread that was seen.
func (p *Paired) DetectableDifference() float64 {
	return p.SE() * (NormalQuantile(Confidence) + NormalQuantile(2*Power-1))
}

// ClustersNeeded is how many clusters find a difference of this size with the chance
// Power, at the spread that was seen; 0 where there is no spread.
func (p *Paired) ClustersNeeded(difference float64) int {
	found := p.DetectableDifference()
	if difference == 0 || math.IsInf(found, 0) {
		return 0
	}
	return int(math.Ceil(float64(p.CountClusters()) * (found / difference) * (found / difference)))
}
