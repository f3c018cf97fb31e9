package rubric

import (
	"strconv"

	"concord/annotate/criteria"
	"concord/eval"
)

// Counts are the criteria of responses by what was said of them.
type Counts struct {
	Met      int `json:"met"`
	Partial  int `json:"partial"`
	Unmet    int `json:"unmet"`
	Unable   int `json:"unable"`
	Scored   int `json:"scored,omitempty"`   // by a number
	Ungraded int `json:"ungraded"`           // nothing was said, or nothing that still counts
	Unread   int `json:"unread,omitempty"`   // a judge's reply holds no verdict
	Failed   int `json:"failed,omitempty"`   // a judge's call failed
	Outdated int `json:"outdated,omitempty"` // of Ungraded: said of another wording
	Tied     int `json:"tied,omitempty"`     // people come to no majority
}

// fields are the counts, in their order.
func (c *Counts) fields() [10]*int {
	return [...]*int{&c.Met, &c.Partial, &c.Unmet, &c.Unable, &c.Scored, &c.Ungraded, &c.Unread, &c.Failed, &c.Outdated, &c.Tied}
}

// AddCounts adds those of other criteria.
func (c *Counts) AddCounts(more *Counts) {
	for i, n := range more.fields() {
		*c.fields()[i] += *n
	}
}

// Said is what is known of one criterion of a response.
type Said struct {
	Graded   eval.Graded // Verdict unset: nothing that counts
	Tied     bool        // people come to no majority
	Unread   bool
	Failed   bool
	Outdated bool
}

func (c *Counts) countCriterion(s *Said) {
	switch s.Graded.Verdict {
	case eval.Met:
		c.Met++
	case eval.Partial:
		c.Partial++
	case eval.Unmet:
		c.Unmet++
	case eval.Unable:
		c.Unable++
	case eval.Scored:
		c.Scored++
	case eval.VerdictUnset:
		switch {
		case s.Tied:
			c.Tied++
		case s.Unread:
			c.Unread++
		case s.Failed:
			c.Failed++
		default:
			c.Ungraded++
			if s.Outdated {
				c.Outdated++
			}
		}
	}
}

// ScoreSheet adds up the criteria of one response.
type ScoreSheet struct {
	Counts
	sum, weight    float64 // of what was said
	low, high, all float64 // with what was not said at its worst, and at its best
	least          float64 // the lowest that the response can have
}

// AddCriterion adds a criterion and what was said of it.
func (s *ScoreSheet) AddCriterion(c *criteria.Criterion, said *Said) {
	s.countCriterion(said)
	w := c.PointValue()
	s.all += max(w, 0)
	s.least += min(w, 0)
	var credit float64
	switch said.Graded.Verdict {
	case eval.Met:
		credit = 1
	case eval.Partial:
		credit = c.PartialShare()
	case eval.Scored:
		credit = said.Graded.Score
	case eval.Unmet:
	case eval.Unable, eval.VerdictUnset:
		s.low += min(w, 0)
		s.high += max(w, 0)
		return
	}
	s.sum += w * credit
	s.low += w * credit
	s.high += w * credit
	s.weight += max(w, 0)
}

// Score gives the sum of the weights that are met over those above zero, of the
// criteria of which something was said; false where nothing is left to divide
// by.
func (s *ScoreSheet) Score() (float64, bool) {
	if s.weight <= 0 {
		return 0, false
	}
	return s.sum / s.weight, true
}

// Bounds are the scores with all of which nothing was said unmet, and met, or
// the other way round where the weight is below zero. They mean nothing with
// numbers as verdicts.
func (s *ScoreSheet) Bounds() (low, high float64, ok bool) {
	if s.all <= 0 || s.Scored > 0 {
		return 0, 0, false
	}
	return s.low / s.all, s.high / s.all, true
}

// LowestScore is the lowest score that the response can have: below zero where a
// weight is.
func (s *ScoreSheet) LowestScore() float64 {
	if s.weight <= 0 {
		return 0
	}
	return s.least / s.weight
}

// VerdictClass is a verdict as a class: a number by its text.
func VerdictClass(g eval.Graded) string {
	if g.Verdict == eval.Scored {
		return strconv.FormatFloat(g.Score, 'g', -1, 64)
	}
	return g.Verdict.String()
}

// ResolveMajority gives what several verdicts on one criterion come to: what more than
// half of them say, unable among them. Without that nothing, and a tie of those
// that there are.
func ResolveMajority(all []eval.Graded) Said {
	n := make(map[string]int)
	for _, g := range all {
		if g.Verdict == eval.VerdictUnset {
			continue
		}
		n[VerdictClass(g)]++
	}
	total := 0
	for _, k := range n {
		total += k
	}
	for _, g := range all {
		if g.Verdict != eval.VerdictUnset && 2*n[VerdictClass(g)] > total {
			g.Label = ""
			return Said{Graded: g}
		}
	}
	return Said{Tied: total > 0}
}
