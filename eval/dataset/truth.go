package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// readChoices reads the options and which of them is right.
func (r *record) readChoices(w *profile.Row) error {
	if err := r.readOptions(w); err != nil {
		return err
	}
	answer := r.cleanUTF8(w.Cell(w.Head.Answer), "answer")
	several := r.splitAnswers(w, answer)
	if len(several) == 0 && strings.HasPrefix(answer, "[{") && json.Valid([]byte(answer)) {
		return fmt.Errorf("the answer %.60q is a list of objects, of which none is known", answer)
	}
	open := strings.EqualFold(w.Name(w.Head.Kind), eval.KindOpen.String())
	s := &r.sample
	switch {
	case len(several) > 0:
		r.setSeveralAnswers(several, open)
	case len(s.Options) == 0 && open:
		s.Kind, s.Reference = eval.KindOpen, strings.TrimSpace(answer)
	default:
		s.Kind, s.Answer = r.readGroundTruth(answer)
	}
	if strings.TrimSpace(answer) == "" && len(s.Options) == 0 && strings.EqualFold(w.Name(w.Head.Kind), eval.KindYesNo.String()) {
		s.Kind = eval.KindYesNo // of a split whose truth is kept back
	}
	return nil
}

// Texts that are lists: as JSON or Python writes them, of texts, or of numbers
// too.
var (
	listedTexts = regexp.MustCompile(`^\[\s*(?:` + quotedText + `)(?:\s*,\s*(?:` + quotedText + `))*\s*,?\s*\]$`)
	listedAny   = regexp.MustCompile(`^\[\s*(?:` + quotedText + number + `)(?:\s*,\s*(?:` + quotedText + number + `))*\s*,?\s*\]$`)
	letterList  = regexp.MustCompile(`^[A-Z](?:\s*[,;&/]\s*[A-Z])+$`)
)

const (
	quotedText = `"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`
	number     = `|-?\d+(?:\.\d+)?`
)

// splitAnswers gives the answers that a cell lists, or that an export has beside it.
func (r *record) splitAnswers(w *profile.Row, answer string) (out []string) {
	cell := []byte(strings.TrimSpace(answer))
	if own := w.Cell(w.Head.References); len(own) > 0 {
		cell = own
	}
	if out = parseVQAAnswers(cell); out != nil {
		return out
	}
	form := w.Name(w.Head.Form)
	if form == "text" || !listedTexts.Match(cell) && (form != "list" || !listedAny.Match(cell)) {
		return nil
	}
	list, _ := fastio.ParseList(cell)
	for _, one := range list {
		out = append(out, strings.TrimSpace(r.cleanUTF8(one, "answer")))
	}
	return out
}

// parseVQAAnswers gives the answers in a list of objects, as VQA's files write what
// people said: [{"answer": "net", "answer_confidence": "yes"}, ...]; nil for
// anything else.
func parseVQAAnswers(cell []byte) (out []string) {
	var said []struct{ Answer *string }
	if !bytes.HasPrefix(cell, []byte("[{")) || json.Unmarshal(cell, &said) != nil {
		return nil
	}
	for _, one := range said {
		if one.Answer == nil {
			return nil
		}
		out = append(out, strings.TrimSpace(*one.Answer))
	}
	return out
}

// setSeveralAnswers takes several answers, each of which is right.
func (r *record) setSeveralAnswers(several []string, open bool) {
	s := &r.sample
	if len(s.Options) == 0 || open {
		if s.Kind, s.Reference = eval.KindOpen, several[0]; len(several) > 1 {
			s.References = several
		}
		return
	}
	for _, one := range several {
		var c eval.Choice
		if s.Kind, c = r.readGroundTruth(one); c != "" && !slices.Contains(s.References, string(c)) {
			s.References = append(s.References, string(c))
		}
	}
	if len(s.References) > 0 {
		s.Answer = eval.Choice(s.References[0])
	}
	if len(s.References) == 1 {
		s.References = nil
	}
}

// readGroundTruth reads the answer cell: a letter, an option's whole text, or yes or
// no where there are no options. Files write letters that name no option
// (pandas emptied an option "None"): the letter stays the truth.
func (r *record) readGroundTruth(cell string) (eval.Kind, eval.Choice) {
	cell = strings.TrimSpace(cell)
	if len(r.sample.Options) == 0 {
		switch strings.ToLower(cell) {
		case string(eval.Yes):
			return eval.KindYesNo, eval.Yes
		case string(eval.No):
			return eval.KindYesNo, eval.No
		}
		r.sample.Reference = cell // a Choice holds no free text
		return eval.KindOpen, ""
	}
	if cell == "" {
		return eval.KindChoice, ""
	}
	letter := eval.Choice(strings.ToUpper(strings.Trim(cell, "(). ")))
	var same []eval.Choice
	for _, o := range r.sample.Options {
		if o.Letter == letter {
			return eval.KindChoice, letter
		}
		if collapseSpace(o.Text) == collapseSpace(cell) {
			same = append(same, o.Letter)
		}
	}
	if several := r.parseLetters(cell); len(several) > 0 && len(same) == 0 {
		r.setSeveralAnswers(several, false)
		return r.sample.Kind, r.sample.Answer
	}
	switch {
	case len(same) == 1:
		return eval.KindChoice, same[0]
	case column.IsLetter(string(letter)):
		r.notes = append(r.notes, fmt.Sprintf("the answer %s is not among the options", letter))
		return eval.KindChoice, letter
	}
	r.notes = append(r.notes, fmt.Sprintf("the answer %.40q names no option: taken as no ground truth", cell))
	r.sample.Reference = cell // for a metric that compares texts
	return eval.KindChoice, ""
}

// parseLetters gives those of a cell such as "A, C", where all are of options.
func (r *record) parseLetters(cell string) (out []string) {
	if !letterList.MatchString(cell) {
		return nil
	}
	for _, l := range strings.FieldsFunc(cell, func(c rune) bool { return c < 'A' || c > 'Z' }) {
		if !slices.ContainsFunc(r.sample.Options, func(o eval.Option) bool { return string(o.Letter) == l }) {
			return nil
		}
		out = append(out, l)
	}
	return out
}

// readGroups reads the sets that the row's sample is in.
func readGroups(r *profile.Row) (out []eval.Column) {
	var groups map[string]string
	if cell := r.Cell(r.Head.Groups); len(cell) == 0 || json.Unmarshal(cell, &groups) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, eval.Column{Name: name, Value: groups[name]})
	}
	return out
}
