package metric

import (
	"cmp"
	"maps"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// MME counts the questions of MME's subtasks by picture: two questions are
// asked about each, and accuracy+ is the share of pictures with both right
// (MME, Sec. 2.2). Questions of other datasets do not enter.
type MME struct{ pictures map[picture][]asked }

// picture is a picture within a subtask.
type picture struct{ subtask, name string }

// asked is one question about a picture.
type asked struct {
	sample  eval.Ordinal
	verdict Verdict
}

func (m *MME) add(q *eval.Question, o *Outcome) {
	levels := q.Sample.Taxonomy
	if q.Sample.Kind != eval.KindYesNo || len(levels) == 0 || eval.MMEAbility(levels[len(levels)-1]) == "" {
		return
	}
	at := picture{subtask: levels[len(levels)-1]}
	if ps := q.Sample.Pictures; len(ps) > 0 {
		// A name comes before the content: some pictures are there twice.
		at.name = cmp.Or(ps[0].Name, string(ps[0].Hash))
	}
	if m.pictures == nil {
		m.pictures = make(map[picture][]asked)
	}
	m.pictures[at] = append(m.pictures[at], asked{q.Sample.Ordinal, o.Vanilla})
}

func (m *MME) merge(o *MME) {
	if m.pictures == nil && len(o.pictures) > 0 {
		m.pictures = make(map[picture][]asked)
	}
	for p, qs := range o.pictures {
		m.pictures[p] = append(m.pictures[p], qs...)
	}
}

// Subtask is the figures of one subtask of MME.
type Subtask struct {
	Name, Ability string
	Accuracy      stat.Count // questions
	Plus          stat.Count // pictures, right in both of their questions
	Pictures      int        // with two questions, decided or not
	Questions     int
	Undecided     int // questions that are in no rate
	Unpaired      int // questions whose picture has no other one, or is not known
}

// Subtasks lists the subtasks that there are questions of, perception first,
// by name.
func (m *MME) Subtasks() []Subtask {
	byName := make(map[string]*Subtask)
	for p, qs := range m.pictures {
		s, ok := byName[p.subtask]
		if !ok {
			s = &Subtask{Name: p.subtask, Ability: eval.MMEAbility(p.subtask)}
			byName[p.subtask] = s
		}
		s.add(p.name != "", qs)
	}
	return slices.SortedFunc(func(yield func(Subtask) bool) {
		for s := range maps.Values(byName) {
			if !yield(*s) {
				return
			}
		}
	}, func(a, b Subtask) int {
		return cmp.Or(cmp.Compare(b.Ability, a.Ability), cmp.Compare(a.Name, b.Name))
	})
}

// add counts the questions about one picture. Files name some pictures twice
// over: then each two questions in their order are a pair.
func (s *Subtask) add(known bool, qs []asked) {
	qs = slices.SortedFunc(slices.Values(qs), func(a, b asked) int { return cmp.Compare(a.sample, b.sample) })
	s.Questions += len(qs)
	for _, q := range qs {
		if q.verdict.Decided() {
			s.Accuracy.Add(q.verdict == Right)
		} else {
			s.Undecided++
		}
	}
	for pair := range slices.Chunk(qs, 2) {
		switch {
		case !known || len(pair) < 2:
			s.Unpaired += len(pair)
		default:
			s.Pictures++
			if pair[0].verdict.Decided() && pair[1].verdict.Decided() {
				s.Plus.Add(pair[0].verdict == Right && pair[1].verdict == Right)
			}
		}
	}
}

// NoPairs is why a subtask has no score.
const NoPairs = "no pictures with two questions"

// Score is 100 for accuracy and 100 for accuracy+ (MME, Sec. 2.2). The two
// rise and fall together, so the bounds are the sums of theirs: rather wide.
func (s *Subtask) Score() stat.Estimate {
	switch {
	case s.Accuracy.N == 0:
		return stat.NoEstimate("no question decided")
	case s.Plus.N == 0:
		return stat.NoEstimate(NoPairs)
	}
	a, p := s.Accuracy.Rate(""), s.Plus.Rate("")
	return stat.Estimate{
		N: s.Accuracy.N, Value: 100 * (a.Value + p.Value), Low: 100 * (a.Low + p.Low), High: 100 * (a.High + p.High),
	}
}

// Random is the expected score of answers at random: half of the questions,
// and a quarter of the pictures.
func (s *Subtask) Random() stat.Estimate {
	if s.Pictures == 0 {
		return stat.NoEstimate(NoPairs)
	}
	return stat.Expected(100*0.5+100*0.25, s.Questions)
}

// Total is the sum of a figure over the subtasks of an ability; "" is both.
// It is over those that there are, which Missing counts against the whole.
func Total(all []Subtask, ability string, figure func(*Subtask) stat.Estimate) stat.Estimate {
	var parts []stat.Estimate
	for i := range all {
		if ability == "" || all[i].Ability == ability {
			parts = append(parts, figure(&all[i]))
		}
	}
	if len(parts) == 0 {
		return stat.NoEstimate("no subtask of " + cmp.Or(ability, "MME"))
	}
	return stat.Sum(parts...)
}

// Missing is how many subtasks of an ability there are no questions of; "" is
// both abilities.
func Missing(all []Subtask, ability string) int {
	if ability == "" {
		return Missing(all, eval.Perception) + Missing(all, eval.Cognition)
	}
	n := eval.MMESubtasks(ability)
	for i := range all {
		if all[i].Ability == ability {
			n--
		}
	}
	return max(n, 0)
}
