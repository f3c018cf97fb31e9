package criteria

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"concord/annotate"
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

// AllTypes lists the types in their order.
func AllTypes() []Type { return []Type{ExactReference, SoftReference, Range, Guideline} }

// String returns the name that files use.
func (t Type) String() string { return eval.EnumName(typeNames, t) }

// ParseType reads what String writes, also with spaces or hyphens, in any case; an empty name is TypeUnset.
func ParseType(s string) (Type, error) {
	s = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
	if s == "" {
		return TypeUnset, nil
	}
	return eval.ParseEnum[Type](typeNames, s, "type of a criterion")
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
	Credit   *float64 // what it counts when it is met in part, of one; nil: Half, and people are not offered it
}

// Half is what a criterion that is met in part counts where it does not say.
const Half = 0.5

// PartialShare is what the criterion counts when it is met in part, of one.
func (c *Criterion) PartialShare() float64 {
	if c.Credit != nil {
		return *c.Credit
	}
	return Half
}

// ToRubric is criteria as people are shown them who grade responses by them.
func ToRubric(cs []Criterion) []annotate.Criterion {
	out := make([]annotate.Criterion, len(cs))
	for i := range cs {
		out[i] = annotate.Criterion{Name: CriterionName(cs, i), Hash: cs[i].HashText(), Text: cs[i].Text, Partial: cs[i].Credit != nil}
	}
	return out
}

// PointValue is the weight of the criterion.
func (c *Criterion) PointValue() float64 { return eval.Either(c.Weighted, c.Weight, 1) }

// TypeName is the name of its type; "" for none.
func (c *Criterion) TypeName() string { return cmp.Or(c.Class, c.Type.String()) }

// HashText gives its text's SHA-256, in hexadecimal: what a grade calls the criterion that its rater saw.
func (c *Criterion) HashText() string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(c.Text)))
	return hex.EncodeToString(sum[:])
}

// Equal reports whether two criteria say the same with the same weight.
func (c Criterion) Equal(o Criterion) bool {
	return c.Type == o.Type && c.Text == o.Text && c.ID == o.ID && c.Class == o.Class && c.Weighted == o.Weighted && c.Weight == o.Weight &&
		slices.Equal(c.Tags, o.Tags) && slices.Equal(c.Path, o.Path) && (c.Credit == nil) == (o.Credit == nil) && c.PartialShare() == o.PartialShare()
}

// EqualLists reports whether two lists are of the same criteria, in order.
func EqualLists(a, b []Criterion) bool { return slices.EqualFunc(a, b, Criterion.Equal) }

// CriterionName is what grades call the criterion at an index of a list.
func CriterionName(cs []Criterion, i int) string { return cmp.Or(cs[i].ID, strconv.Itoa(i+1)) }

// The usual number of criteria of a sample; another number is a warning.
const (
	Fewest = 1
	Most   = 3
)

// Bounds of what one revision may hold: far above any use, and below what one transaction can take.
const (
	maxCriteria = 20_000
	maxText     = 8 << 20 // bytes, all criteria of a revision together
)

// validateCriteria refuses criteria that cannot be kept. None at all can: the warnings say so.
func validateCriteria(cs []Criterion) error {
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
		name := CriterionName(cs, i)
		again := names[name]
		names[name] = true
		switch {
		case again:
			return fmt.Errorf("two criteria are named %.60q: give each a name of its own", name)
		case !(c.PartialShare() >= 0 && c.PartialShare() <= 1):
			return fmt.Errorf("criterion %d counts %v when it is met in part: that is a number from 0 to 1", i+1, c.PartialShare())
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

// AllWarnings lists the warnings in their order.
func AllWarnings() []Warning {
	return []Warning{NoCriteria, ManyCriteria, UntypedText, NoType, NoPicture, SmallPicture, BrokenPicture}
}

// String returns the name that reports use.
func (w Warning) String() string { return eval.EnumName(warningNames, w) }

// FindWarnings gives the warnings about criteria alone.
func FindWarnings(cs []Criterion) []Warning {
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

// Title is the type's name as people read it.
func (t Type) Title() string {
	return [...]string{"no type", "exact reference", "soft reference", "range", "evaluation guideline"}[min(int(t), len(typeNames)-1)]
}

// Demand is what a criterion of the type demands (after MLLM-Bench, Table 2).
func (t Type) Demand() string {
	return cmp.Or(map[Type]string{
		ExactReference: "names the precise answer: anything else is wrong",
		SoftReference:  "names what must be identified or conveyed, in whatever words",
		Range:          "says how far answers may differ and still be good",
		Guideline:      "tells how to weigh answers where several interpretations are sound",
	}[t], "choose one: it tells the judge how strictly to read")
}

// Example is a question about a picture with one good criterion for it.
type Example struct {
	Type                Type
	Picture             string // what it shows
	Question, Criterion string
}

// ExamplesOf are short examples of a type; a person writing sees them beside.
func ExamplesOf(t Type) []Example {
	return slices.DeleteFunc([]Example{
		{ExactReference, "a bus stop with a timetable", "When does the last bus leave on Sundays?", "The answer is 22:40. Another time is wrong, also that of weekdays (23:10)."},
		{ExactReference, "a chessboard", "How many white pawns are left?", "The answer is five."},
		{SoftReference, "a kitchen with smoke over a pan", "What should be done first?", "Notices the burning oil and says to cover the pan or turn off the heat; an answer that pours water on it is dangerous."},
		{SoftReference, "a street market at dusk", "Describe the scene.", "Mentions the stalls, the lamps being lit and the crowd; the order and the words are free."},
		{Range, "a jar of beans", "Estimate how many beans are in the jar.", "Between 300 and 500 is good; an answer outside is wrong, one without a number does not answer."},
		{Range, "an empty living room", "Suggest furniture for this room.", "Any three to six pieces that fit the size and the window side are good; more than the room holds is not."},
		{Guideline, "an abstract painting", "What might the painter have felt?", "No feeling is right by itself: prefer answers that ground theirs in colours and shapes of the image, over general words."},
		{Guideline, "a photograph of an umbrella in a desert", "Write a short story about it.", "Prefer stories that make the odd place of the umbrella matter; style and length are secondary."},
	}, func(e Example) bool { return e.Type != t })
}

// WritingAdvice is what a person who writes criteria should know.
func WritingAdvice() string {
	return `Say what a good answer to this question about this image must do: for a judge who sees the image, but does not know the right answer.

- One to three criteria, each with one demand. Two demands are two criteria.
- Write what is demanded, not how an answer should sound. Length and politeness earn nothing.
- Look at the image: what can be answered without it makes a bad sample. Discard it.
- Name what counts as a bad mistake, if there is one.
- Somebody else reviews what you wrote, and nobody reviews their own.`
}

// FormatText gives criteria as judges are shown them, and as MLLM-Bench's files hold
// them: one numbered line after the other, without the types.
func FormatText(cs []Criterion) string {
	var b strings.Builder
	for i, c := range cs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(i+1) + ". " + strings.TrimSpace(c.Text))
	}
	return b.String()
}

// HashCriteria gives the SHA-256 of Text, in hexadecimal: what a judgment calls the
// criteria that its judge saw (eval.Preference.Text). No criteria have none.
func HashCriteria(cs []Criterion) string {
	if len(cs) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(FormatText(cs)))
	return hex.EncodeToString(sum[:])
}

// ParseText reads numbered text, as "1. ..." or "1) ...". A criterion begins on a line with the next
// number and something behind it, so that lists and numbers within a criterion stay in it. A text that
// does not begin with 1 is one criterion. The types are left unset: the text does not say them.
func ParseText(text string) []Criterion {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return nil
	}
	first, _, _ := strings.Cut(text, "\n")
	if _, ok := cutItemNumber(first, 1); !ok {
		return []Criterion{{Text: text}}
	}
	var out []Criterion
	for line := range strings.Lines(text) {
		if rest, ok := cutItemNumber(line, len(out)+1); ok {
			out = append(out, Criterion{Text: rest})
		} else {
			out[len(out)-1].Text += line
		}
	}
	for i := range out {
		out[i].Text = strings.TrimSpace(out[i].Text)
	}
	return out
}

// cutItemNumber cuts the number n off a line; false when it does not begin with it, or nothing stands behind.
func cutItemNumber(line string, n int) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeft(line, " \t"), strconv.Itoa(n))
	if !ok || rest == "" || rest[0] != '.' && rest[0] != ')' || strings.TrimSpace(rest[1:]) == "" {
		return "", false
	}
	// "2.5 metres" continues what stands above it.
	if rest[1] >= '0' && rest[1] <= '9' {
		return "", false
	}
	return strings.TrimLeft(rest[1:], " \t"), true
}
