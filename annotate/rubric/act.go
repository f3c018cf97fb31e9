package rubric

import (
	"iter"
	"strconv"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Kind is what a person did. The zero value is unset.
type Kind uint8

// The kinds of acts.
const (
	KindUnset Kind = iota
	Gave           // a verdict on a criterion
	TookBack       // undid the act Target; taking back such an act is redo
)

// String returns the name that logs use.
func (k Kind) String() string { return eval.EnumName([]string{"", "grade", "undo"}, k) }

// Act is one thing that one person did about the responses of a dataset: a fact. Their acts on it are
// numbered from 1 without gaps, and that number orders them; clocks do not.
type Act struct {
	Dataset   eval.DatasetName
	Person    annotate.Annotator
	N         uint32
	Kind      Kind
	Response  eval.Key
	Criterion string // its name within the sample
	Hash      string // of the criterion's text, as the person saw it
	Graded    eval.Graded
	Target    uint32 // TookBack: the N of the act taken back
	Informed  bool   // given after the person was shown what others say
	Imported  bool   // read from a file, not typed here
	At        time.Time
	Spent     time.Duration
}

// Subject is what a verdict is about: a response and one criterion.
type Subject struct {
	Response  eval.Key
	Criterion string
}

// FoldActs gives what stands of one person, from their acts in order: the last
// verdict on each criterion that was not taken back.
func FoldActs(acts []Act) map[Subject]Act {
	gone := make(map[uint32]bool)
	for i := len(acts) - 1; i >= 0; i-- {
		if a := &acts[i]; a.Kind == TookBack && !gone[a.N] && a.Target < a.N {
			gone[a.Target] = true
		}
	}
	out := make(map[Subject]Act)
	for _, a := range acts {
		if a.Kind == Gave && !gone[a.N] {
			out[Subject{a.Response, a.Criterion}] = a
		}
	}
	return out
}

// StandingActs gives what stands of everybody, of acts that come person by person, each in order.
func StandingActs(all iter.Seq2[Act, error]) ([]Act, error) {
	var out, acts []Act
	flush := func() {
		stands := FoldActs(acts)
		for i := range acts {
			if a := &acts[i]; stands[Subject{a.Response, a.Criterion}].N == a.N {
				out = append(out, *a)
			}
		}
		acts = acts[:0]
	}
	for a, err := range all {
		if err != nil {
			return nil, err
		}
		if len(acts) > 0 && acts[0].Person != a.Person {
			flush()
		}
		acts = append(acts, a)
	}
	flush()
	return out, nil
}

// ActsOfQueueLabel are the grades of a response that a person gave in a queue.
func ActsOfQueueLabel(d eval.DatasetName, l *annotate.Label) (out []Act) {
	return eval.Map(l.Reading.Grades, func(g annotate.Grade) Act {
		return Act{
			Dataset: d, Person: l.Annotator, Kind: Gave, Response: l.Item.Key, Criterion: g.Criterion, Hash: g.Hash,
			Graded: eval.Graded{Verdict: g.Verdict}, Informed: l.Informed, Imported: l.Imported, At: l.At,
		}
	})
}

// KeepNewestGrades leaves of grades that one person gave to one criterion of a response, in
// whatever queues and files, the newest.
func KeepNewestGrades(all []Act) []Act {
	type cell struct {
		Subject
		who annotate.Annotator
	}
	at, out := make(map[cell]int), all[:0:0]
	for _, a := range all {
		k := cell{Subject{a.Response, a.Criterion}, a.Person}
		if i, known := at[k]; !known {
			at[k] = len(out)
			out = append(out, a)
		} else if !a.At.Before(out[i].At) {
			out[i] = a
		}
	}
	return out
}

// LatestGrades yields of judges' grades, of which the revisions follow each other, the
// newest that is a say: a failed call only where there is none.
func LatestGrades(all iter.Seq2[eval.Grade, error]) iter.Seq2[eval.Grade, error] {
	return func(yield func(eval.Grade, error) bool) {
		var last *eval.Grade
		for g, err := range all {
			if err != nil {
				if !yield(g, err) {
					return
				}
				continue
			}
			same := last != nil && last.Key == g.Key && last.Judge == g.Judge && last.Criterion == g.Criterion && last.Repeat == g.Repeat
			switch {
			case same && (g.HasReply() || !last.HasReply()):
				last = &g
			case !same:
				if last != nil && !yield(*last, nil) {
					return
				}
				last = &g
			}
		}
		if last != nil {
			yield(*last, nil)
		}
	}
}

// FindDisputedCriteria finds the criteria of each sample on which people differ about some response, by their
// names in their order. What was said of another wording is left aside.
func FindDisputedCriteria(stands []Act, of func(eval.Ordinal) []criteria.Criterion) map[eval.Ordinal][]string {
	words := func() map[string]bool { return make(map[string]bool) }
	said := make(map[Subject]map[string]bool)
	for i := range stands {
		a := &stands[i]
		eval.GetOrAdd(said, Subject{a.Response, a.Criterion + "\x00" + a.Hash}, words)[VerdictClass(a.Graded)] = true
	}
	differ := make(map[eval.Ordinal]map[string]bool)
	for k, several := range said {
		if len(several) > 1 {
			eval.GetOrAdd(differ, k.Response.Sample, words)[k.Criterion] = true
		}
	}
	out := make(map[eval.Ordinal][]string)
	for o, names := range differ {
		cs := of(o)
		for i := range cs {
			if name := criteria.CriterionName(cs, i); names[name+"\x00"+cs[i].HashText()] {
				out[o] = append(out[o], name)
			}
		}
	}
	return out
}

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
	Graded                   eval.Graded // Verdict unset: nothing that counts
	Tied                     bool        // people come to no majority
	Unread, Failed, Outdated bool
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

// Score gives the sum of the weights that are met over those above zero, of the criteria of which
// something was said; false where nothing is left to divide by.
func (s *ScoreSheet) Score() (float64, bool) {
	if s.weight <= 0 {
		return 0, false
	}
	return s.sum / s.weight, true
}

// Bounds are the scores with all of which nothing was said unmet, and met, or the other way round where
// the weight is below zero. They mean nothing with numbers as verdicts.
func (s *ScoreSheet) Bounds() (low, high float64, ok bool) {
	if s.all <= 0 || s.Scored > 0 {
		return 0, 0, false
	}
	return s.low / s.all, s.high / s.all, true
}

// LowestScore is the lowest score that the response can have: below zero where a weight is.
func (s *ScoreSheet) LowestScore() float64 { return eval.Either(s.weight <= 0, 0, s.least/s.weight) }

// VerdictClass is a verdict as a class: a number by its text.
func VerdictClass(g eval.Graded) string {
	return eval.Either(g.Verdict == eval.Scored, strconv.FormatFloat(g.Score, 'g', -1, 64), g.Verdict.String())
}

// ResolveMajority gives what several verdicts on one criterion come to: what more than half of them
// say, unable among them. Without that nothing, and a tie of those that there are.
func ResolveMajority(all []eval.Graded) Said {
	n := make(map[string]int)
	for _, g := range all {
		if g.Verdict == eval.VerdictUnset {
			continue
		}
		n[VerdictClass(g)]++
	}
	total := eval.Count(all, func(g eval.Graded) bool { return g.Verdict != eval.VerdictUnset })
	for _, g := range all {
		if g.Verdict != eval.VerdictUnset && 2*n[VerdictClass(g)] > total {
			g.Label = ""
			return Said{Graded: g}
		}
	}
	return Said{Tied: total > 0}
}
