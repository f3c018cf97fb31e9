package dataset

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// options reads the options from their columns, from a list of them, or out
// of the question. An empty or absent cell is no option; letters may have
// gaps.
func (r *record) options(w *profile.Row) error {
	for i, column := range w.Head.Letters {
		if cell := w.Cell(column); len(bytes.TrimSpace(cell)) > 0 {
			r.add(i, r.clean(cell, "option"))
		}
	}
	list := bytes.TrimSpace(w.Cell(w.Head.OptionList))
	switch {
	case len(r.sample.Options) > 0 || len(list) == 0:
	case list[0] == '{':
		return r.optionObject(list)
	case list[0] == '[':
		texts, ok := fastio.ParseList(list)
		if !ok || len(texts) > 26 {
			return fmt.Errorf("options %.40q are no list of at most 26 texts", list)
		}
		lettered := ownLetters(texts)
		for i, t := range texts {
			if lettered {
				t = ownLetter.ReplaceAll(t, nil)
			}
			if len(bytes.TrimSpace(t)) > 0 {
				r.add(i, r.clean(t, "option"))
			}
		}
	default:
		if _, r.sample.Options = splitQuestion("\n"+r.clean(list, "options"), ""); len(r.sample.Options) == 0 {
			return fmt.Errorf("options %.40q are neither a list nor an object", list)
		}
	}
	if len(r.sample.Options) == 0 && w.Head.Letter < 0 && w.Head.OptionList < 0 {
		r.sample.Question, r.sample.Options = splitQuestion(r.sample.Question, strings.TrimSpace(w.Text(w.Head.Answer)))
	}
	return nil
}

func (r *record) add(letter int, text string) {
	r.sample.Options = append(r.sample.Options, eval.Option{Letter: eval.Choice(rune('A' + letter)), Text: text})
}

// optionObject reads {"A": "text", ...}, in the order of the letters.
func (r *record) optionObject(object []byte) error {
	values, err := fastio.ParseObject(object)
	if err != nil {
		return fmt.Errorf("options %.40q are no object: %w", object, err)
	}
	var texts [26][]byte
	for k, v := range values {
		if len(k) != 1 || k[0] < 'A' || k[0] > 'Z' {
			return fmt.Errorf("option %q has no letter from A to Z", k)
		}
		texts[k[0]-'A'] = fastio.Text(v)
	}
	for i, t := range texts {
		if len(bytes.TrimSpace(t)) > 0 {
			r.add(i, r.clean(t, "option"))
		}
	}
	return nil
}

// ownLetter is the letter that a text of a list of options begins with.
var ownLetter = regexp.MustCompile(`^\s*(?:\(([A-Z])\)|([A-Z])[.:)])\s+`)

// ownLetters reports that all of several texts begin with the letter of their
// place.
func ownLetters(texts [][]byte) bool {
	for i, t := range texts {
		m := ownLetter.FindSubmatch(t)
		if m == nil || string(m[1])+string(m[2]) != string(rune('A'+i)) {
			return false
		}
	}
	return len(texts) > 1
}
