package ranking

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"concord/eval/stat"
)

// Rank is where a model stands among the others.
type Rank struct {
	// Rank is 1 plus the number of models with a higher value.
	Rank int
	// Low and High bound the rank: 1 plus the number of models that are
	// separably better, and the number of models less those that are separably
	// worse. The bounds of all models hold together at stat.Confidence.
	Low, High int
	// Best says that the model cannot be told from the best one. The set of
	// such models holds the truly best one at stat.Confidence.
	Best bool
}

// Spread is what places need: how values would vary from sample to sample.
type Spread interface {
	// SE is the standard error of the difference of two models' values.
	SE(i, j int) float64
	// TellsApart reports whether there is enough to tell two models apart by at all.
	TellsApart(i, j int) bool
	// DrawDeviations yields draws of how far values lie from the truth. What is yielded is good until the next.
	DrawDeviations(yield func([]float64) bool)
}

// RankModels ranks values. Bounds of ranks follow from intervals of all differences that hold at once
// (Mogstad, Romano, Shaikh and Wilhelm, "Inference for ranks with applications to mobility across
// neighbourhoods and academic achievement across countries", Review of Economic Studies 91, 2024); the
// set of best models is that of multiple comparisons with the best (J. C. Hsu, "Constrained
// simultaneous confidence intervals for multiple comparisons with the best", Annals of Statistics 12,
// 1984), with the spread's own draws in the place of tables.
func RankModels(values []float64, spread Spread) []Rank {
	n := len(values)
	se := make([][]float64, n)
	for i := range se {
		se[i] = make([]float64, n)
		for j := range se[i] {
			if i != j {
				se[i][j] = spread.SE(i, j)
			}
		}
	}
	all, best := computeCriticalFactors(se, spread)
	out := make([]Rank, n)
	for i := range out {
		p := Rank{Rank: 1, Low: 1, High: n, Best: true}
		for j := range n {
			if i == j {
				continue
			}
			d := values[j] - values[i]
			if d >= 1e-12 {
				p.Rank++
			}
			if !spread.TellsApart(i, j) {
				continue
			}
			switch {
			case d > all*se[i][j]:
				p.Low++
			case d < -all*se[i][j]:
				p.High--
			}
			p.Best = p.Best && d <= best[i]*se[i][j]
		}
		out[i] = p
	}
	return out
}

// computeCriticalFactors computes the factors of standard errors: for all differences at once,
// and for each model against whichever is better.
func computeCriticalFactors(se [][]float64, spread Spread) (all float64, best []float64) {
	n := len(se)
	var widest []float64
	above := make([][]float64, n)
	for z := range spread.DrawDeviations {
		most := 0.0
		for i := range n {
			over := 0.0
			for j := range n {
				if se[i][j] > 0 {
					over = max(over, (z[j]-z[i])/se[i][j])
				}
			}
			above[i] = append(above[i], over)
			most = max(most, over)
		}
		widest = append(widest, most)
	}
	best = make([]float64, n)
	if len(widest) == 0 {
		for i := range best {
			best[i] = math.Inf(1)
		}
		return math.Inf(1), best
	}
	for i, v := range above {
		slices.Sort(v)
		best[i] = stat.Quantile(v, stat.Confidence)
	}
	slices.Sort(widest)
	return stat.Quantile(widest, stat.Confidence), best
}

// normal is a Spread of values whose covariance is known: draws are of
// Student's t in as many dimensions as there are models.
type normal struct {
	covariance *mat.SymDense
	freedom    float64
	least      *mat.SymDense // smallest variance of a difference
	over       *mat.Dense    // of single samples: on how many the first of two alone is right; nil: they are more
	seed       uint64
}

// TellsApart is the exact test, one-sided: by three samples to none no two models are told apart.
func (s *normal) TellsApart(i, j int) bool {
	if s.over == nil {
		return true
	}
	exact, _ := stat.BinomialTest(int(s.over.At(i, j)), int(s.over.At(j, i)))
	return exact <= 2*(1-stat.Confidence)
}

func (s *normal) SE(i, j int) float64 {
	c := s.covariance
	v := c.At(i, i) + c.At(j, j) - 2*c.At(i, j)
	return math.Sqrt(max(v, s.least.At(i, j)))
}

// draws is how many deviations are drawn: the quantile of 20,000 is good to half a percent of itself.
const draws = 20_000

func (s *normal) DrawDeviations(yield func([]float64) bool) {
	n := s.covariance.SymmetricDim()
	var e mat.EigenSym
	if !e.Factorize(s.covariance, true) {
		return
	}
	var root mat.Dense
	e.VectorsTo(&root)
	for j, v := range e.Values(nil) {
		for i := range n {
			root.Set(i, j, root.At(i, j)*math.Sqrt(max(0, v)))
		}
	}
	r := rand.New(rand.NewPCG(s.seed, 0x5eed)) //nolint:gosec // to be repeatable, not secret
	z, out := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for range draws {
		for i := range n {
			z.SetVec(i, r.NormFloat64())
		}
		out.MulVec(&root, z)
		out.ScaleVec(math.Sqrt(s.freedom/drawChiSquared(r, s.freedom)), out)
		if !yield(out.RawVector().Data) {
			return
		}
	}
}

// drawChiSquared draws from the distribution: near its mean for many degrees of
// freedom (Wilson and Hilferty 1931), as a sum of squares for few.
func drawChiSquared(r *rand.Rand, freedom float64) float64 {
	if freedom < 50 {
		sum := 0.0
		for range int(max(1, freedom)) {
			z := r.NormFloat64()
			sum += z * z
		}
		return sum
	}
	k := 2 / (9 * freedom)
	v := 1 - k + r.NormFloat64()*math.Sqrt(k)
	return freedom * v * v * v
}

// Scores adds up what several models got of the same samples. Clusters that come to the same are kept once,
// with their number: of a million samples right or wrong under ten models there are 1,024 kinds at most.
type Scores struct {
	models int
	kinds  map[string]int // which kind a cluster of such totals is
	totals []float64      // of each kind, as it first came: y of each model, then d
	counts []int          // how often each came
	open   []float64      // totals of the open cluster
	many   bool           // some cluster is not one unit that counts or not
	inner  int
	code   []byte
}

// NewModelScores is for a number of models.
func NewModelScores(models int) *Scores {
	return &Scores{models: models, kinds: make(map[string]int), open: make([]float64, models+1)}
}

// AddUnit adds a unit to the open cluster: what each model got, of at most d.
func (s *Scores) AddUnit(y []float64, d float64) {
	for i, v := range y {
		s.open[i] += v
		s.many = s.many || v != 0 && v != d
	}
	s.open[s.models] += d
	s.inner++
}

// CloseCluster ends the open cluster.
func (s *Scores) CloseCluster() {
	if s.inner == 0 {
		return
	}
	s.many = s.many || s.inner > 1 || s.open[s.models] != 1
	s.code = s.code[:0]
	for _, v := range s.open {
		if v == 0 || v == 1 { // a byte is enough of most
			s.code = append(s.code, byte(v))
		} else {
			s.code = binary.LittleEndian.AppendUint64(append(s.code, 2), math.Float64bits(v))
		}
	}
	at, ok := s.kinds[string(s.code)]
	if !ok {
		at = len(s.counts)
		s.kinds[string(s.code)] = at
		s.totals, s.counts = append(s.totals, s.open...), append(s.counts, 0)
	}
	s.counts[at]++
	clear(s.open)
	s.inner = 0
}

// eachClusterKind calls f with every kind of cluster, as they first came, and how often it came.
func (s *Scores) eachClusterKind(f func(totals []float64, n float64)) {
	for i, n := range s.counts {
		f(s.totals[i*len(s.open):(i+1)*len(s.open)], float64(n))
	}
}

// CountClusters counts how many were added.
func (s *Scores) CountClusters() int {
	n := 0
	for _, k := range s.counts {
		n += k
	}
	return n
}

// Rates are the models' shares, as stat.Clusters gives them.
func (s *Scores) Rates(reason string) []stat.Rate {
	shares, out := make([]stat.Clusters, s.models), make([]stat.Rate, s.models)
	s.eachClusterKind(func(t []float64, n float64) {
		units := 1
		if s.many {
			units = max(1, int(t[s.models]))
		}
		for i := range shares {
			shares[i].AddClusters(t[i], t[s.models], units, int(n))
		}
	})
	for i := range shares {
		out[i] = shares[i].Rate(reason)
	}
	return out
}

// Shares are the shares of all models.
func (s *Scores) Shares() []float64 {
	out, d := make([]float64, s.models), 0.0
	s.eachClusterKind(func(t []float64, n float64) {
		for i := range out {
			out[i] += n * t[i]
		}
		d += n * t[s.models]
	})
	for i := range out {
		out[i] /= d
	}
	return out
}

// degreesOfFreedom is the degrees of freedom of differences.
func (s *Scores) degreesOfFreedom() float64 {
	n := s.CountClusters()
	if n >= stat.FewClusters {
		return float64(n - 1)
	}
	var sizes []float64
	s.eachClusterKind(func(t []float64, n float64) { sizes = append(sizes, slices.Repeat(t[s.models:], int(n))...) })
	return stat.DegreesOfFreedom(sizes)
}

// ComputeSpread is how the shares vary together over clusters. The standard error of a difference is smoothed
// as stat.Paired smooths it where few clusters speak for the scarcer side, so that models that agree on
// nearly all are not told apart by a variance of nearly none.
func (s *Scores) ComputeSpread(seed uint64) Spread {
	values, sum, clusters := s.Shares(), 0.0, float64(s.CountClusters())
	s.eachClusterKind(func(t []float64, n float64) { sum += n * t[s.models] })
	covariance := mat.NewSymDense(s.models, nil)
	over := mat.NewDense(s.models, s.models, nil) // clusters in which the first of two got more
	u, less := mat.NewVecDense(s.models, nil), mat.NewVecDense(s.models, nil)
	s.eachClusterKind(func(t []float64, n float64) {
		y, d := t[:s.models], t[s.models]
		for i, v := range y {
			u.SetVec(i, (v-values[i]*d)/sum)
			less.SetVec(i, d-v)
		}
		covariance.SymRankOne(covariance, n, u)
		if !s.many { // each got one or nothing
			over.RankOne(over, n, mat.NewVecDense(s.models, y), less)
			return
		}
		for i, a := range y {
			row := over.RawRowView(i)
			for j, b := range y {
				if a > b {
					row[j] += n
				}
			}
		}
	})
	least := mat.NewSymDense(s.models, nil)
	for i := range s.models {
		for j := i + 1; j < s.models; j++ {
			squares := covariance.At(i, i) + covariance.At(j, j) - 2*covariance.At(i, j)
			_, se, _ := stat.AddPseudoClusters(clusters, values[i]-values[j], max(0, squares), min(over.At(i, j), over.At(j, i)), 1)
			least.SetSym(i, j, se*se)
		}
	}
	covariance.ScaleSym(clusters/max(1, clusters-1), covariance)
	if s.many {
		over = nil
	}
	return &normal{covariance: covariance, freedom: s.degreesOfFreedom(), seed: seed, least: least, over: over}
}
