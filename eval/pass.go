package eval

// Pass is one rotation of a sample's options under CircularEval; pass 0 is
// the question as written (MMBench, Sec. 4.2).
type Pass uint8

// Passes is how many passes CircularEval asks of the sample: one for each
// option, and one for samples that are not multiple choice.
func (s *Sample) Passes() int {
	if s.Kind != KindChoice || len(s.Options) < 2 {
		return 1
	}
	return len(s.Options)
}

// Shown is a question as it was asked in one pass: the options in that
// pass's order, and the letter that is right there.
type Shown struct {
	Options []Option
	Answer  Choice
}

// Show returns the sample as asked in pass p. The letters stay in place and
// the texts move on: the text at position k of pass 0 stands at position
// (k + p) mod n, and the answer moves along.
func (s *Sample) Show(p Pass) Shown {
	n := len(s.Options)
	if n == 0 || s.Kind != KindChoice || int(p)%n == 0 {
		return Shown{Options: s.Options, Answer: s.Answer}
	}
	out := Shown{Options: make([]Option, n)}
	for k, o := range s.Options {
		to := (k + int(p)) % n
		out.Options[to] = Option{Letter: s.Options[to].Letter, Text: o.Text}
		if o.Letter == s.Answer {
			out.Answer = s.Options[to].Letter
		}
	}
	return out
}
