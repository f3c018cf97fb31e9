package extract

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

// Default is the name of the rule set that is used unless another is asked
// for.
const Default = "concord"

// Rules returns the rule set of that name for samples of a kind. The error
// of an unknown name lists the known ones.
func Rules(name string, kind eval.Kind) (eval.Reader, error) {
	sets, err := ruleSets(kind)
	if err != nil {
		return nil, err
	}
	for _, r := range sets {
		if r.Name() == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown rules %q for kind %s: want one of %s",
		name, kind, strings.Join(Names(kind), ", "))
}

// Names lists the rule sets for samples of a kind, the default first. Kinds
// that are not read by rules have none.
func Names(kind eval.Kind) []string {
	sets, err := ruleSets(kind)
	if err != nil {
		return nil
	}
	names := make([]string, len(sets))
	for i, r := range sets {
		names[i] = r.Name()
	}
	return slices.Clip(names)
}

func ruleSets(kind eval.Kind) ([]eval.Reader, error) {
	switch kind {
	case eval.KindChoice:
		return []eval.Reader{
			concord{},
			kit{name: "vlmevalkit-2026", lastFour: true, phrase: true, limit: true},
			kit{name: "vlmevalkit-2024"},
			mmbench{},
			mmstar{},
		}, nil
	case eval.KindYesNo:
		return []eval.Reader{concordYesNo{}, kitYesNo{}, mmeYesNo{}}, nil
	case eval.KindUnset, eval.KindOpen:
	}
	return nil, fmt.Errorf("find rules: kind %q is not read by rules", kind)
}

// found is the extraction of a choice by a named rule.
func found(c eval.Choice, method string) eval.Extraction {
	return eval.Extraction{Choice: c, Status: eval.Found, Method: method}
}

// without is the extraction of no choice, with the reason as a status.
func without(s eval.Status, method string) eval.Extraction {
	return eval.Extraction{Status: s, Method: method}
}
