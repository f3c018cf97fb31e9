package ranking

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"concord/eval/stat"
)

// Scores adds up what several models got of the same samples. Clusters that
// come to the same are kept once, with their number: of a million samples
// right or wrong under ten models there are 1,024 kinds at most.
type Scores struct {
	models int
	kinds  map[string]int // totals of a cluster, encoded, by how often they came
	open   []float64      // y of each model, then d
	many   bool           // some cluster is not one unit that counts or not
	inner  int
	code   []byte
}

// NewScores is for a number of models.
func NewScores(models int) *Scores {
	return &Scores{models: models, kinds: make(map[string]int), open: make([]float64, models+1)}
}

// Add adds a unit to the open cluster: what each model got, of at most d.
func (s *Scores) Add(y []float64, d float64) {
	for i, v := range y {
		s.open[i] += v
		s.many = s.many || v != 0 && v != d
	}
	s.open[s.models] += d
	s.inner++
}

// Close ends the open cluster.
func (s *Scores) Close() {
	if s.inner == 0 {
		return
	}
	s.many = s.many || s.inner > 1 || s.open[s.models] != 1
	s.code = s.code[:0]
	for _, v := range s.open {
		s.code = binary.LittleEndian.AppendUint64(s.code, math.Float64bits(v))
	}
	s.kinds[string(s.code)]++
	clear(s.open)
	s.inner = 0
}

// each calls f with every kind of cluster, in an order of its own, and how
// often it came.
func (s *Scores) each(f func(totals []float64, n float64)) {
	totals := make([]float64, s.models+1)
	for _, code := range slices.Sorted(maps.Keys(s.kinds)) {
		for i := range totals {
			totals[i] = math.Float64frombits(binary.LittleEndian.Uint64([]byte(code[8*i : 8*i+8])))
		}
		f(totals, float64(s.kinds[code]))
	}
}

// Clusters is how many were added.
func (s *Scores) Clusters() int {
	n := 0
	for _, k := range s.kinds {
		n += k
	}
	return n
}

// Rate is one model's share, as stat.Clusters gives it.
func (s *Scores) Rate(model int, reason string) stat.Rate {
	var c stat.Clusters
	s.each(func(t []float64, n float64) {
		units := 1
		if s.many {
			units = max(1, int(t[s.models]))
		}
		c.PutMany(t[model], t[s.models], units, int(n))
	})
	return c.Rate(reason)
}

// Values are the shares of all models.
func (s *Scores) Values() []float64 {
	out, d := make([]float64, s.models), 0.0
	s.each(func(t []float64, n float64) {
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

// freedom is the degrees of freedom of differences.
func (s *Scores) freedom() float64 {
	n := s.Clusters()
	if n >= stat.FewClusters {
		return float64(n - 1)
	}
	var sizes []float64
	s.each(func(t []float64, n float64) { sizes = append(sizes, slices.Repeat(t[s.models:], int(n))...) })
	return stat.Freedom(sizes)
}

// Spread is how the shares vary together over clusters. The standard error of a
// difference is smoothed as stat.Paired smooths it where few clusters speak for
// the scarcer side, so that models that agree on nearly all are not told apart
// by a variance of nearly none.
func (s *Scores) Spread(seed uint64) Spread {
	values, sum, clusters := s.Values(), 0.0, float64(s.Clusters())
	s.each(func(t []float64, n float64) { sum += n * t[s.models] })
	covariance := mat.NewSymDense(s.models, nil)
	over := mat.NewDense(s.models, s.models, nil) // clusters in which the first of two got more
	u := make([]float64, s.models)
	s.each(func(t []float64, n float64) {
		for i := range u {
			u[i] = (t[i] - values[i]*t[s.models]) / sum
		}
		for i := range u {
			for j := i; j < len(u); j++ {
				covariance.SetSym(i, j, covariance.At(i, j)+n*u[i]*u[j])
				switch {
				case t[i] > t[j]:
					over.Set(i, j, over.At(i, j)+n)
				case t[i] < t[j]:
					over.Set(j, i, over.At(j, i)+n)
				}
			}
		}
	})
	least := mat.NewSymDense(s.models, nil)
	for i := range s.models {
		for j := i + 1; j < s.models; j++ {
			squares := covariance.At(i, i) + covariance.At(j, j) - 2*covariance.At(i, j)
			_, se, _ := stat.Smooth(clusters, values[i]-values[j], max(0, squares), min(over.At(i, j), over.At(j, i)))
			least.SetSym(i, j, se*se)
		}
	}
	covariance.ScaleSym(clusters/max(1, clusters-1), covariance)
	return &normal{covariance: covariance, freedom: s.freedom(), seed: seed, least: least}
}
