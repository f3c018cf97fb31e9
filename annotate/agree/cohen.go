package agree

import (
	"math"

	"concord/eval/stat"
)

// Cohen is Cohen's kappa of two raters over the pairs of classes that they
// gave (Cohen 1960), with its large-sample interval (Fleiss, Cohen and
// Everitt 1969). Pairs with an empty class are left out. Raters who share no
// class did not use one alphabet, and are not compared.
func Cohen(pairs [][2]string, confidence float64) Coefficient {
	x := cross(pairs)
	switch {
	case x.n == 0:
		return undefined(0, "no items")
	case len(x.classes) < 2:
		return undefined(x.n, "only one class is used")
	case !x.share():
		return undefined(x.n, "the raters share no class")
	}
	po, pe := x.agreement()
	c := Coefficient{Value: (po - pe) / (1 - pe), N: x.n}
	z := stat.Normal(confidence)
	se := x.standardError(c.Value, pe)
	if se < flat {
		return c.within(carried(po, pe, x.n, confidence))
	}
	return c.within(c.Value-z*se, c.Value+z*se)
}

// crosstab is the contingency table of two raters, as shares.
type crosstab struct {
	n           int
	classes     []string
	cells       [][]float64
	first, last []float64 // margins of the first and the second rater
}

func cross(pairs [][2]string) crosstab {
	var t Table
	for _, p := range pairs {
		if p[0] != "" && p[1] != "" {
			t = append(t, p[:])
		}
	}
	c := t.counts()
	k := len(c.classes)
	x := crosstab{n: len(t), classes: c.classes, first: make([]float64, k), last: make([]float64, k)}
	index := make(map[string]int, k)
	for i, class := range c.classes {
		index[class] = i
		x.cells = append(x.cells, make([]float64, k))
	}
	for _, p := range t {
		i, j := index[p[0]], index[p[1]]
		x.cells[i][j]++
		x.first[i]++
		x.last[j]++
	}
	for i := range k {
		x.first[i] /= float64(x.n)
		x.last[i] /= float64(x.n)
		for j := range k {
			x.cells[i][j] /= float64(x.n)
		}
	}
	return x
}

// share reports whether some class was used by both raters.
func (x *crosstab) share() bool {
	for i := range x.classes {
		if x.first[i] > 0 && x.last[i] > 0 {
			return true
		}
	}
	return false
}

// agreement is the observed agreement and that expected by chance.
func (x *crosstab) agreement() (po, pe float64) {
	for i := range x.classes {
		po += x.cells[i][i]
		pe += x.first[i] * x.last[i]
	}
	return po, pe
}

func (x *crosstab) standardError(kappa, pe float64) float64 {
	var a, b float64
	for i := range x.classes {
		a += x.cells[i][i] * square(1-(x.first[i]+x.last[i])*(1-kappa))
		for j := range x.classes {
			if i != j {
				b += x.cells[i][j] * square(x.last[i]+x.first[j])
			}
		}
	}
	b *= square(1 - kappa)
	c := square(kappa - pe*(1-kappa))
	return math.Sqrt(max(0, a+b-c) / (float64(x.n) * square(1-pe)))
}

func square(x float64) float64 { return x * x }
