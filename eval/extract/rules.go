package extract

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/published"
)

// Default is the name of the rule set that is used unless another is asked
// for.
const Default = "concord"

// Set is the rules of one name, for every kind of sample that they read.
type Set struct {
	name          string
	choice, yesNo rules // nil: the kind is not read
}

var _ eval.Reader = Set{}

// rules read the answers to samples of one kind.
type rules interface {
	// version changes whenever the same text may be read otherwise. It has no
	// dot. Rules that come to an old set start with another one than the
	// set's.
	Version() string
	Read(options []eval.Option, text string) eval.Extraction
}

// sets are all rule sets, in the order in which Names lists them.
func sets() []Set {
	return []Set{
		{name: Default, choice: concord{}, yesNo: concordYesNo{}},
		{name: "vlmevalkit-2026", choice: published.Kit{LastFour: true, Phrase: true, Limit: true}},
		{name: "vlmevalkit-2024", choice: published.Kit{}},
		{name: "mmbench", choice: published.MMBench{}},
		{name: "mmstar", choice: published.MMStar{}},
		{name: "vlmevalkit", yesNo: published.KitYesNo{}},
		{name: "mme", yesNo: published.MMEYesNo{}},
	}
}

// Rules returns the rule set of that name. The error of an unknown name lists
// the known ones.
func Rules(name string) (Set, error) {
	all := sets()
	for _, s := range all {
		if s.name == name {
			return s, nil
		}
	}
	return Set{}, fmt.Errorf("unknown rules %q: want one of %s", name, listed(all))
}

// RulesFor returns the rule set of that name, which must read samples of the
// kind. The error of any other name lists those that do.
func RulesFor(name string, kind eval.Kind) (Set, error) {
	of := setsFor(kind)
	if len(of) == 0 {
		return Set{}, fmt.Errorf("find rules: kind %q is not read by rules", kind)
	}
	for _, s := range of {
		if s.name == name {
			return s, nil
		}
	}
	return Set{}, fmt.Errorf("unknown rules %q for kind %s: want one of %s", name, kind, listed(of))
}

// Names lists the rule sets for samples of a kind, the default first. Kinds
// that are not read by rules have none.
func Names(kind eval.Kind) []string { return namesOf(setsFor(kind)) }

func setsFor(kind eval.Kind) []Set {
	return slices.DeleteFunc(sets(), func(s Set) bool { return !s.Reads(kind) })
}

func namesOf(of []Set) []string {
	var names []string
	for _, s := range of {
		names = append(names, s.name)
	}
	return names
}

func listed(of []Set) string { return strings.Join(namesOf(of), ", ") }

// Name is the name by which Rules finds the set.
func (s Set) Name() string { return s.name }

// Version covers the rules for every kind: their version where it is one,
// else that of the choice rules and that of the yes/no rules with a dot
// between them.
func (s Set) Version() string {
	var of []string
	for _, r := range []rules{s.choice, s.yesNo} {
		if r != nil {
			of = append(of, r.Version())
		}
	}
	return strings.Join(slices.Compact(of), ".")
}

// Reads reports whether the set has rules for samples of a kind.
func (s Set) Reads(kind eval.Kind) bool { return s.rules(kind) != nil }

// Read reads an answer by the rules for its kind. Without such rules it is
// not read: the extraction is the zero one.
func (s Set) Read(kind eval.Kind, options []eval.Option, text string) eval.Extraction {
	r := s.rules(kind)
	if r == nil {
		return eval.Extraction{}
	}
	return r.Read(options, text)
}

func (s Set) rules(kind eval.Kind) rules {
	switch kind {
	case eval.KindChoice:
		return s.choice
	case eval.KindYesNo:
		return s.yesNo
	case eval.KindUnset, eval.KindOpen: // an open answer is judged, not read
	}
	return nil
}
