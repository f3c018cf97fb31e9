package annotate

import "math"

// Design is how a sample that was drawn elsewhere came about, as whoever
// imported it declared. The zero value is of a queue that was drawn here.
type Design struct {
	File    string // that it came in
	Column  string // of that file, with the probability of each item; "": all were as likely
	Weights bool   // the column has 1 over the probability
	Seed    uint64 // of the draw, as declared; 0: not told
}

// Declared reports whether the sample was drawn elsewhere.
func (d *Design) Declared() bool { return d.File != "" }

// Uneven reports whether items were drawn with probabilities of their own.
func (d *Design) Uneven() bool { return d.Column != "" }

// Same reports whether another declaration says the same.
func (d *Design) Same(o *Design) bool {
	return d.Declared() == o.Declared() && d.Column == o.Column && d.Weights == o.Weights && d.Seed == o.Seed
}

// Inclusion is the probability that a number of the column says; false of a
// number that says none.
func (d *Design) Inclusion(v float64) (float64, bool) {
	if d.Weights {
		v = 1 / v
	}
	return v, v > 0 && v <= 1 && !math.IsInf(1/v, 1)
}
