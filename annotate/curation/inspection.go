package curation

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
)

// ID numbers the inspections of a project, from 1.
type ID uint64

// Inspection is a pool of samples as models answered it without the picture, and as others answered with it
// what was left. It never changes: curation works on the candidates of one, whatever is run later.
type Inspection struct {
	ID       ID
	Name     string // unique in the project
	Dataset  eval.DatasetName
	Settings Settings

	Probes  []Inspector // without the picture
	Graders []Inspector // with it; none: nothing is graded
	Marks   []HitMark   // of the whole pool, by sample

	By      annotate.Annotator
	Created time.Time
}

// Inspector is a run that inspected, and who read its answers.
type Inspector struct {
	Run   eval.RunID `json:"run"`
	Model string     `json:"model"`
	Rules string     `json:"rules"`           // name@version
	Judge string     `json:"judge,omitempty"` // "": the rules alone
}

// HitMark is how many of the runs answer a sample right, of those that have decided it at all.
type HitMark struct {
	Sample  eval.Ordinal
	Blind   stat.Count // inspectors
	Sighted stat.Count // graders
}

// Finding is what follows for a sample from its mark.
type Finding struct {
	HitMark
	Fate       SampleFate
	Abnormal   bool // an abnormal hit
	Majority   bool // more than half of the inspectors answer right
	Difficulty Difficulty
}

// IsCandidate reports whether experts are to review the sample.
func (f *Finding) IsCandidate() bool { return f.Fate == Kept }

// DeriveFinding derives what follows from a mark. Nothing does for a sample that an
// inspector has not decided; one that a grader has not decided is Ungraded.
func (i *Inspection) DeriveFinding(m HitMark) Finding {
	f, s, n := Finding{HitMark: m}, &i.Settings, len(i.Probes)
	if n == 0 || m.Blind.N < n {
		f.Fate = Incomplete
		return f
	}
	f.Abnormal = s.Abnormal.compareHits(m.Blind.K, n) >= 0
	f.Majority = 2*m.Blind.K > n
	if s.Keep.compareHits(m.Blind.K, n) > 0 {
		f.Fate = Answerable
		return f
	}
	f.Fate = Kept
	f.Difficulty = i.gradeDifficulty(m.Sighted)
	if f.Difficulty != Ungraded && !s.Doubtful.IsZero() && s.Doubtful.compareHits(m.Sighted.K, len(i.Graders)) <= 0 {
		f.Fate = Doubtful
	}
	return f
}

func (i *Inspection) gradeDifficulty(c stat.Count) Difficulty {
	n := len(i.Graders)
	switch s := &i.Settings; {
	case n == 0 || c.N < n:
		return Ungraded
	case s.Easy.compareHits(c.K, n) >= 0:
		return Easy
	case s.Moderate.compareHits(c.K, n) >= 0:
		return Moderate
	case s.Hard.compareHits(c.K, n) >= 0:
		return Hard
	}
	return Tough
}

// EachFinding derives what follows for every sample of the pool, in its order.
func (i *Inspection) EachFinding() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		for _, m := range i.Marks {
			if !yield(i.DeriveFinding(m)) {
				return
			}
		}
	}
}

// Candidates are the samples that experts are to review, in the pool's order.
func (i *Inspection) Candidates() []Finding {
	return eval.Select(slices.Collect(i.EachFinding()), func(f Finding) bool { return f.IsCandidate() })
}

// SampleFate is what becomes of a sample of the pool. The zero value is unset.
type SampleFate uint8

// The fates.
const (
	FateUnset  SampleFate = iota
	Kept                  // few inspectors answer it: a candidate
	Answerable            // dropped: too many inspectors answer it without the picture
	Doubtful              // dropped: too few graders answer it with the picture
	Incomplete            // an inspector has not decided it
)

// Fates is how many fates there are, for arrays indexed by Fate.
const Fates = int(Incomplete) + 1

var fateNames = [...]string{"", "kept", "answerable", "doubtful", "incomplete"}

// String returns the name that reports use.
func (f SampleFate) String() string { return eval.EnumName(fateNames[:], f) }

// Difficulty is how hard a sample is for models that see its picture. The zero
// value is Ungraded: not every grader has decided it.
type Difficulty uint8

// The levels of difficulty (MMStar, Sec. 4.1).
const (
	Ungraded Difficulty = iota
	Easy
	Moderate
	Hard
	Tough
)

// Difficulties is how many levels there are, for arrays indexed by Difficulty.
const Difficulties = int(Tough) + 1

var difficultyNames = [...]string{"", "easy", "moderate", "hard", "tough"}

// String returns the name that reports use; "" for Ungraded.
func (d Difficulty) String() string { return eval.EnumName(difficultyNames[:], d) }

// Settings are the thresholds by which samples are filtered and graded. They are written for some number of
// runs and hold for any other by their proportion, compared exactly. A threshold itself belongs to what is
// named before it: Keep keeps it, Abnormal finds it abnormal, each level of difficulty begins with it.
type Settings struct {
	Keep     Share // at most this share of the inspectors answers right: the sample is kept
	Abnormal Share // at least this share answers right: an abnormal hit
	Easy     Share // at least this share of the graders answers right
	Moderate Share
	Hard     Share // what is below is tough

	// Doubtful drops what at most this share of the graders answers right, as
	// probably wrong; the zero value drops nothing.
	Doubtful Share
}

// MMStarSettings is MMStar's choice, of 8 inspectors and 16 graders (Sec. 4.1).
func MMStarSettings() Settings {
	return Settings{Keep: Share{2, 8}, Abnormal: Share{6, 8}, Easy: Share{12, 16}, Moderate: Share{8, 16}, Hard: Share{4, 16}}
}

// Validate says what is wrong with settings.
func (s *Settings) Validate() error {
	for _, one := range []struct {
		name  string
		share Share
	}{{"keep", s.Keep}, {"abnormal", s.Abnormal}, {"easy", s.Easy}, {"moderate", s.Moderate}, {"hard", s.Hard}} {
		if !one.share.IsValid() {
			return fmt.Errorf("threshold %s is %s: want a share from none to all", one.name, one.share)
		}
	}
	switch {
	case !s.Doubtful.IsZero() && !s.Doubtful.IsValid():
		return fmt.Errorf("threshold doubtful is %s: want a share from none to all", s.Doubtful)
	case s.Abnormal.compareHits(s.Keep.K, s.Keep.Of) >= 0:
		return errors.New("what is an abnormal hit would be kept: want keep below abnormal")
	case s.Hard.compareHits(s.Moderate.K, s.Moderate.Of) <= 0 || s.Moderate.compareHits(s.Easy.K, s.Easy.Of) <= 0:
		return errors.New("levels of difficulty overlap: want easy above moderate above hard")
	}
	return nil
}

// Share is a threshold of how many of how many: 2 of 8. The zero value is no threshold.
type Share struct{ K, Of int }

// IsZero reports that there is no threshold.
func (s Share) IsZero() bool { return s == Share{} }

// IsValid reports a share between none and all.
func (s Share) IsValid() bool { return s.Of > 0 && s.K >= 0 && s.K <= s.Of }

// String writes it as ParseShare reads it.
func (s Share) String() string { return fmt.Sprintf("%d/%d", s.K, s.Of) }

// ParseShare reads "2/8".
func ParseShare(text string) (Share, error) {
	k, of, cut := strings.Cut(strings.TrimSpace(text), "/")
	a, errA := strconv.Atoi(k)
	b, errB := strconv.Atoi(of)
	s := Share{a, b}
	if !cut || errA != nil || errB != nil || !s.IsValid() {
		return Share{}, fmt.Errorf("read share %q: want one such as 2/8", text)
	}
	return s, nil
}

// compareHits sets hits of n against the share of n: below, at or above it. Both
// are compared as the fractions that they are, so that nothing is rounded when
// n is not the Of that the share is written with: 1 of 3 is above 2 of 8.
func (s Share) compareHits(hits, n int) int { return hits*s.Of - s.K*n }
