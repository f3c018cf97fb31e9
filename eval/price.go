package eval

// Price is what an endpoint charges, in its currency per million tokens. The
// zero value is not known: a cost by it is 0 and says nothing.
type Price struct {
	Prompt     float64
	Completion float64 // reasoning tokens are part of a completion's
}

// Known reports whether there is a price.
func (p Price) Known() bool { return p != Price{} }

// Cost is what a usage costs at this price.
func (p Price) Cost(u Usage) float64 {
	return (float64(u.Prompt)*p.Prompt + float64(u.Completion)*p.Completion) / 1e6
}

// Add adds o to u.
func (u *Usage) Add(o Usage) {
	u.Prompt += o.Prompt
	u.Completion += o.Completion
	u.Reasoning += o.Reasoning
}
