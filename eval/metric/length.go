package metric

import (
	"unicode/utf8"

	"concord/eval/stat"
)

// lengthEdges are where the bins of length differences begin, in characters.
var lengthEdges = [...]int{1, 100, 200, 400, 800}

// LengthBins is how many bins there are.
const LengthBins = len(lengthEdges)

// LengthBin is the differences From to below To, in characters; To is 0 for
// the last one, which has no end.
type LengthBin struct {
	From, To  int
	Longer    stat.Count // of the questions that one answer won: the longer one did
	Undecided int        // that neither won
}

// Lengths is how often the longer of two answers wins, by how much longer it
// is (MLLM-Bench, Fig. 6). Questions whose answers are of one length are
// Equal; those without a result do not enter.
type Lengths struct {
	Bins  [LengthBins]LengthBin
	Equal int
}

// NewLengths has empty bins.
func NewLengths() *Lengths {
	l := &Lengths{}
	for i, from := range lengthEdges {
		l.Bins[i].From = from
		if i+1 < LengthBins {
			l.Bins[i].To = lengthEdges[i+1]
		}
	}
	return l
}

// Add counts one question with the texts of both answers.
func (l *Lengths) Add(model, anchor string, r Result) {
	if r == Incomplete {
		return
	}
	more, i := Longer(model, anchor)
	if more == 0 {
		l.Equal++
		return
	}
	switch bin := &l.Bins[i]; r {
	case Win, Lose:
		bin.Longer.Add((r == Win) == (more > 0))
	default:
		bin.Undecided++
	}
}

// Longer is by how many characters the model's answer is longer than the
// anchor's, below 0 where it is shorter, and the bin of that difference. Of
// answers of one length the bin means nothing.
func Longer(model, anchor string) (more, bin int) {
	more = utf8.RuneCountInString(model) - utf8.RuneCountInString(anchor)
	bin = LengthBins - 1
	for bin > 0 && max(more, -more) < lengthEdges[bin] {
		bin--
	}
	return more, bin
}

// Merge adds what o counted over other questions.
func (l *Lengths) Merge(o *Lengths) {
	l.Equal += o.Equal
	for i := range l.Bins {
		l.Bins[i].Longer.Merge(o.Bins[i].Longer)
		l.Bins[i].Undecided += o.Bins[i].Undecided
	}
}

// All is the count over all bins.
func (l *Lengths) All() LengthBin {
	out := LengthBin{From: lengthEdges[0]}
	for i := range l.Bins {
		out.Longer.Merge(l.Bins[i].Longer)
		out.Undecided += l.Bins[i].Undecided
	}
	return out
}
