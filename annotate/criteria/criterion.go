package criteria

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"concord/eval"
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
func (t Type) String() string { return eval.NameOf(typeNames, t) }

// ParseType reads what String writes, also with spaces or hyphens, in any
// case; an empty name is TypeUnset.
func ParseType(s string) (Type, error) {
	s = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
	if s == "" {
		return TypeUnset, nil
	}
	return eval.ParseName[Type](typeNames, s, "type of a criterion")
}

// Criterion is one thing that a good answer must do.
type Criterion struct {
	Type Type
	Text string

	// Of rubrics by which responses are graded:
	ID       string   // its name within the sample; "": its number, from 1
	Class    string   // the type as its file names it, where it is none of Types
	Weighted bool     // Weight is given; else it is 1
	Weight   float64  // below zero for what an answer must not do
	Tags     []string // by which figures are split up
	Path     []string // of a leaf of a tree: the names of the nodes above it, the root first
}

// Points is the weight of the criterion.
func (c *Criterion) Points() float64 {
	if c.Weighted {
		return c.Weight
	}
	return 1
}

// Demands is the name of its type; "" for none.
func (c *Criterion) Demands() string {
	if c.Class != "" {
		return c.Class
	}
	return c.Type.String()
}

// Hash is the SHA-256 of its text, in hexadecimal: what a grade calls the
// criterion that its rater saw.
func (c *Criterion) Hash() string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(c.Text)))
	return hex.EncodeToString(sum[:])
}

// Equal reports whether two criteria say the same with the same weight.
func (c Criterion) Equal(o Criterion) bool {
	return c.Type == o.Type && c.Text == o.Text && c.ID == o.ID && c.Class == o.Class && c.Weighted == o.Weighted && c.Weight == o.Weight &&
		slices.Equal(c.Tags, o.Tags) && slices.Equal(c.Path, o.Path)
}

// EqualLists reports whether two lists are of the same criteria, in order.
func EqualLists(a, b []Criterion) bool { return slices.EqualFunc(a, b, Criterion.Equal) }

// Name is what grades call the criterion at an index of a list.
func Name(cs []Criterion, i int) string {
	if cs[i].ID != "" {
		return cs[i].ID
	}
	return strconv.Itoa(i + 1)
}

// The usual number of criteria of a sample; another number is a warning.
const (
	Fewest = 1
	Most   = 3
)

// Bounds of what one revision may hold: far above any use, and below what one
// transaction can take.
const (
	maxCriteria = 20_000
	maxText     = 8 << 20 // bytes, all criteria of a revision together
)

// valid refuses criteria that cannot be kept. None at all can: the warnings
// say so.
func valid(cs []Criterion) error {
	if len(cs) > maxCriteria {
		return fmt.Errorf("%d criteria are more than the limit of %d", len(cs), maxCriteria)
	}
	size := 0
	names := make(map[string]bool)
	for i, c := range cs {
		size += len(c.Text)
		for _, p := range slices.Concat(c.Path, c.Tags, []string{c.ID, c.Class}) {
			size += len(p)
		}
		name := Name(cs, i)
		again := names[name]
		names[name] = true
		switch {
		case again:
			return fmt.Errorf("two criteria are named %.60q", name)
		case math.IsNaN(c.Weight) || math.IsInf(c.Weight, 0):
			return fmt.Errorf("the weight of criterion %d is no number", i+1)
		case strings.TrimSpace(c.Text) == "":
			return fmt.Errorf("criterion %d has no text", i+1)
		case !utf8.ValidString(c.Text):
			return fmt.Errorf("criterion %d is not valid UTF-8", i+1)
		case int(c.Type) >= len(typeNames):
			return fmt.Errorf("criterion %d is of an unknown type", i+1)
		}
	}
	if size > maxText {
		return errors.New("the criteria are longer than the limit of 8 MB")
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
func (w Warning) String() string { return eval.NameOf(warningNames, w) }

// Warn gives the warnings about criteria alone.
func Warn(cs []Criterion) []Warning {
	var out []Warning
	switch {
	case len(cs) < Fewest:
		out = append(out, NoCriteria)
	case len(cs) > Most && !slices.ContainsFunc(cs, func(c Criterion) bool { return c.ID != "" || c.Weighted }):
		out = append(out, ManyCriteria)
	}
	if slices.ContainsFunc(cs, func(c Criterion) bool { return c.Type == TypeUnset && c.Class == "" }) {
		out = append(out, UntypedText)
	}
	return out
}
