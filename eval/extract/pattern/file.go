package pattern

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"concord/eval"
	"concord/eval/extract/reading"
)

// MaxBytes is the largest file of rules that is to be read.
const MaxBytes = 1 << 20

// Rules are the rules of a file, ready to read by.
type Rules struct {
	kind    eval.Kind
	version string
	rulesFile
}

type rulesFile struct {
	Kind     string        `toml:"kind"`     // choice or yesno; "": choice
	Prepare  []string      `toml:"prepare"`  // steps before anything is read, by their names
	Replace  []replace     `toml:"replace"`  // what only patterns read is prepared by these, too, in order
	Refusals []string      `toml:"refusals"` // phrases, in any case, by which a response refuses
	None     []string      `toml:"none"`     // phrases by which it finds no option right
	Patterns []patternRule `toml:"pattern"`  // in the order in which they are tried
	Content  string        `toml:"content"`  // what is read of the options' texts, where no pattern decides; "": nothing
}

type replace struct {
	Match string `toml:"match"`
	With  string `toml:"with"`
	re    *regexp.Regexp
}

// patternRule is one pattern. Its group choice names an option by letter or text, in any
// case; or each match stands for the option that Choice names.
type patternRule struct {
	Name    string `toml:"name"` // the method of what it reads
	Match   string `toml:"match"`
	Choice  string `toml:"choice"`
	Several string `toml:"several"` // what follows where matches name several options; "": ambiguous
	re      *regexp.Regexp
	group   int // of choice; -1: there is none
}

// The words of a file.
var (
	steps        = map[string]func(string) string{"trim": strings.TrimSpace, "lower": strings.ToLower, "spaces": collapseSpaces, "markdown": marks.Replace}
	severals     = []string{"", "ambiguous", "first", "last", "next"}
	contentWords = []string{"", "whole", "inside"}
)

func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

var marks = strings.NewReplacer("**", "", "__", "", "`", "", "$", "", `\boxed`, "")

// ParseRules reads a file of rules. Its error names the line, or the pattern and what is wrong with it.
func ParseRules(data []byte) (*Rules, error) {
	sum := sha256.Sum256(data)
	r := &Rules{kind: eval.KindChoice, version: hex.EncodeToString(sum[:6])}
	if err := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff")))).DisallowUnknownFields().Decode(&r.rulesFile); err != nil {
		return nil, explainDecodeError(err)
	}
	if r.Kind != "" {
		var err error
		if r.kind, err = eval.ParseKind(r.Kind); err != nil {
			return nil, err
		}
	}
	if r.kind != eval.KindChoice && r.kind != eval.KindYesNo {
		return nil, fmt.Errorf("kind: rules read choice and yesno, not %s", r.kind)
	}
	return r, r.compileRules()
}

// explainDecodeError explains an error of the decoder with the line that is to blame.
func explainDecodeError(err error) error {
	if unknown := (*toml.StrictMissingError)(nil); errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		e := &unknown.Errors[0]
		line, _ := e.Position()
		return fmt.Errorf("line %d: unknown key %s", line, strings.Join(e.Key(), "."))
	}
	if e := (*toml.DecodeError)(nil); errors.As(err, &e) {
		line, _ := e.Position()
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

func (r *Rules) compileRules() error {
	for _, p := range r.Prepare {
		if steps[p] == nil {
			return fmt.Errorf("prepare: unknown step %q: want lower, markdown, spaces or trim", p)
		}
	}
	for i := range r.Replace {
		re, err := regexp.Compile(r.Replace[i].Match)
		if err != nil {
			return fmt.Errorf("replacement %d: %w", i+1, err)
		}
		r.Replace[i].re = re
	}
	if !slices.Contains(contentWords, r.Content) {
		return fmt.Errorf("content: unknown word %q: want whole or inside", r.Content)
	}
	if len(r.Patterns) == 0 && r.Content == "" {
		return errors.New("the file reads nothing: give at least one [[pattern]], or content")
	}
	for _, phrases := range []*[]string{&r.Refusals, &r.None} {
		for i, p := range *phrases {
			if (*phrases)[i] = strings.ToLower(p); strings.TrimSpace(p) == "" {
				return errors.New("a phrase is empty: it would stand in every response")
			}
		}
	}
	for i := range r.Patterns {
		p := &r.Patterns[i]
		p.Name = cmp.Or(p.Name, fmt.Sprintf("pattern-%d", i+1))
		if err := p.compilePattern(); err != nil {
			return fmt.Errorf("pattern %d (%s): %w", i+1, p.Name, err)
		}
	}
	return nil
}

func (p *patternRule) compilePattern() (err error) {
	if p.re, err = regexp.Compile(p.Match); err != nil {
		return err
	}
	p.group = p.re.SubexpIndex("choice")
	switch {
	case p.Match == "":
		return errors.New("match is missing")
	case p.group < 0 && p.Choice == "":
		return errors.New("want a group (?P<choice>...), or the key choice")
	case p.group >= 0 && p.Choice != "":
		return errors.New("want a group or the key choice, not both")
	case !slices.Contains(severals, p.Several):
		return fmt.Errorf("several: unknown word %q: want ambiguous, first, last or next", p.Several)
	}
	return nil
}

// SampleKind is the kind of samples whose responses the rules read.
func (r *Rules) SampleKind() eval.Kind { return r.kind }

// Version is the hash of the file, in 12 hexadecimal digits.
func (r *Rules) Version() string { return r.version }

var yesNo = []eval.Option{{Letter: eval.Yes, Text: "yes"}, {Letter: eval.No, Text: "no"}}

// Read reads a response. What a program wrote in a model's place is missing, as in every rule set; then
// come the phrases, the patterns and the options' texts, and the first of them that says something decides.
func (r *Rules) Read(options []eval.Option, text string) eval.Extraction {
	if e, failed := reading.ReadErrorMessage(text); failed {
		return reading.NewNotFound(e.Status, e.Method)
	}
	if r.kind == eval.KindYesNo {
		options = yesNo
	}
	for _, p := range r.Prepare {
		text = steps[p](text)
	}
	low := strings.ToLower(text)
	if reading.IndexOfFirst(low, r.Refusals) >= 0 {
		return reading.NewNotFound(eval.Refused, "refusal")
	}
	if reading.IndexOfFirst(low, r.None) >= 0 {
		return reading.NewNotFound(eval.None, "none")
	}
	for i := range r.Replace {
		text = r.Replace[i].re.ReplaceAllString(text, r.Replace[i].With)
	}
	for i := range r.Patterns {
		if e := r.Patterns[i].readByPattern(options, text); e.Status != eval.StatusUnset {
			return e
		}
	}
	return r.readByOptionTexts(options, low)
}

// readByPattern gives what a pattern makes of a response; unset where the next one is to try.
func (p *patternRule) readByPattern(options []eval.Option, text string) eval.Extraction {
	var named []eval.Choice
	for _, m := range p.re.FindAllStringSubmatch(text, -1) {
		word := p.Choice
		if p.group >= 0 {
			word = m[p.group]
		}
		if c := findNamedOption(options, word); c != "" && !slices.Contains(named, c) {
			named = append(named, c)
		} else if c != "" && p.Several == "last" { // it was named again, and later
			named = append(slices.DeleteFunc(named, func(o eval.Choice) bool { return o == c }), c)
		}
	}
	switch {
	case len(named) == 0 || len(named) > 1 && p.Several == "next":
		return eval.Extraction{}
	case len(named) == 1 || p.Several == "first":
		return reading.NewFound(named[0], p.Name)
	case p.Several == "last":
		return reading.NewFound(named[len(named)-1], p.Name)
	}
	return reading.NewNotFound(eval.Ambiguous, p.Name)
}

// findNamedOption finds the option that a word names, by its letter or its text; "": none.
func findNamedOption(options []eval.Option, word string) eval.Choice {
	word = strings.TrimSpace(word)
	for _, by := range []func(eval.Option) string{func(o eval.Option) string { return string(o.Letter) }, func(o eval.Option) string { return o.Text }} {
		for _, o := range options {
			if word != "" && strings.EqualFold(strings.TrimSpace(by(o)), word) {
				return o.Letter
			}
		}
	}
	return ""
}

// readByOptionTexts reads the options' texts: the whole response is one, or one alone stands inside it.
func (r *Rules) readByOptionTexts(options []eval.Option, low string) eval.Extraction {
	var named []eval.Choice
	for _, o := range options {
		t := strings.ToLower(o.Text)
		if t != "" && (r.Content == "whole" && strings.Trim(low, " \t\r\n.") == strings.Trim(t, " .") || r.Content == "inside" && strings.Contains(low, t)) {
			named = append(named, o.Letter)
		}
	}
	if len(named) == 1 {
		return reading.NewFound(named[0], "content")
	}
	return reading.NewNotFound(eval.Missing, "nothing-matched")
}
