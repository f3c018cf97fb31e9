package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// record is what a row means: a question as asked in some pass, and the
// model's answer where the file has one.
type record struct {
	line     int
	index    string // as written
	group    string // g_index as written; "" without one
	sample   eval.Sample
	answered bool   // the row has a prediction, empty or not
	text     string // the prediction
	model    string // that made it, where the row says so
	asks     bool   // the row holds what a sample needs
	scores   []profile.LogScore
	notes    []string
}

var (
	errNoIndex      = errors.New("the row has no index")
	errNoPrediction = errors.New("the row has no prediction")
)

// readRecord makes a record of a row. Pictures are left out.
func readRecord(r *profile.Row) (record, error) {
	h := r.Head
	rec := record{line: r.Line, index: r.ID(h.Index), group: r.ID(h.Group)}
	switch {
	case rec.index == "":
		return rec, errNoIndex
	case !profile.IsID(rec.index):
		return rec, fmt.Errorf("%.20q... is no index", rec.index)
	case !profile.IsID(rec.group):
		return rec, fmt.Errorf("%.20q... is no g_index", rec.group)
	}
	if err := bounded(r); err != nil {
		return rec, err
	}
	s := &rec.sample
	s.Question, s.Hint = rec.clean(r.Cell(h.Question), "question"), rec.clean(r.Cell(h.Hint), "hint")
	if h.QuestionType >= 0 {
		s.Kind, s.Type = eval.KindOpen, rec.questionType(r, h.QuestionType)
	} else if err := rec.choices(r); err != nil {
		return rec, err
	} else {
		s.Type = rec.questionType(r, h.Typed)
	}
	s.Taxonomy = taxonomyOf(r, &rec)
	s.Split, s.Source = rec.clean(r.Cell(h.Split), "split"), rec.clean(r.Cell(h.Source), "source")
	if b := rec.clean(r.Cell(h.Bench), "bench"); b != "" {
		s.Source = b
	}
	rec.asks = len(s.Options) > 0 || s.Question != "" && !profile.IsLetter(r.Name(h.Answer))
	rec.model = rec.clean([]byte(r.Name(h.Model)), "model")
	if r.Broken {
		rec.notes = append(rec.notes, "the row is not valid UTF-8: the bytes that are not were replaced")
	}
	if r.Cell(h.Prediction) != nil {
		rec.answered, rec.text = true, rec.clean(r.Cell(h.Prediction), "prediction")
	}
	s.Columns = furtherColumns(r)
	rec.scores = r.Scores()
	return rec, nil
}

// textLimit is how many bytes a row's text may have beside its pictures: it
// must fit a transaction.
const textLimit = 12 << 20

func bounded(r *profile.Row) error {
	size := 0
	for i, c := range r.Cells {
		if i != r.Head.Image {
			size += len(c)
		}
	}
	if size > textLimit {
		return fmt.Errorf("the row has %d MB of text, over the limit of %d MB", size>>20, textLimit>>20)
	}
	return nil
}

// clean makes a cell valid UTF-8, and notes it when it was not: storage and
// JSON hold nothing else.
func (r *record) clean(cell []byte, what string) string {
	if utf8.Valid(cell) {
		return string(cell)
	}
	r.notes = append(r.notes, what+" is not valid UTF-8: the bytes that are not were replaced")
	return strings.ToValidUTF8(string(cell), "\uFFFD")
}

// choices reads the options and which of them is right.
func (r *record) choices(w *profile.Row) error {
	if err := r.options(w); err != nil {
		return err
	}
	answer := r.clean(w.Cell(w.Head.Answer), "answer")
	if len(r.sample.Options) == 0 && strings.EqualFold(w.Name(w.Head.Kind), eval.KindOpen.String()) {
		r.sample.Kind, r.sample.Reference = eval.KindOpen, strings.TrimSpace(answer)
		return nil
	}
	r.sample.Kind, r.sample.Answer = r.truth(answer)
	if strings.TrimSpace(answer) == "" && len(r.sample.Options) == 0 && strings.EqualFold(w.Name(w.Head.Kind), eval.KindYesNo.String()) {
		r.sample.Kind = eval.KindYesNo // of a split whose truth is kept back
	}
	return nil
}

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
		for i, t := range texts {
			if len(bytes.TrimSpace(t)) > 0 {
				r.add(i, r.clean(t, "option"))
			}
		}
	default:
		return fmt.Errorf("options %.40q are neither a list nor an object", list)
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

// truth reads the answer cell: a letter, an option's whole text, or yes or
// no where there are no options. Files write letters that name no option
// (pandas emptied an option "None"): the letter stays the truth.
func (r *record) truth(cell string) (eval.Kind, eval.Choice) {
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
		if squeeze(o.Text) == squeeze(cell) {
			same = append(same, o.Letter)
		}
	}
	switch {
	case len(same) == 1:
		return eval.KindChoice, same[0]
	case profile.IsLetter(string(letter)):
		r.notes = append(r.notes, fmt.Sprintf("the answer %s is not among the options", letter))
		return eval.KindChoice, letter
	}
	r.notes = append(r.notes, fmt.Sprintf("the answer %.40q names no option: taken as no ground truth", cell))
	return eval.KindChoice, ""
}

// questionType reads the type of a question. One row of the released file
// holds an address there: what is no type is reported, and the sample kept
// without one.
func (r *record) questionType(w *profile.Row, column int) eval.QuestionType {
	written := r.clean(w.Cell(column), profile.BenchType)
	t, err := profile.ParseQuestionType(written)
	if err != nil {
		r.notes = append(r.notes, fmt.Sprintf("question type %.60q of sample %s is none: the sample is kept without one", written, r.index))
	}
	return t
}

// squeeze makes all white space single, for comparisons.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
