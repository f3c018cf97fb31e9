package extract

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"

	"concord/eval"
	"concord/eval/extract/chars"
	"concord/eval/extract/published"
	"concord/eval/extract/reading"
)

// concordRules is the default rule set. It reads in this order; the first rule that can decide does:
//
//	letters   boxed, opening, stated, picked, lead   letter.go, strong
//	abstains  two of them, or another one as good    letter.go, rival.go
//	abstains  refused, none of them, undetermined    refusal.go
//	abstains  a letter that no option has is stated  letter.go, outside
//	content   the text is one option's               content.go, same
//	letters   mentioned alone ("option B", "(B)")    letter.go, weak
//	content   an option's text is stated, contained  content.go, says
//	letters   alone at the end of a short text       letter.go, weak
//
// Letters are found once (mark.go) and graded by what stands before them (cue.go, chinese.go), behind
// them (after.go, own.go) and between them (list.go); where a last line settles what they say, only its
// letter is (closing.go). What is as good as something else is an abstention: two letters, or a letter
// beside another option's text. Ways out that a benchmark offers as options are read as statuses
// (meta.go).
type concordRules struct{}

func (concordRules) Version() string { return "9" }

func (concordRules) Read(options []eval.Option, text string) (e eval.Extraction) {
	e.Choice, e.Status, e.Method = readChoice(options, text).ExtractionParts(options)
	return e
}

func readChoice(options []eval.Option, text string) reading.Reading {
	o := newChoices(options) // first, as the options and the text then come from memory at once
	text, finished := reading.CutModelThought(chars.FoldForRules(text))
	if !finished {
		return reading.NewAbstention(eval.Missing, "unfinished")
	}
	if i := o.matchLetterOnly(text); i >= 0 {
		return reading.NewChosen(i, "opening")
	}
	if chars.IsBlank(text) {
		return reading.NewAbstention(eval.Missing, "empty")
	}
	if r, ok := reading.ReadErrorMessage(text); ok {
		return r
	}
	return readMarkedAnswer(o, text)
}

// matchLetterOnly gives the option of a text that is its letter and nothing else, or -1:
// what a model that follows the instruction says, and so worth a short way.
func (o *choices) matchLetterOnly(text string) int {
	if n := len(text); n != 1 && (n != 2 || text[1] != '.') || chars.Kind[text[0]]&chars.Upper == 0 {
		return -1
	}
	return o.optionOfLetter(text[0])
}

func readMarkedAnswer(o choices, text string) reading.Reading {
	if text[0] == '{' && strings.Contains(text, `"answer": null`) {
		return reading.NewAbstention(eval.None, "null")
	}
	p := pages.Get().(*markedAnswer)
	defer p.returnToPool()
	p.answer = answerText{text, o}
	r, ok := p.readLabelledText()
	if !ok {
		r, ok = p.readClosingLine()
	}
	if !ok {
		p.findAndGradeMarks()
		r, ok = p.readStrongLetter()
	}
	if !ok {
		r, ok = p.readWeakLetter()
	}
	return eval.Either(ok, r, reading.NewAbstention(eval.Missing, "nothing"))
}

func (p *markedAnswer) findAndGradeMarks() {
	p.findMarks()
	for i := range p.n {
		p.answer.gradeByTextBefore(&p.marks[i])
		p.answer.gradeByTextAfter(&p.marks[i])
	}
	p.groupListedLetters()
}

// choices holds the options of a question, and what their letters are.
type choices struct {
	options  []eval.Option
	present  uint32 // the options' letters as bits from A
	distinct bool   // each option has a letter of its own from A to Z
}

func newChoices(options []eval.Option) choices {
	o := choices{options: options}
	for i := range options {
		if l := options[i].Letter; len(l) == 1 && l[0] >= 'A' && l[0] <= 'Z' {
			o.present |= 1 << (l[0] - 'A')
		}
	}
	o.distinct = bits.OnesCount32(o.present) == len(options)
	return o
}

func (o *choices) newChosenReading(i int, method string) reading.Reading {
	if l := o.options[i].Letter; len(l) == 1 && !o.distinct {
		i = reading.OptionByLetter(o.options, l[0])
	}
	return reading.NewChosen(i, method)
}

// optionOfLetter is the first option of that letter, or -1.
func (o *choices) optionOfLetter(letter byte) int {
	// Nearly always they are A, B, C and so on.
	if i := int(letter - 'A'); o.distinct && i < len(o.options) && o.options[i].Letter[0] == letter {
		return i
	}
	return reading.OptionByLetter(o.options, letter)
}

// optionText is the text of the first option of that letter, or empty.
func (o *choices) optionText(letter byte) string {
	if i := o.optionOfLetter(letter); i >= 0 {
		return o.options[i].Text
	}
	return ""
}

func (o *choices) chooseIfLettered(i int, method string) (reading.Reading, bool) {
	if o.options[i].Letter == "" {
		return reading.Reading{}, false
	}
	return o.newChosenReading(i, method), true
}

// lastSuchOption is the last option that is as asked, or -1, and whether others are, too.
func (o *choices) lastSuchOption(is func(i int) bool) (at int, several bool) {
	at = -1
	for i := range o.options {
		if is(i) {
			at, several = i, at >= 0
		}
	}
	return at, several
}

// chooseDecliningOption chooses the option whose text says what the model says when it
// chooses nothing, or the status e without one.
func (o *choices) chooseDecliningOption(e reading.Reading) reading.Reading {
	at, several := o.lastSuchOption(func(i int) bool {
		d, ok := reading.ReadRefusal(foldOptionText(o.options[i].Text))
		return ok && d == e
	})
	if several || at < 0 || o.options[at].Letter == "" {
		return e
	}
	return o.newChosenReading(at, "content-declining")
}

// Default is the name of the rule set that is used unless another is asked for.
const Default = "concord"

// Set is the rules of one name, for every kind of sample that they read.
type Set struct {
	name          string
	choice, yesNo rules // nil: the kind is not read
	version       string
}

// rules read the answers to samples of one kind.
type rules interface {
	// version changes whenever the same text may be read otherwise. It has no dot. Rules that come to
	// an old set start with another one than the set's.
	Version() string
	Read(options []eval.Option, text string) eval.Extraction
}

// builtInSets are the rule sets of the program, the default first.
func builtInSets() []Set {
	return []Set{
		{name: Default, choice: concordRules{}, yesNo: concordYesNoRules{}},
		{name: "vlmevalkit-2026", choice: published.Kit{LastFour: true, Phrase: true, Limit: true}},
		{name: "vlmevalkit-2024", choice: published.Kit{}},
		{name: "mmbench", choice: published.MMBench{}},
		{name: "mmstar", choice: published.MMStar{}},
		{name: "vlmevalkit", yesNo: published.KitYesNo{}},
		{name: "mme", yesNo: published.MMEYesNo{}},
	}
}

// BuiltInSet returns the rule set of the program that has that name.
func BuiltInSet(name string) (Set, error) { return findSet(builtInSets(), name, "") }

// FindRules returns the rule set of that name. The error of an unknown name lists the known ones.
func FindRules(name string) (Set, error) { return findSet(AllSets(), name, "") }

func findSet(all []Set, name, of string) (Set, error) {
	if s, ok := eval.FirstWanted(all, func(s Set) bool { return s.name == name }); ok {
		s.version = s.Version() // asked of each prediction
		return s, nil
	}
	return Set{}, fmt.Errorf("unknown rules %q%s: want one of %s", name, of, strings.Join(setNames(all), ", "))
}

// FindRulesFor returns the rule set of that name, which must read samples of the
// kind. The error of any other name lists those that do.
func FindRulesFor(name string, kind eval.Kind) (Set, error) {
	of := setsForKind(kind)
	if len(of) == 0 {
		return Set{}, fmt.Errorf("find rules: kind %q is not read by rules", kind)
	}
	return findSet(of, name, fmt.Sprintf(" for kind %s", kind))
}

// RuleNamesFor lists the rule sets for samples of a kind, the default first. Kinds
// that are not read by rules have none.
func RuleNamesFor(kind eval.Kind) []string { return setNames(setsForKind(kind)) }

func setsForKind(kind eval.Kind) []Set {
	return slices.DeleteFunc(AllSets(), func(s Set) bool { return !s.ReadsKind(kind) })
}

func setNames(of []Set) []string { return eval.Map(of, func(s Set) string { return s.name }) }

// Name is the name by which Rules finds the set.
func (s Set) Name() string { return s.name }

// Version covers the rules for every kind: their version where it is one, else that of the choice rules
// and that of the yes/no rules with a dot between them.
func (s Set) Version() string {
	switch {
	case s.version != "":
		return s.version
	case s.choice == nil && s.yesNo == nil:
		return ""
	case s.choice == nil:
		return s.yesNo.Version()
	case s.yesNo == nil || s.yesNo.Version() == s.choice.Version():
		return s.choice.Version()
	}
	return s.choice.Version() + "." + s.yesNo.Version()
}

// IsVolatile reports whether the rules are, as eval.IsVolatile has it.
func (s Set) IsVolatile() bool {
	r, ok := s.choice.(interface{ IsVolatile() bool })
	return ok && r.IsVolatile()
}

// ReadsKind reports whether the set has rules for samples of a kind.
func (s Set) ReadsKind(kind eval.Kind) bool { return s.rulesFor(kind) != nil }

// Read reads an answer by the rules for its kind. Without such rules it is
// not read: the extraction is the zero one.
func (s Set) Read(kind eval.Kind, options []eval.Option, text string) eval.Extraction {
	if r := s.rulesFor(kind); r != nil {
		return r.Read(options, text)
	}
	return eval.Extraction{}
}

func (s *Set) rulesFor(kind eval.Kind) rules {
	switch kind {
	case eval.KindChoice:
		return s.choice
	case eval.KindYesNo:
		return s.yesNo
	case eval.KindUnset, eval.KindOpen: // an open answer is judged, not read
	}
	return nil
}

// own are the rule sets that came from outside the program. They are known to the
// whole process, as the built-in ones are: flags, runs and queues name them.
var own atomic.Pointer[[]Set]

// NewSet gives a rule set of somebody's own, for samples of the kinds.
func NewSet(name string, r rules, kinds ...eval.Kind) Set {
	s := Set{name: name}
	if slices.Contains(kinds, eval.KindChoice) {
		s.choice = r
	}
	if slices.Contains(kinds, eval.KindYesNo) {
		s.yesNo = r
	}
	return s
}

// SetOwnRuleSets makes rule sets known beside the built-in ones, in place of those that were
// made known before. Each has a name of its own.
func SetOwnRuleSets(sets []Set) { own.Store(&sets) }

// AllSets are all rule sets, the default first, those from outside last.
func AllSets() []Set {
	all := builtInSets()
	if more := own.Load(); more != nil {
		all = append(all, *more...)
	}
	return all
}
