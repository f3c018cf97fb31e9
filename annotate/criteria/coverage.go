package criteria

import (
	"maps"
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
)

// Quota is how many samples a group of the taxonomy is to have: the group at
// Path or, without one, each group Level levels deep.
type Quota struct {
	Path  []string
	Level int // from 1; annotate.FinestLevel: the whole path
	N     int
}

// Group is where the samples of a taxonomy's group stand. Samples and States leave discarded ones out.
type Group struct {
	Path      []string // from coarse to fine; empty: all
	Samples   int
	States    [States]int
	Discarded int
	Replaced  int // of Discarded: another sample stands in
	Wanted    int // the quota; 0: none
}

// CountReviewed counts how many passed the review.
func (g *Group) CountReviewed() int { return g.States[Approved] + g.States[Checked] }

// CountMissing counts how many samples the quota lacks.
func (g *Group) CountMissing() int { return max(0, g.Wanted-g.Samples) }

// CoverageRate is the share of the quota that passed the review; without a quota, of the samples.
func (g *Group) CoverageRate() stat.Rate {
	n := eval.Either(g.Wanted > 0, g.Wanted, g.Samples)
	if n == 0 {
		return stat.UndefinedRate("no samples")
	}
	return stat.NewRate(min(g.CountReviewed(), n), n)
}

// Round is what came of one round of review (MLLM-Bench, Fig. 1).
type Round struct {
	Number    int // from 1
	Samples   int // whose criteria went into it
	Requested int // of Samples: changes were asked for
	Accepted  int
	Revised   int // of Samples: the criteria were changed on it
}

// Work is what one person did.
type Work struct {
	Who       annotate.Annotator `json:"annotator"`
	Samples   int                `json:"written" opens:"written:"` // with a revision of theirs
	Revisions int                `json:"revisions" opens:"written:"`
	Reviewed  int                `json:"reviewed" opens:"reviewed:"` // samples that they accepted or asked changes for
	Verified  int                `json:"verified" opens:"verified:"`
	Assigned  int                `json:"assigned" opens:"assigned:"` // samples that are with them, and not discarded
	Discarded int                `json:"discarded" opens:"discarded:"`
}

// Coverage counts over the samples of a dataset. The zero value counts nothing
// yet; add every sample once, also those that nobody has acted on.
type Coverage struct {
	tree     GroupTree[Group]
	rounds   map[int]*Round
	people   map[annotate.Annotator]*Work
	Warnings [256]int // samples by Warning
	Points   map[ChecklistItem]Answers
}

// Answers is how reviewers answered a point of the checklist.
type Answers struct{ Passed, Failed int }

func (v *Coverage) findGroup(path []string) *Group {
	return v.tree.FindOrAdd(path, func(path []string) Group { return Group{Path: path} })
}

// AddSample counts a sample; more are the warnings about its pictures.
func (v *Coverage) AddSample(s *eval.Sample, set *Set, more ...Warning) {
	for n := range len(s.Taxonomy) + 1 {
		g := v.findGroup(s.Taxonomy[:n])
		switch {
		case set.Removed == nil:
			g.Samples++
			g.States[set.State]++
		case set.Removed.By != "":
			g.Replaced++
			fallthrough
		default:
			g.Discarded++
		}
	}
	v.countWork(set)
	v.countRounds(set)
	if set.Removed != nil {
		return
	}
	for _, w := range append(set.Warnings(s), more...) {
		v.Warnings[w]++
	}
	for _, t := range set.Ticks {
		p := v.Points[t.Item]
		if t.OK {
			p.Passed++
		} else {
			p.Failed++
		}
		eval.EnsureMap(&v.Points)[t.Item] = p
	}
}

func (v *Coverage) findPerson(who annotate.Annotator) *Work {
	return eval.GetOrAdd(eval.EnsureMap(&v.people), who, func() *Work { return &Work{Who: who} })
}

func (v *Coverage) countWork(set *Set) {
	for _, who := range set.authors {
		v.findPerson(who).Samples++
	}
	for i := range set.Revisions {
		v.findPerson(set.Revisions[i].Who).Revisions++
	}
	if set.Removed != nil {
		v.findPerson(set.Removed.Who).Discarded++
	} else if set.Assignee != "" {
		v.findPerson(set.Assignee).Assigned++
	}
	counted := make(map[*int]bool) // a person's sample is one, however often they did it
	count := func(n *int) {
		if !counted[n] {
			counted[n] = true
			*n++
		}
	}
	for i := range set.History.Acts {
		switch a := &set.History.Acts[i]; {
		case !set.History.IsStanding(a.N):
		case a.Kind == Accepted || a.Kind == RequestedChanges:
			count(&v.findPerson(a.Who).Reviewed)
		case a.Kind == Verified:
			count(&v.findPerson(a.Who).Verified)
		}
	}
}

func (v *Coverage) countRounds(set *Set) {
	at := func(n int) *Round {
		return eval.GetOrAdd(eval.EnsureMap(&v.rounds), n, func() *Round { return &Round{Number: n} })
	}
	for n := 1; n <= set.Round; n++ {
		at(n).Samples++
	}
	type seen struct {
		round int
		kind  Kind
	}
	done := make(map[seen]bool)
	for i := range set.History.Acts {
		a := &set.History.Acts[i]
		if a.Round < 1 || a.Round > set.Round || !set.History.IsStanding(a.N) || done[seen{a.Round, a.Kind}] {
			continue
		}
		done[seen{a.Round, a.Kind}] = true
		switch a.Kind {
		case RequestedChanges:
			at(a.Round).Requested++
		case Accepted:
			at(a.Round).Accepted++
		case Revised:
			at(a.Round).Revised++
		default:
		}
	}
}

// ListGroups gives all groups of the taxonomy with their quotas, each before those below it, siblings in
// the order of the dataset; the first is the whole. A group that has a quota and no sample is among them.
func (v *Coverage) ListGroups(quotas []Quota) []Group {
	v.findGroup(nil)
	for _, g := range v.tree.groups {
		g.Wanted = 0
	}
	for _, q := range quotas {
		if len(q.Path) > 0 {
			for n := range len(q.Path) + 1 {
				v.findGroup(q.Path[:n])
			}
			v.findGroup(q.Path).Wanted = q.N
			continue
		}
		for _, g := range v.tree.groups {
			leaf := q.Level == annotate.FinestLevel && !v.hasSubgroups(g)
			if len(g.Path) > 0 && (len(g.Path) == q.Level || leaf) {
				g.Wanted = q.N
			}
		}
	}
	return v.tree.List(func(g *Group) []string { return g.Path })
}

// hasSubgroups reports whether a group has others below it.
func (v *Coverage) hasSubgroups(g *Group) bool {
	for _, o := range v.tree.groups {
		if len(o.Path) > len(g.Path) && slices.Equal(o.Path[:len(g.Path)], g.Path) {
			return true
		}
	}
	return false
}

// Rounds gives the rounds of review, the first one first.
func (v *Coverage) Rounds() []Round {
	return eval.Map(slices.Sorted(maps.Keys(v.rounds)), func(n int) Round { return *v.rounds[n] })
}

// People gives what everybody did, by name.
func (v *Coverage) People() []Work {
	return eval.Map(slices.Sorted(maps.Keys(v.people)), func(who annotate.Annotator) Work { return *v.people[who] })
}
