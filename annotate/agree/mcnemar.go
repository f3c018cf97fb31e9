package agree

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// Sameness is McNemar's test of whether two extractors are right equally often
// on the same items (McNemar 1947). Only items on which they differ count:
// First are those that only the first got right, Second only the second. All
// p-values are two-sided. They mean nothing when the test is Undefined.
type Sameness struct {
	N             int // all items
	First, Second int
	ChiSquare     float64 // without correction, 1 degree of freedom
	P             float64
	Corrected     float64 // chi-square with Edwards' correction (Edwards 1948)
	PCorrected    float64
	Exact         float64 // p-value of the binomial test
	MidP          float64 // the exact one made less timid (Fagerland, Lydersen and Laake 2013)
	Method        string  // of Exact: stat.TestMcNemar, or of items in clusters stat.TestSignFlip or TestAllFlips
	Clusters      int     // of the items; 0 where each stands for itself
	Undefined     string  // the reason; "" when there is a test
}

// McNemar tests two looks at the same items. Exact holds its level always;
// MidP is the one to read when few items differ and Exact is too cautious.
func McNemar(p stat.Pairs) Sameness {
	out := Sameness{N: p.N(), First: p.First, Second: p.Second, Method: stat.TestMcNemar}
	switch {
	case out.N == 0:
		out.Undefined = "no items"
		return out
	case p.First+p.Second == 0:
		out.Undefined = "the two differ on no item"
		return out
	}
	n, apart := float64(p.First+p.Second), math.Abs(float64(p.First-p.Second))
	out.ChiSquare = apart * apart / n
	out.Corrected = square(max(0, apart-1)) / n
	chi := distuv.ChiSquared{K: 1}
	out.P, out.PCorrected = chi.Survival(out.ChiSquare), chi.Survival(out.Corrected)
	out.Exact, out.MidP = stat.Binomial(p.First, p.Second)
	return out
}

// seed is of the random signs of a permutation test: the same facts give the
// same p-value.
const seed = 1

// McNemarOf is McNemar over items that come in clusters, as the answers of
// several models to one question: where some cluster has several items a sample
// counts as one, by a permutation test that flips the signs of whole clusters, and
// ChiSquare is that of clustered pairs (Obuchowski, "On the comparison of
// correlated proportions for clustered data", Statistics in Medicine 17, 1998).
// McNemar's test itself would reject equal extractors in 16 to 26 % of cases over
// four models.
func McNemarOf(l *stat.Looks) Sameness {
	out, units := McNemar(l.Pairs), l.Units()
	if _, single := units.Pairs(); single || out.Undefined != "" {
		return out
	}
	test := units.Test(seed)
	out.Exact, out.MidP, out.Method, out.Clusters = test.P, test.Mid, test.Method, units.Clusters()
	if se := units.SE(); se > 0 {
		z := (float64(out.First-out.Second) / float64(out.N)) / se
		out.ChiSquare = z * z
		out.P = distuv.ChiSquared{K: 1}.Survival(out.ChiSquare)
	}
	out.Corrected, out.PCorrected = out.ChiSquare, out.P
	return out
}

type samenessJSON struct {
	N          int      `json:"n"`
	First      int      `json:"first_only"`
	Second     int      `json:"second_only"`
	Exact      *float64 `json:"exact_p"`
	MidP       *float64 `json:"mid_p"`
	ChiSquare  *float64 `json:"chi_square"`
	P          *float64 `json:"p"`
	Corrected  *float64 `json:"chi_square_corrected"`
	PCorrected *float64 `json:"p_corrected"`
	Method     string   `json:"method,omitempty"`
	Clusters   int      `json:"clusters,omitempty"`
	Undefined  string   `json:"undefined,omitempty"`
}

// MarshalJSON writes null for what an undefined test does not have.
func (s Sameness) MarshalJSON() ([]byte, error) {
	out := samenessJSON{N: s.N, First: s.First, Second: s.Second, Method: s.Method, Clusters: s.Clusters, Undefined: s.Undefined}
	if s.Undefined == "" {
		out.Exact, out.MidP = &s.Exact, &s.MidP
		out.ChiSquare, out.P = &s.ChiSquare, &s.P
		out.Corrected, out.PCorrected = &s.Corrected, &s.PCorrected
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Sameness) UnmarshalJSON(b []byte) error {
	var in samenessJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*s = Sameness{N: in.N, First: in.First, Second: in.Second, Method: in.Method, Clusters: in.Clusters, Undefined: in.Undefined}
	for to, from := range map[*float64]*float64{
		&s.Exact: in.Exact, &s.MidP: in.MidP, &s.ChiSquare: in.ChiSquare,
		&s.P: in.P, &s.Corrected: in.Corrected, &s.PCorrected: in.PCorrected,
	} {
		if from != nil {
			*to = *from
		}
	}
	return nil
}
