package pattern

import (
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/extract/reading"
)

// SampleKind is the kind of samples whose responses the rules read.
func (r *Rules) SampleKind() eval.Kind { return r.kind }

// Version is the hash of the file, in 12 hexadecimal digits.
func (r *Rules) Version() string { return r.version }

var yesNo = []eval.Option{{Letter: eval.Yes, Text: "yes"}, {Letter: eval.No, Text: "no"}}

// Read reads a response. What a program wrote in a model's place is missing, as in
// every rule set; then come the phrases, the patterns and the options' texts, and
// the first of them that says something decides.
func (r *Rules) Read(options []eval.Option, text string) eval.Extraction {
	if e, failed := reading.ReadFailure(text); failed {
		return e.ToExtraction(options)
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
		if e := r.Patterns[i].applyRule(options, text); e.Status != eval.StatusUnset {
			return e
		}
	}
	return r.readContent(options, low)
}

// applyRule gives what a pattern makes of a response; unset where the next one is to try.
func (p *patternRule) applyRule(options []eval.Option, text string) eval.Extraction {
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

// readContent reads the options' texts: the whole response is one, or one alone stands
// inside it.
func (r *Rules) readContent(options []eval.Option, low string) eval.Extraction {
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
