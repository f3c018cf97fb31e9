package curation

import (
	"iter"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
)

// ID numbers the inspections of a project, from 1.
type ID uint64

// Inspection is a pool of samples as models answered it without the picture,
// and as others answered with it what was left. It is made once and never
// changed: curation works on the candidates of one, whatever is run later.
type Inspection struct {
	ID       ID
	Name     string // unique in the project
	Dataset  eval.DatasetName
	Settings Settings

	Inspectors []Inspector // without the picture
	Graders    []Inspector // with it; none: nothing is graded
	Marks      []Mark      // of the whole pool, by sample

	By      annotate.Annotator
	Created time.Time
}

// Inspector is a run that inspected, and who read its answers.
type Inspector struct {
	Run   eval.RunID
	Model string
	Rules string // name@version
	Judge string // "": the rules alone
}

// Mark is how many of the runs answer a sample right, of those that have
// decided it at all.
type Mark struct {
	Sample  eval.Ordinal
	Blind   stat.Count // inspectors
	Sighted stat.Count // graders
}

// Finding is what follows for a sample from its mark.
type Finding struct {
	Mark
	Fate       Fate
	Abnormal   bool // an abnormal hit
	Majority   bool // more than half of the inspectors answer right
	Difficulty Difficulty
}

// Candidate reports whether experts are to review the sample.
func (f *Finding) Candidate() bool { return f.Fate == Kept }

// Find derives what follows from a mark. Nothing does for a sample that an
// inspector has not decided; one that a grader has not decided is Ungraded.
func (i *Inspection) Find(m Mark) Finding {
	f, s, n := Finding{Mark: m}, &i.Settings, len(i.Inspectors)
	if n == 0 || m.Blind.N < n {
		f.Fate = Incomplete
		return f
	}
	f.Abnormal = s.Abnormal.compare(m.Blind.K, n) >= 0
	f.Majority = 2*m.Blind.K > n
	if s.Keep.compare(m.Blind.K, n) > 0 {
		f.Fate = Answerable
		return f
	}
	f.Fate = Kept
	f.Difficulty = i.grade(m.Sighted)
	if f.Difficulty != Ungraded && !s.Doubtful.IsZero() && s.Doubtful.compare(m.Sighted.K, len(i.Graders)) <= 0 {
		f.Fate = Doubtful
	}
	return f
}

func (i *Inspection) grade(c stat.Count) Difficulty {
	n := len(i.Graders)
	switch s := &i.Settings; {
	case n == 0 || c.N < n:
		return Ungraded
	case s.Easy.compare(c.K, n) >= 0:
		return Easy
	case s.Moderate.compare(c.K, n) >= 0:
		return Moderate
	case s.Hard.compare(c.K, n) >= 0:
		return Hard
	}
	return Tough
}

// Findings derives what follows for every sample of the pool, in its order.
func (i *Inspection) Findings() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		for _, m := range i.Marks {
			if !yield(i.Find(m)) {
				return
			}
		}
	}
}

// Candidates are the samples that experts are to review, in the pool's order.
func (i *Inspection) Candidates() []Finding {
	var out []Finding
	for f := range i.Findings() {
		if f.Candidate() {
			out = append(out, f)
		}
	}
	return out
}
