package correct

// Erring is where the corrected score is if people err in a share of their
// labels, which the score itself takes to be exact. Low is the end of the
// interval if all errors call right what is not, High the other end if all call
// not right what is, and Even the score if both are as likely.
type Erring struct{ Low, Even, High float64 }

// Erring takes labels of the ends of the scale to be wrong in a share of cases
// below one half: Rogan and Gladen's formula (1978) with specificity, with
// sensitivity and with both less by that share, over the strata that people
// label. Of scores in between, that share is one step off: up, down, or evenly.
func (s *Score) Erring(share float64, step float64) Erring {
	width := s.options.High - s.options.Low
	moved := func(v, by float64) float64 {
		return min(s.options.High, max(s.options.Low, v+by*s.AskedShare*width))
	}
	c, p := s.Corrected, s.Asked
	if step > 0 {
		by := share * step / width
		return Erring{moved(c.Low, -by), c.Value, moved(c.High, by)}
	}
	return Erring{
		Low:  moved(c.Low, RoganGladen(p, 1, 1-share, 0).Value-p),
		Even: moved(c.Value, RoganGladen(p, 1-share, 1-share, 0).Value-p),
		High: moved(c.High, RoganGladen(p, 1-share, 1, 0).Value-p),
	}
}
