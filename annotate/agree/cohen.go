package agree

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// Weights say how much of an agreement two different classes are (Cohen
// 1968). The zero value is unset, and counts as Plain.
type Weights uint8

// The weights.
const (
	WeightsUnset Weights = iota
	Plain                // none
	Linear               // less by their distance
	Quadratic            // less by its square
)

// CohenKappa is Cohen's kappa of two raters over the pairs of classes that they gave (Cohen 1960), with
// its large-sample interval (Fleiss, Cohen and Everitt 1969). Pairs with an empty class are left out.
// Raters who share no class did not use one alphabet, and are not compared.
func CohenKappa(pairs [][2]string, confidence float64) Coefficient {
	return WeightedKappa(pairs, Scale{}, Plain, confidence)
}

// WeightedKappa is Cohen's kappa with weights by the distance of classes on a scale: of ranks where it
// is ordinal, of numbers above that. Ranks count the classes that occur.
func WeightedKappa(pairs [][2]string, s Scale, w Weights, confidence float64) Coefficient {
	t := make(Table, len(pairs))
	for i := range pairs {
		t[i] = pairs[i][:]
	}
	return t.NewPanel(s).kappa(w, confidence)
}

// kappa is that of two raters on the panel's scale.
func (p *Panel) kappa(w Weights, confidence float64) Coefficient {
	if p.foul != "" {
		return undefinedResult(len(p.items), p.foul)
	}
	return p.newCrosstab().computeKappa(p.scale, w, confidence)
}

func (x *crosstab) computeKappa(s Scale, w Weights, confidence float64) Coefficient {
	numbers := s.Level == Interval || s.Level == Ratio
	switch {
	case x.n == 0:
		return undefinedResult(0, nothing)
	case len(x.codes) < 2:
		return undefinedResult(x.n, oneClass)
	case (w == Linear || w == Quadratic) && s.isNominal():
		return undefinedResult(x.n, "nominal classes have no distance")
	case !x.sharesClass() && (!numbers || w == Plain || w == WeightsUnset):
		return undefinedResult(x.n, apart)
	}
	v := x.newWeightTable(w)
	c := chanceCorrected{}
	for _, cell := range x.cells {
		c.observed += float64(cell.n) / float64(x.n) * v.agreementOf(cell)
	}
	for i, p := range x.first {
		c.expected += p * v.first[i]
	}
	value, ok := c.computeCoefficient()
	if !ok {
		return undefinedResult(x.n, oneClass)
	}
	out := Coefficient{Value: value, N: x.n, Few: x.warnFewDiffering()}
	se := x.standardError(v, value, c.expected)
	if se < flat {
		return out.withInterval(intervalWithoutError(c.observed, c.expected, x.n, confidence))
	}
	z := stat.NormalQuantile(confidence)
	return out.withInterval(value-z*se, value+z*se)
}

// warnFewDiffering is the warning where few items differ, or few are of another class than
// the most frequent of a side.
func (x *crosstab) warnFewDiffering() string {
	n := float64(x.n)
	most := max(float64(x.countAgreed())/n, slices.Max(x.first), slices.Max(x.last))
	return stat.WarnFewUnits(stat.FewClusters, int(math.Round(n*(1-most))))
}

// weightTable is the agreement of any two classes, and the mean agreement of
// each with what the other rater gives.
type weightTable struct {
	by          Weights
	at          []float64
	span        float64
	first, last []float64
}

func (x *crosstab) newWeightTable(w Weights) *weightTable {
	v := &weightTable{by: w, at: x.places, first: x.last, last: x.first}
	if w == Linear || w == Quadratic {
		v.span = x.places[len(x.places)-1] - x.places[0]
		v.first, v.last = v.meanAgreement(x.last), v.meanAgreement(x.first)
	}
	return v
}

func (v *weightTable) agreementOf(c cell) float64 {
	d := math.Abs(v.at[c.first]-v.at[c.last]) / v.span
	switch v.by {
	case Linear:
		return 1 - d
	case Quadratic:
		return 1 - d*d
	case Plain, WeightsUnset:
	}
	return boolToFloat(c.first == c.last)
}

// meanAgreement is each class's mean agreement with classes of these shares. Places
// ascend, so one walk over them will do.
func (v *weightTable) meanAgreement(shares []float64) []float64 {
	out := make([]float64, len(shares))
	center, spread := 0.0, 0.0
	for i, p := range shares {
		center += p * v.at[i]
	}
	for i, p := range shares {
		spread += p * square(v.at[i]-center)
	}
	below, sum := 0.0, 0.0 // share and sum of places up to here
	for i, p := range shares {
		below += p
		sum += p * v.at[i]
		if v.by == Quadratic {
			out[i] = 1 - (square(v.at[i]-center)+spread)/square(v.span)
		} else {
			out[i] = 1 - (v.at[i]*below-sum+(center-sum)-v.at[i]*(1-below))/v.span
		}
	}
	return out
}

func (x *crosstab) standardError(v *weightTable, kappa, pe float64) float64 {
	sum := 0.0
	for _, c := range x.cells {
		sum += float64(c.n) / float64(x.n) * square(v.agreementOf(c)-(v.first[c.first]+v.last[c.last])*(1-kappa))
	}
	sum -= square(kappa - pe*(1-kappa))
	return math.Sqrt(max(0, sum) / (float64(x.n) * square(1-pe)))
}

// Level is what the distance between two classes means (Stevens 1946). The
// zero value is unset, and counts as Nominal.
type Level uint8

// The levels.
const (
	LevelUnset Level = iota
	Nominal          // classes are the same or not
	Ordinal          // they have an order
	Interval         // they are numbers, whose differences mean something
	Ratio            // and zero is a real zero
)

var levelNames = []string{"", "nominal", "ordinal", "interval", "ratio"}

// String returns the name that flags and reports use.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return "invalid"
	}
	return levelNames[l]
}

// ParseLevel reads what String writes.
func ParseLevel(s string) (Level, error) {
	if i := slices.Index(levelNames, s); i > 0 {
		return Level(i), nil
	}
	return LevelUnset, fmt.Errorf("unknown level %q: want one of %s", s, strings.Join(levelNames[1:], ", "))
}

// Scale is a level, with the order of its classes where it is Ordinal and they
// are no numbers. The zero value is the nominal scale.
type Scale struct {
	Level Level
	Order []string // from the lowest; nil: classes are numbers
}

// NormalizeClass gives a rating as the scale writes it, so that equal ones are equal
// texts: "1.0" and "1" are one number, yet two nominal classes.
func (s Scale) NormalizeClass(rating string) (string, error) {
	switch {
	case rating == "" || s.isNominal():
		return rating, nil
	case s.Level == Ordinal && s.Order != nil:
		if !slices.Contains(s.Order, rating) {
			return "", fmt.Errorf("%q is not in the order of classes", rating)
		}
		return rating, nil
	}
	x, err := strconv.ParseFloat(rating, 64)
	switch {
	case (err != nil || !isFinite(x)) && s.Level == Ordinal:
		return "", fmt.Errorf("%q is no number: classes that are none need an order", rating)
	case err != nil || !isFinite(x):
		return "", fmt.Errorf("%q is no number", rating)
	case x < 0 && s.Level == Ratio:
		return "", errors.New("a ratio scale has nothing below zero")
	}
	return strconv.FormatFloat(x+0, 'g', -1, 64), nil // + 0: no minus zero
}

func (s Scale) isNominal() bool { return s.Level == LevelUnset || s.Level == Nominal }

// placeClasses sorts classes by the scale and gives each its place: its rank, or its
// number. On the nominal scale they are sorted by name.
func (s Scale) placeClasses(classes []string) (places []float64, why string) {
	places = make([]float64, len(classes))
	if s.isNominal() {
		slices.Sort(classes)
		return places, ""
	}
	at := make(map[string]float64, len(classes))
	for _, c := range classes {
		if _, err := s.NormalizeClass(c); err != nil {
			return nil, err.Error()
		}
		if s.Order != nil && s.Level == Ordinal {
			at[c] = float64(slices.Index(s.Order, c))
			continue
		}
		at[c], _ = strconv.ParseFloat(c, 64) // Class has read it
	}
	slices.SortFunc(classes, func(a, b string) int { return cmp.Or(cmp.Compare(at[a], at[b]), strings.Compare(a, b)) })
	for i, c := range classes {
		places[i] = at[c]
		if s.Level == Ordinal {
			places[i] = float64(i)
		}
	}
	return places, ""
}

// ratioDistance is Krippendorff's ratio metric.
func ratioDistance(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return square((a - b) / (a + b))
}

func square(x float64) float64 { return x * x }

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// McNemarTest is RunMcNemarTest's test of whether two extractors are right equally often
// on the same items (RunMcNemarTest 1947). Only items on which they differ count:
// First are those that only the first got right, Second only the second. All
// p-values are two-sided. They mean nothing when the test is Undefined.
type McNemarTest struct {
	N          int     `json:"n"` // all items
	First      int     `json:"first_only"`
	Second     int     `json:"second_only"`
	Exact      float64 `json:"exact_p"`              // p-value of the binomial test
	MidP       float64 `json:"mid_p"`                // the exact one made less timid (Fagerland, Lydersen and Laake 2013)
	ChiSquare  float64 `json:"chi_square"`           // without correction, 1 degree of freedom
	P          float64 `json:"p"`                    // of ChiSquare
	Corrected  float64 `json:"chi_square_corrected"` // with Edwards' correction (Edwards 1948)
	PCorrected float64 `json:"p_corrected"`
	Method     string  `json:"method,omitempty"`    // of Exact: stat.TestMcNemar, or of items in clusters stat.TestSignFlip or TestAllFlips
	Clusters   int     `json:"clusters,omitempty"`  // of the items; 0 where each stands for itself
	Undefined  string  `json:"undefined,omitempty"` // the reason; "" when there is a test
}

// RunMcNemarTest tests two looks at the same items. Exact holds its level always;
// MidP is the one to read when few items differ and Exact is too cautious.
func RunMcNemarTest(p stat.Pairs) McNemarTest {
	out := McNemarTest{N: p.N(), First: p.First, Second: p.Second, Method: stat.TestMcNemar}
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
	out.Exact, out.MidP = stat.BinomialTest(p.First, p.Second)
	return out
}

// seed is of the random signs of a permutation test: the same facts give the same p-value.
const seed = 1

// RunClusteredMcNemarTest is RunMcNemarTest over items that come in clusters, as the answers of several
// models to one question: where some cluster has several items a sample counts as one, by a permutation
// test that flips the signs of whole clusters, and ChiSquare is that of clustered pairs (Obuchowski,
// "On the comparison of correlated proportions for clustered data", Statistics in Medicine 17, 1998).
// RunMcNemarTest's test itself would reject equal extractors in 16 to 26 % of cases over four models.
func RunClusteredMcNemarTest(l *stat.PairedLooks) McNemarTest {
	out, units := RunMcNemarTest(l.Pairs), l.ToPaired()
	if _, single := units.Pairs(); single || out.Undefined != "" {
		return out
	}
	test := units.RunEqualityTest(seed)
	out.Exact, out.MidP, out.Method, out.Clusters = test.P, test.Mid, test.Method, units.CountClusters()
	if se := units.SE(); se > 0 {
		z := (float64(out.First-out.Second) / float64(out.N)) / se
		out.ChiSquare = z * z
		out.P = distuv.ChiSquared{K: 1}.Survival(out.ChiSquare)
	}
	out.Corrected, out.PCorrected = out.ChiSquare, out.P
	return out
}

// MarshalJSON writes null for what an undefined test does not have.
func (s McNemarTest) MarshalJSON() ([]byte, error) {
	type test McNemarTest
	if s.Undefined == "" {
		return json.Marshal(test(s))
	}
	return json.Marshal(struct {
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
	}{N: s.N, First: s.First, Second: s.Second, Method: s.Method, Clusters: s.Clusters, Undefined: s.Undefined})
}
