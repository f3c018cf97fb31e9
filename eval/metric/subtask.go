package metric

import (
	"cmp"
	"maps"
	"slices"

	"concord/eval"
	"concord/eval/stat"
)

// PictureCounts are the counts of questions about pictures of MME.
type PictureCounts struct {
	Accuracy  stat.Count // questions
	Plus      stat.Count // pictures, right in both of their questions
	Follows   stat.Count // answers that begin with yes or no (MME, Sec. 4)
	Yes       stat.Count // of the answers read, those that say yes
	AlwaysYes stat.Count // of the pictures with both answers read, those with yes twice
}

func (j *PictureCounts) allCounts() [5]*stat.Count {
	return [...]*stat.Count{&j.Accuracy, &j.Plus, &j.Follows, &j.Yes, &j.AlwaysYes}
}

// mergeTimes adds the counts of o so many times.
func (j *PictureCounts) mergeTimes(o *PictureCounts, times int) {
	for i, c := range o.allCounts() {
		j.allCounts()[i].Merge(stat.Count{K: times * c.K, N: times * c.N})
	}
}

// Subtask is the figures of one subtask of MME.
type Subtask struct {
	PictureCounts
	Name, Ability string
	Pictures      int // with two questions, decided or not
	Questions     int
	Undecided     int // questions that are in no rate
	Unpaired      int // questions whose picture has no other one, or is not known

	// pictures are how many pictures come to the same. Their questions are one
	// cluster: a model that is right about a picture may be right in both of its
	// questions, and one that always says yes is right in exactly one.
	pictures map[PictureCounts]int
}

// shares is what pictures of a subtask share.
type shares struct {
	of      *Subtask
	cluster uint64
}

// Subtasks lists the subtasks that there are questions of, perception first, by name.
func (m *MMECounts) Subtasks() []Subtask {
	byName := make(map[string]*Subtask)
	shared := make(map[shares]PictureCounts)
	put := func(s *Subtask, cluster uint64, c *PictureCounts) {
		if cluster == 0 {
			s.pictures[*c]++
			return
		}
		all := shared[shares{s, cluster}]
		all.mergeTimes(c, 1)
		shared[shares{s, cluster}] = all
	}
	for p, looks := range m.pictures {
		s := eval.GetOrAdd(byName, p.subtask, func() *Subtask {
			return &Subtask{Name: p.subtask, Ability: eval.MMEAbilityOf(p.subtask), pictures: make(map[PictureCounts]int)}
		})
		var c PictureCounts
		for some := range p.pairsOrSingles(looks) {
			s.countPictureQuestions(some, &c)
			if p.name == "" {
				put(s, some[0].cluster, &c)
				c = PictureCounts{}
			}
		}
		if p.name != "" {
			put(s, looks[0].cluster, &c)
		}
	}
	for at, c := range shared {
		at.of.pictures[c]++
	}
	for _, s := range byName {
		for c, n := range s.pictures {
			s.mergeTimes(&c, n)
		}
	}
	out := eval.Map(slices.Sorted(maps.Keys(byName)), func(name string) Subtask { return *byName[name] })
	slices.SortStableFunc(out, func(a, b Subtask) int { return cmp.Compare(b.Ability, a.Ability) })
	return out
}

// SubtaskRates are the shares of a subtask, with pictures as clusters.
type SubtaskRates struct {
	Accuracy  stat.Rate // of the questions, those that are right
	Plus      stat.Rate // of the pictures, those with both questions right
	Follows   stat.Rate // of the answers, those that begin with yes or no
	Yes       stat.Rate // of the answers read, those that say yes
	AlwaysYes stat.Rate // of the pictures, those about which both answers say yes
}

// Rates gives the shares of the subtask.
func (s *Subtask) Rates() SubtaskRates {
	var all [5]stat.Clusters
	for c, n := range s.pictures {
		for i, x := range c.allCounts() {
			all[i].AddClusters(float64(x.K), float64(x.N), x.N, n)
		}
	}
	return SubtaskRates{
		Accuracy: all[0].Rate("no question decided"), Plus: all[1].Rate(NoPairs), Follows: all[2].Rate("no answer"),
		Yes: all[3].Rate("no answer is read"), AlwaysYes: all[4].Rate("no image with two answers read"),
	}
}

// countPictureQuestions counts two questions about a picture, or one that has no other.
func (s *Subtask) countPictureQuestions(looks []PictureQuestion, c *PictureCounts) {
	s.Questions += len(looks)
	for i := range looks {
		s.countQuestion(&looks[i], c)
	}
	if len(looks) < 2 {
		s.Unpaired += len(looks)
		return
	}
	s.Pictures++
	a, b := &looks[0], &looks[1]
	if a.State.IsDecided() && b.State.IsDecided() {
		c.Plus.Add(a.State == Right && b.State == Right)
	}
	if a.Said != "" && b.Said != "" {
		c.AlwaysYes.Add(a.Said == eval.Yes && b.Said == eval.Yes)
	}
}

func (s *Subtask) countQuestion(l *PictureQuestion, c *PictureCounts) {
	if l.State.IsDecided() {
		c.Accuracy.Add(l.State == Right)
	} else {
		s.Undecided++
	}
	if l.Answered {
		c.Follows.Add(l.Follows)
	}
	if l.Said != "" {
		c.Yes.Add(l.Said == eval.Yes)
	}
}

// Merge adds the counts of another subtask, for figures over several.
func (s *Subtask) Merge(o *Subtask) {
	s.mergeTimes(&o.PictureCounts, 1)
	s.Pictures += o.Pictures
	s.Questions += o.Questions
	s.Undecided += o.Undecided
	s.Unpaired += o.Unpaired
	for c, n := range o.pictures {
		eval.EnsureMap(&s.pictures)[c] += n
	}
}

// NoPairs is why a subtask has no score.
const NoPairs = "no images with two questions"

// Score is 100 for accuracy and 100 for accuracy+ (MME, Sec. 2.2). The two
// rise and fall together: what each picture adds to their sum is one unit on the
// scale from 0 to 200 (linearised where some questions are not decided).
func (s *Subtask) Score() stat.Estimate {
	switch {
	case s.Accuracy.N == 0:
		return stat.NewUndefinedEstimate("no question decided")
	case s.Plus.N == 0:
		return stat.NewUndefinedEstimate(NoPairs)
	}
	share := func(c stat.Count) float64 { return float64(c.K) / float64(c.N) }
	off := func(c, all stat.Count) float64 { return (float64(c.K) - share(all)*float64(c.N)) / float64(all.N) }
	all := 0
	for _, n := range s.pictures {
		all += n
	}
	half := (share(s.Accuracy) + share(s.Plus)) / 2
	var units stat.Clusters
	for c, n := range s.pictures {
		y := half + float64(all)*(off(c.Accuracy, s.Accuracy)+off(c.Plus, s.Plus))/2
		units.AddClusters(y, 1, 1, n)
	}
	out := units.MeanOnScale(0, 200, "")
	out.N = s.Accuracy.N
	return out
}

// RandomScore is the expected score of answers at random: half the questions, and
// a quarter of the pictures.
func (s *Subtask) RandomScore() stat.Estimate {
	if s.Pictures == 0 {
		return stat.NewUndefinedEstimate(NoPairs)
	}
	return stat.NewExactEstimate(100*0.5+100*0.25, s.Questions)
}

// IsUndecided reports that none of its questions is decided, as where a model was asked others alone.
func (s *Subtask) IsUndecided() bool { return s.Accuracy.N == 0 }

// SumOverSubtasks gives the sum of a figure over the subtasks of an ability; "" is both. It is over those that a
// question is decided of, which Missing counts against the whole; where none is, it is undefined.
func SumOverSubtasks(all []Subtask, ability string, figure func(*Subtask) stat.Estimate) stat.Estimate {
	var parts, idle []stat.Estimate
	for i := range all {
		switch s := &all[i]; {
		case ability != "" && s.Ability != ability:
		case s.IsUndecided():
			idle = append(idle, figure(s))
		default:
			parts = append(parts, figure(s))
		}
	}
	if len(parts)+len(idle) == 0 {
		return stat.NewUndefinedEstimate("no subtask of " + cmp.Or(ability, "MME"))
	}
	return stat.SumEstimates(eval.Either(len(parts) > 0, parts, idle)...)
}

// CountUndecidedSubtasks counts how many subtasks of an ability no question is decided of; "" is both abilities.
func CountUndecidedSubtasks(all []Subtask, ability string) int {
	if ability == "" {
		return CountUndecidedSubtasks(all, eval.Perception) + CountUndecidedSubtasks(all, eval.Cognition)
	}
	decided := eval.Count(all, func(s Subtask) bool { return s.Ability == ability && !s.IsUndecided() })
	return max(eval.CountMMESubtasks(ability)-decided, 0)
}
