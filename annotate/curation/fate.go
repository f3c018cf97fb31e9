package curation

import "concord/eval"

// Fate is what becomes of a sample of the pool. The zero value is unset.
type Fate uint8

// The fates.
const (
	FateUnset  Fate = iota
	Kept            // few inspectors answer it: a candidate
	Answerable      // dropped: too many inspectors answer it without the picture
	Doubtful        // dropped: too few graders answer it with the picture
	Incomplete      // an inspector has not decided it
)

// Fates is how many fates there are, for arrays indexed by Fate.
const Fates = int(Incomplete) + 1

var fateNames = [...]string{"", "kept", "answerable", "doubtful", "incomplete"}

// String returns the name that reports use.
func (f Fate) String() string { return eval.NameOf(fateNames[:], f) }

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
func (d Difficulty) String() string { return eval.NameOf(difficultyNames[:], d) }
