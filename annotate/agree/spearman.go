package agree

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/montanaflynn/stats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Correlation is Spearman's rank correlation of N pairs. Both p-values are
// two-sided, of no association; they mean nothing when it is Undefined.
type Correlation struct {
	Rho       float64
	N         int
	P         float64 // of the permutation test
	Exact     bool    // all permutations were tried
	Tried     int     // permutations
	PStudent  float64 // by Student's t, which few pairs or many ties make rough
	Undefined string  // the reason; "" when there is a value
}

// PermutationOptions says how the permutation test draws when there are too many permutations to try them all.
type PermutationOptions struct {
	Times int // 10,000 or so
	Seed  uint64
}

// exactUpTo is the most pairs of which all permutations are tried: 9! is 362,880.
const exactUpTo = 9

// CorrelateSpearman correlates the ranks of two measures of the same things (Spearman
// 1904). Ties share the mean of their ranks, and values that are equal but for
// rounding tie: a mean of votes may come out with noise in its last digits.
func CorrelateSpearman(pairs [][2]float64, s PermutationOptions) Correlation {
	out := Correlation{N: len(pairs)}
	if out.N < 3 {
		out.Undefined = "fewer than three pairs"
		return out
	}
	first, last := make([]float64, out.N), make([]float64, out.N)
	for i, p := range pairs {
		if !isFinite(p[0]) || !isFinite(p[1]) {
			out.Undefined = "a value is not a number"
			return out
		}
		first[i], last[i] = p[0], p[1]
	}
	test := permutation{x: centredRanks(first), y: centredRanks(last)}
	xx, yy := float64(test.scaledCovariance(test.x, test.x)), float64(test.scaledCovariance(test.y, test.y))
	if xx == 0 || yy == 0 {
		out.Undefined = "all values of one side are equal"
		return out
	}
	out.Rho = max(-1, min(1, float64(test.scaledCovariance(test.x, test.y))/math.Sqrt(xx*yy)))
	out.P, out.Tried, out.Exact = test.permutationPValue(s)
	out.PStudent = studentPValue(out.Rho, out.N)
	return out
}

// centredRanks is twice the distance of each rank from their mean, which is a whole number.
func centredRanks(values []float64) []int {
	rounded := make([]float64, len(values))
	for i, v := range values {
		// 12 digits are more than any measure here has, fewer than noise needs.
		rounded[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	}
	out := make([]int, len(values))
	ranks, err := stats.Rank(rounded)
	if err != nil {
		return out // of no values, which have no ranks
	}
	for i, r := range ranks {
		out[i] = int(math.Round(2*r)) - len(values) - 1
	}
	return out
}

func studentPValue(rho float64, n int) float64 {
	rest := 1 - rho*rho
	if rest <= 0 {
		return 0
	}
	t := math.Abs(rho) * math.Sqrt(float64(n-2)/rest)
	return 2 * distuv.StudentsT{Sigma: 1, Nu: float64(n - 2)}.Survival(t)
}

// permutation is a test over centred ranks. It compares whole numbers, so
// that no permutation falls on the wrong side of the observed one by rounding.
type permutation struct {
	x, y []int
}

// scaledCovariance is four times the covariance, times n: centred ranks sum to 0.
func (t *permutation) scaledCovariance(a, b []int) int {
	sum := 0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// permutationPValue is the share of permutations that correlate as strongly as what was seen, or more. Of drawn ones
// the seen one is one more, which keeps p above 0 and the test at its level (Phipson and Smyth 2010).
func (t *permutation) permutationPValue(s PermutationOptions) (p float64, tried int, exact bool) {
	seen, y := absInt(t.scaledCovariance(t.x, t.y)), append([]int(nil), t.y...)
	as := 0
	count := func() {
		tried++
		if absInt(t.scaledCovariance(t.x, y)) >= seen {
			as++
		}
	}
	if len(y) <= exactUpTo {
		eachPermutation(y, len(y), count)
		return float64(as) / float64(tried), tried, true
	}
	r := rand.New(rand.NewPCG(s.Seed, uint64(len(y))))
	for range s.Times {
		r.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
		count()
	}
	return float64(as+1) / float64(tried+1), tried, false
}

// eachPermutation visits every order of the first k of y (Heap 1963).
func eachPermutation(y []int, k int, visit func()) {
	if k <= 1 {
		visit()
		return
	}
	for i := range k {
		eachPermutation(y, k-1, visit)
		if i == k-1 {
			break
		}
		j := 0
		if k%2 == 0 {
			j = i
		}
		y[j], y[k-1] = y[k-1], y[j]
	}
}

func absInt(n int) int { return max(n, -n) }

// MarshalJSON writes null for what an undefined correlation does not have.
func (c Correlation) MarshalJSON() ([]byte, error) {
	out := struct {
		Rho       *float64 `json:"rho"`
		N         int      `json:"n"`
		P         *float64 `json:"permutation_p"`
		Exact     bool     `json:"exact"`
		Tried     int      `json:"permutations"`
		PStudent  *float64 `json:"t_p"`
		Undefined string   `json:"undefined,omitempty"`
	}{N: c.N, Exact: c.Exact, Tried: c.Tried, Undefined: c.Undefined}
	if c.Undefined == "" {
		out.Rho, out.P, out.PStudent = &c.Rho, &c.P, &c.PStudent
	}
	return json.Marshal(out)
}

// Numeric is how close the numbers of a rater are to those of a reference. A
// correlation is nil where one side has no spread.
type Numeric struct {
	N        int      `json:"n"`
	RMSE     float64  `json:"rmse"`
	Pearson  *float64 `json:"pearson"`
	Spearman *float64 `json:"spearman"`
	Kendall  *float64 `json:"kendall"` // tau-b; nil of too many pairs as well
	Mean     float64  `json:"mean"`    // of the rater
	Std      float64  `json:"std"`     // of the rater, over all N
}

// mostKendall is of how many numbers every two are set beside each other.
const mostKendall = 10_000

// CompareNumbers compares pairs of the reference's number and the rater's; nil of fewer than two.
func CompareNumbers(pairs [][2]float64) *Numeric {
	if len(pairs) < 2 {
		return nil
	}
	out := &Numeric{N: len(pairs)}
	var y []float64
	for _, p := range pairs {
		out.RMSE += (p[0] - p[1]) * (p[0] - p[1]) / float64(len(pairs))
		y = append(y, p[1])
	}
	out.RMSE = math.Sqrt(out.RMSE)
	out.Mean, out.Std = stat.PopMeanStdDev(y, nil)
	out.Pearson = CorrelatePearson(pairs)
	if len(pairs) <= mostKendall {
		out.Kendall = finiteOrNil(kendallTauB(pairs))
	}
	if c := CorrelateSpearman(pairs, PermutationOptions{}); c.Undefined == "" {
		out.Spearman = &c.Rho
	}
	return out
}

// CorrelatePearson is the correlation of pairs of numbers; nil where one side has no spread.
func CorrelatePearson(pairs [][2]float64) *float64 {
	var x, y []float64
	for _, p := range pairs {
		x, y = append(x, p[0]), append(y, p[1])
	}
	return finiteOrNil(stat.Correlation(x, y, nil))
}

// ComputeMAE is the mean absolute error of pairs of numbers; nil of none.
func ComputeMAE(pairs [][2]float64) *float64 {
	sum := 0.0
	for _, p := range pairs {
		sum += math.Abs(p[0] - p[1])
	}
	return finiteOrNil(sum / float64(len(pairs)))
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// kendallTauB is tau-b, which ties on either side do not push down (Kendall 1945).
func kendallTauB(pairs [][2]float64) float64 {
	var sum, first, second float64
	for i := range pairs {
		for j := range i {
			a, b := float64(cmp.Compare(pairs[i][0], pairs[j][0])), float64(cmp.Compare(pairs[i][1], pairs[j][1]))
			sum, first, second = sum+a*b, first+a*a, second+b*b
		}
	}
	return sum / math.Sqrt(first*second)
}
