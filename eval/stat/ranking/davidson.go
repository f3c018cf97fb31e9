package ranking

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Comparison counts the votes on pairs of two models that were shown in one order: First before Second.
// In votes whose order is not known, Unordered is set, and position has no part in them.
type Comparison struct {
	First, Second   int
	Unordered       bool
	Won, Tied, Lost float64 // of First
}

func (c *Comparison) countVotes() float64 { return c.Won + c.Tied + c.Lost }

// Strengths are the parameters of Davidson's model with an order effect. At
// worth w = exp(Log) and x = exp(Position) for the one shown first,
//
//	P(first) : P(tie) : P(second)  =  x w1 : Tie sqrt(x w1 w2) : w2
//
// so that P(tie) = Tie sqrt(P(first) P(second)) in either order. Log has mean 0; Position is the log
// odds of the first against the second of two equal models.
//
// Sources: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
// comparison experiments", JASA 65 (1970); R. R. Davidson and R. J. Beaver, "On extending the
// Bradley-Terry model to incorporate within-pair order effects", Biometrics 33 (1977), who measure Tie
// at the geometric mean without the order.
type Strengths struct {
	Log      []float64
	Tie      float64 // 0 where no vote is a tie
	Position float64
	// NoPosition is why Position was not estimated; "" when it was.
	NoPosition string
}

// Errors of a tournament whose strengths have no maximum-likelihood estimate.
var (
	ErrApart   = errors.New("models are not connected by votes in which each side wins or ties")
	ErrNoOther = errors.New("every vote is a tie")
	ErrNoFit   = errors.New("the votes have no best fit")
)

const (
	steps     = 100
	precision = 1e-9 // of a last step, after which the next would be its square
	runaway   = 40   // a log parameter beyond this has no maximum
)

// davidsonModel is what a fit needs of a tournament.
type davidsonModel struct {
	models        int
	cells         []Comparison
	votes         float64
	tie, position bool
}

// FitDavidson gives the maximum-likelihood estimate for a number of models.
func FitDavidson(models int, cells []Comparison) (Strengths, error) {
	m, reason, err := newDavidsonModel(models, cells)
	if err != nil {
		return Strengths{}, err
	}
	theta := make([]float64, m.countParameters())
	err = m.maximizeByNewton(theta)
	if err != nil && m.position {
		// One side may win whatever is shown there: that has no finite effect.
		m.position, reason = false, "the votes follow the position too closely to measure it"
		theta = make([]float64, m.countParameters())
		err = m.maximizeByNewton(theta)
	}
	if err != nil {
		return Strengths{}, err
	}
	return m.normalizedStrengths(theta, reason), nil
}

func newDavidsonModel(models int, cells []Comparison) (*davidsonModel, string, error) {
	if !areAllConnected(models, cells) {
		return nil, "", ErrApart
	}
	m := &davidsonModel{models: models, cells: cells}
	decided := 0.0
	for i := range cells {
		m.votes += cells[i].countVotes()
		decided += cells[i].Won + cells[i].Lost
		m.tie = m.tie || cells[i].Tied > 0
	}
	if decided == 0 {
		return nil, "", ErrNoOther
	}
	reason := m.positionReason()
	m.position = reason == ""
	return m, reason, nil
}

// positionReason is why the position effect cannot be estimated: the votes with
// a known order have to tell it from the strengths.
func (m *davidsonModel) positionReason() string {
	m.position = true
	defer func() { m.position = false }()
	ordered := false
	for i := range m.cells {
		ordered = ordered || !m.cells[i].Unordered && m.cells[i].countVotes() > 0
	}
	if !ordered {
		return "no vote says which answer was shown first"
	}
	_, information := m.gradient(make([]float64, m.countParameters()))
	var c mat.Cholesky
	if !c.Factorize(information) || c.Cond() > 1e12 {
		return "no pair of models was shown in both orders"
	}
	return ""
}

// countParameters counts the free parameters: strengths against that of model 0, the tie and the position.
func (m *davidsonModel) countParameters() int {
	n := m.models - 1
	if m.tie {
		n++
	}
	if m.position {
		n++
	}
	return n
}

// maximizeByNewton goes to the maximum by Newton's steps, halved where they overshoot. The
// log-likelihood is concave: it is that of a conditional logit.
func (m *davidsonModel) maximizeByNewton(theta []float64) error {
	at := m.logLikelihood(theta)
	for range steps {
		gradient, information := m.gradient(theta)
		var c mat.Cholesky
		if !c.Factorize(information) {
			return ErrNoFit
		}
		step := mat.NewVecDense(len(theta), nil)
		if err := c.SolveVecTo(step, gradient); err != nil {
			return ErrNoFit
		}
		if mat.Norm(step, math.Inf(1)) < precision {
			return nil
		}
		next, now := m.halveStepUntilBetter(theta, step, at)
		if now < at {
			return nil // no step goes up any more
		}
		copy(theta, next)
		at = now
		if slices.ContainsFunc(theta, func(v float64) bool { return math.Abs(v) > runaway }) {
			return ErrNoFit
		}
	}
	return ErrNoFit
}

func (m *davidsonModel) halveStepUntilBetter(theta []float64, step *mat.VecDense, at float64) ([]float64, float64) {
	next := make([]float64, len(theta))
	now := math.Inf(-1)
	for size := 1.0; size > 1e-8 && !(now >= at); size /= 2 {
		for i := range theta {
			next[i] = theta[i] + size*step.AtVec(i)
		}
		now = m.logLikelihood(next)
	}
	return next, now
}

// outcomeTriple are the outcomes of a vote: the first, a tie, the second.
type outcomeTriple [3]float64

func (m *davidsonModel) outcomeProbabilities(theta []float64, c *Comparison) outcomeTriple {
	x, tie := m.orderFactor(c), math.Inf(-1)
	first, second := m.logStrength(theta, c.First), m.logStrength(theta, c.Second)
	if m.position {
		first += x * theta[len(theta)-1]
	}
	if m.tie {
		tie = theta[m.models-1] + (first+second)/2
	}
	most := max(first, tie, second)
	p := outcomeTriple{math.Exp(first - most), math.Exp(tie - most), math.Exp(second - most)}
	sum := p[0] + p[1] + p[2]
	for i := range p {
		p[i] /= sum
	}
	return p
}

func (m *davidsonModel) orderFactor(c *Comparison) float64 {
	if c.Unordered {
		return 0
	}
	return 1
}

func (m *davidsonModel) logStrength(theta []float64, i int) float64 {
	if i == 0 {
		return 0
	}
	return theta[i-1]
}

func (m *davidsonModel) logLikelihood(theta []float64) float64 {
	sum := 0.0
	for i := range m.cells {
		c := &m.cells[i]
		p := m.outcomeProbabilities(theta, c)
		for k, n := range (outcomeTriple{c.Won, c.Tied, c.Lost}) {
			if n > 0 {
				sum += n * math.Log(p[k])
			}
		}
	}
	return sum
}

// gradient is the gradient of the log-likelihood and the information, its negative
// second derivative. A cell touches four parameters at most.
func (m *davidsonModel) gradient(theta []float64) (*mat.VecDense, *mat.SymDense) {
	gradient := mat.NewVecDense(len(theta), nil)
	information := mat.NewSymDense(len(theta), nil)
	for i := range m.cells {
		c := &m.cells[i]
		n := c.countVotes()
		if n == 0 {
			continue
		}
		p := m.outcomeProbabilities(theta, c)
		where, features := m.parametersOfCell(len(theta), c)
		seen := outcomeTriple{c.Won, c.Tied, c.Lost}
		for a, ia := range where {
			if ia < 0 {
				continue
			}
			mean := m.expectedFeature(features[a], p)
			g := 0.0
			for k := range p {
				g += (seen[k] - n*p[k]) * features[a][k]
			}
			gradient.SetVec(ia, gradient.AtVec(ia)+g)
			for b, ib := range where {
				if ib < ia {
					continue
				}
				v := 0.0
				for k := range p {
					v += p[k] * features[a][k] * features[b][k]
				}
				v -= mean * m.expectedFeature(features[b], p)
				information.SetSym(ia, ib, information.At(ia, ib)+n*v)
			}
		}
	}
	return gradient, information
}

func (m *davidsonModel) expectedFeature(feature, p outcomeTriple) float64 {
	return feature[0]*p[0] + feature[1]*p[1] + feature[2]*p[2]
}

// parametersOfCell are the parameters that a cell touches, -1 for none, and by how much
// each adds to the log weight of the three outcomes.
func (m *davidsonModel) parametersOfCell(size int, c *Comparison) ([4]int, [4]outcomeTriple) {
	where := [4]int{c.First - 1, c.Second - 1, -1, -1}
	if m.tie {
		where[2] = m.models - 1
	}
	x := m.orderFactor(c)
	if m.position && x != 0 {
		where[3] = size - 1
	}
	return where, [4]outcomeTriple{{1, 0.5, 0}, {0, 0.5, 1}, {0, 1, 0}, {x, x / 2, 0}}
}

// normalizedStrengths puts the mean of the logarithms at 0.
func (m *davidsonModel) normalizedStrengths(theta []float64, reason string) Strengths {
	out := Strengths{Log: make([]float64, m.models), NoPosition: reason}
	mean := 0.0
	for i := range out.Log {
		out.Log[i] = m.logStrength(theta, i)
		mean += out.Log[i] / float64(m.models)
	}
	for i := range out.Log {
		out.Log[i] -= mean
	}
	if m.tie {
		out.Tie = math.Exp(theta[m.models-1])
	}
	if m.position {
		out.Position = theta[len(theta)-1]
	}
	return out
}
