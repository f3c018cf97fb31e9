package metric

import (
	"cmp"
	"maps"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// Subtask is the figures of one subtask of MME.
type Subtask struct {
	Name, Ability string
	Accuracy      stat.Count // questions
	Plus          stat.Count // pictures, right in both of their questions
	Pictures      int        // with two questions, decided or not
	Questions     int
	Undecided     int // questions that are in no rate
	Unpaired      int // questions whose picture has no other one, or is not known

	Follows   stat.Count // answers that begin with yes or no (MME, Sec. 4)
	Yes       stat.Count // of the answers read, those that say yes
	AlwaysYes stat.Count // of the pictures with both answers read, those with yes twice
}

// Subtasks lists the subtasks that there are questions of, perception first,
// by name.
func (m *MME) Subtasks() []Subtask {
	byName := make(map[string]*Subtask)
	for name, looks := range m.Looks() {
		s, ok := byName[name]
		if !ok {
			s = &Subtask{Name: name, Ability: eval.MMEAbility(name)}
			byName[name] = s
		}
		s.add(looks)
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

// add counts the questions about one picture, or one that has no other.
func (s *Subtask) add(looks []Look) {
	s.Questions += len(looks)
	for i := range looks {
		s.look(&looks[i])
	}
	if len(looks) < 2 {
		s.Unpaired += len(looks)
		return
	}
	s.Pictures++
	a, b := &looks[0], &looks[1]
	if a.Verdict.Decided() && b.Verdict.Decided() {
		s.Plus.Add(a.Verdict == Right && b.Verdict == Right)
	}
	if a.Said != "" && b.Said != "" {
		s.AlwaysYes.Add(a.Said == eval.Yes && b.Said == eval.Yes)
	}
}

func (s *Subtask) look(l *Look) {
	if l.Verdict.Decided() {
		s.Accuracy.Add(l.Verdict == Right)
	} else {
		s.Undecided++
	}
	if l.Answered {
		s.Follows.Add(l.Follows)
	}
	if l.Said != "" {
		s.Yes.Add(l.Said == eval.Yes)
	}
}

// Merge adds the counts of another subtask, for figures over several.
func (s *Subtask) Merge(o *Subtask) {
	s.Accuracy.Merge(o.Accuracy)
	s.Plus.Merge(o.Plus)
	s.Pictures += o.Pictures
	s.Questions += o.Questions
	s.Undecided += o.Undecided
	s.Unpaired += o.Unpaired
	s.Follows.Merge(o.Follows)
	s.Yes.Merge(o.Yes)
	s.AlwaysYes.Merge(o.AlwaysYes)
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

// Idle reports that no question of the subtask is decided, as where a model
// was asked other subtasks alone.
func (s *Subtask) Idle() bool { return s.Accuracy.N == 0 }

// Total is the sum of a figure over the subtasks of an ability; "" is both.
// It is over those that a question is decided of, which Missing counts against
// the whole; where none is, it is undefined.
func Total(all []Subtask, ability string, figure func(*Subtask) stat.Estimate) stat.Estimate {
	var parts, idle []stat.Estimate
	for i := range all {
		switch s := &all[i]; {
		case ability != "" && s.Ability != ability:
		case s.Idle():
			idle = append(idle, figure(s))
		default:
			parts = append(parts, figure(s))
		}
	}
	if len(parts) == 0 {
		parts = idle
	}
	if len(parts) == 0 {
		return stat.NoEstimate("no subtask of " + cmp.Or(ability, "MME"))
	}
	return stat.Sum(parts...)
}

// Missing is how many subtasks of an ability no question is decided of; "" is
// both abilities.
func Missing(all []Subtask, ability string) int {
	if ability == "" {
		return Missing(all, eval.Perception) + Missing(all, eval.Cognition)
	}
	n := eval.MMESubtasks(ability)
	for i := range all {
		if all[i].Ability == ability && !all[i].Idle() {
			n--
		}
	}
	return max(n, 0)
}
