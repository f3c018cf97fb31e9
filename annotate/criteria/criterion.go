package criteria

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Type is what a criterion demands of an answer (MLLM-Bench, Table 2). The
// zero value is unset: released files do not name the types of theirs.
type Type uint8

// The types of criteria.
const (
	TypeUnset      Type = iota
	ExactReference      // a precise answer
	SoftReference       // what must be identified or conveyed
	Range               // how far an answer may vary
	Guideline           // how to weigh an interpretation
)

var typeNames = []string{"", "exact_reference", "soft_reference", "range", "evaluation_guideline"}

// Types lists the types in their order.
func Types() []Type { return []Type{ExactReference, SoftReference, Range, Guideline} }

// String returns the name that files use.
func (t Type) String() string { return name(typeNames, int(t)) }

// ParseType reads what String writes, also with spaces or hyphens, in any
// case; an empty name is TypeUnset.
func ParseType(s string) (Type, error) {
	s = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
	if s == "" {
		return TypeUnset, nil
	}
	i, err := parse(typeNames, s, "type of a criterion")
	return Type(i), err
}

// Criterion is one thing that a good answer must do.
type Criterion struct {
	Type Type
	Text string
}

// The usual number of criteria of a sample; another number is a warning.
const (
	Fewest = 1
	Most   = 3
)

// Bounds of what one revision may hold: far above any use, and below what one
// transaction can take.
const (
	maxCriteria = 100
	maxText     = 1 << 20 // bytes, all criteria of a revision together
)

// valid refuses criteria that cannot be kept. None at all can: the warnings
// say so.
func valid(cs []Criterion) error {
	if len(cs) > maxCriteria {
		return fmt.Errorf("%d criteria are more than the limit of %d", len(cs), maxCriteria)
	}
	size := 0
	for i, c := range cs {
		size += len(c.Text)
		switch {
		case strings.TrimSpace(c.Text) == "":
			return fmt.Errorf("criterion %d has no text", i+1)
		case !utf8.ValidString(c.Text):
			return fmt.Errorf("criterion %d is not valid UTF-8", i+1)
		case int(c.Type) >= len(typeNames):
			return fmt.Errorf("criterion %d is of an unknown type", i+1)
		}
	}
	if size > maxText {
		return errors.New("the criteria are longer than the limit of 1 MB")
	}
	return nil
}

// Warning is something about a sample's criteria that a curator should see,
// and that stops nothing. The zero value is unset.
type Warning uint8

// The warnings.
const (
	WarningUnset  Warning = iota
	NoCriteria            // there is a revision, and it is empty
	ManyCriteria          // more than Most
	UntypedText           // a criterion without a type
	NoType                // the question has no type
	NoPicture             // the sample has no picture whose bytes are here
	SmallPicture          // the short edge of a picture is under ShortEdge
	BrokenPicture         // a picture that cannot be read
)

var warningNames = []string{
	"", "no_criteria", "more_than_three", "criterion_without_type", "question_without_type",
	"no_picture", "short_edge", "unreadable_picture",
}

// Warnings lists the warnings in their order.
func Warnings() []Warning {
	return []Warning{NoCriteria, ManyCriteria, UntypedText, NoType, NoPicture, SmallPicture, BrokenPicture}
}

// String returns the name that reports use.
func (w Warning) String() string { return name(warningNames, int(w)) }

// Warn gives the warnings about criteria alone.
func Warn(cs []Criterion) []Warning {
	var out []Warning
	switch {
	case len(cs) < Fewest:
		out = append(out, NoCriteria)
	case len(cs) > Most:
		out = append(out, ManyCriteria)
	}
	if slices.ContainsFunc(cs, func(c Criterion) bool { return c.Type == TypeUnset }) {
		out = append(out, UntypedText)
	}
	return out
}

func name(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("invalid(%d)", i)
	}
	return names[i]
}

// parse finds the value with a name; the first, unset, has none.
func parse(names []string, s, what string) (int, error) {
	if i := slices.Index(names, s); i > 0 {
		return i, nil
	}
	return 0, fmt.Errorf("unknown %s %.40q: want one of %s", what, s, strings.Join(names[1:], ", "))
}
