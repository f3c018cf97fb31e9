package stat

import "math"

// Pairs counts items by what two looks at the same ones said of each.
type Pairs struct{ Both, First, Second, Neither int }

// Add counts one more item.
func (p *Pairs) Add(first, second bool) {
	switch {
	case first && second:
		p.Both++
	case first:
		p.First++
	case second:
		p.Second++
	default:
		p.Neither++
	}
}

// Merge adds the counts of o.
func (p *Pairs) Merge(o Pairs) {
	p.Both += o.Both
	p.First += o.First
	p.Second += o.Second
	p.Neither += o.Neither
}

// N is how many items were counted.
func (p Pairs) N() int { return p.Both + p.First + p.Second + p.Neither }

// Difference is the share of the first look less that of the second, with the
// square-and-add interval for paired proportions at Confidence: method 10 of
// Newcombe, "Improved confidence intervals for the difference between binomial
// proportions based on paired data", Statistics in Medicine 17 (1998). It is
// undefined for the given reason without items.
func (p Pairs) Difference(reason string) Estimate { return p.DifferenceAt(Confidence, reason) }

// DifferenceAt is Difference at a confidence level.
func (p Pairs) DifferenceAt(confidence float64, reason string) Estimate {
	n := p.N()
	if n == 0 {
		return NoEstimate(reason)
	}
	first, second := float64(p.Both+p.First)/float64(n), float64(p.Both+p.Second)/float64(n)
	l1, h1 := Wilson(p.Both+p.First, n, confidence)
	l2, h2 := Wilson(p.Both+p.Second, n, confidence)
	phi := p.correlation()
	d := float64(p.First-p.Second) / float64(n)
	return Estimate{
		N: n, Value: d,
		Low:  max(-1, d-added(first-l1, h2-second, phi)),
		High: min(1, d+added(h1-first, second-l2, phi)),
	}
}

// added is two distances from a value, of looks that correlate.
func added(x, y, phi float64) float64 {
	return math.Sqrt(max(0, x*x-2*phi*x*y+y*y))
}

// correlation is Newcombe's phi, whose continuity correction keeps the
// interval wide enough where the looks mostly agree.
func (p Pairs) correlation() float64 {
	e, f, g, h := float64(p.Both), float64(p.First), float64(p.Second), float64(p.Neither)
	margins := (e + f) * (g + h) * (e + g) * (f + h)
	if margins == 0 {
		return 0
	}
	cross := e*h - f*g
	if cross > 0 {
		cross = max(0, cross-float64(p.N())/2)
	}
	return cross / math.Sqrt(margins)
}
