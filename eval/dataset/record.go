package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
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
	scores   []logScore
	notes    []string
}

var (
	errNoIndex      = errors.New("the row has no index")
	errNoPrediction = errors.New("the row has no prediction")
)

// read makes a record of a row. Pictures are left out.
func (r *row) read() (record, error) {
	h := r.head
	rec := record{line: r.line, index: r.id(h.index), group: r.id(h.group)}
	switch {
	case rec.index == "":
		return rec, errNoIndex
	case !isID(rec.index):
		return rec, fmt.Errorf("%.20q... is no index", rec.index)
	case !isID(rec.group):
		return rec, fmt.Errorf("%.20q... is no g_index", rec.group)
	}
	if err := r.bounded(); err != nil {
		return rec, err
	}
	s := &rec.sample
	s.Question, s.Hint = rec.clean(r.cell(h.question), "question"), rec.clean(r.cell(h.hint), "hint")
	if h.questionType >= 0 {
		s.Kind, s.Type = eval.KindOpen, rec.questionType(r, h.questionType)
	} else if err := rec.choices(r); err != nil {
		return rec, err
	} else {
		s.Type = rec.questionType(r, h.typed)
	}
	s.Taxonomy = r.taxonomy(&rec)
	s.Split, s.Source = rec.clean(r.cell(h.split), "split"), rec.clean(r.cell(h.source), "source")
	if b := rec.clean(r.cell(h.bench), "bench"); b != "" {
		s.Source = b
	}
	rec.asks = len(s.Options) > 0 || s.Question != "" && !isLetter(r.name(h.answer))
	rec.model = rec.clean([]byte(r.name(h.model)), "model")
	if r.broken {
		rec.notes = append(rec.notes, "the row is not valid UTF-8: the bytes that are not were replaced")
	}
	if r.cell(h.prediction) != nil {
		rec.answered, rec.text = true, rec.clean(r.cell(h.prediction), "prediction")
	}
	if h.scores >= 0 && json.Unmarshal(r.cell(h.scores), &rec.scores) != nil {
		rec.scores = nil // no log of ours: nothing was promised of that column
	}
	rec.scores = append(rec.scores, r.kitScores()...)
	return rec, nil
}

// Bounds of what a row says, beside its pictures.
const (
	idLimit   = 255      // bytes of an index
	textLimit = 12 << 20 // bytes of a row's text: it must fit a transaction
)

// isID tells what can name a sample.
func isID(s string) bool { return len(s) <= idLimit && utf8.ValidString(s) }

func (r *row) bounded() error {
	size := 0
	for i, c := range r.cells {
		if i != r.head.image {
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
func (r *record) choices(w *row) error {
	if err := r.options(w); err != nil {
		return err
	}
	answer := r.clean(w.cell(w.head.answer), "answer")
	if len(r.sample.Options) == 0 && strings.EqualFold(w.name(w.head.kind), eval.KindOpen.String()) {
		r.sample.Kind, r.sample.Reference = eval.KindOpen, strings.TrimSpace(answer)
		return nil
	}
	r.sample.Kind, r.sample.Answer = r.truth(answer)
	if strings.TrimSpace(answer) == "" && len(r.sample.Options) == 0 && strings.EqualFold(w.name(w.head.kind), eval.KindYesNo.String()) {
		r.sample.Kind = eval.KindYesNo // of a split whose truth is kept back
	}
	return nil
}

// options reads the options from their columns, from a list of them, or out
// of the question. An empty or absent cell is no option; letters may have
// gaps.
func (r *record) options(w *row) error {
	for i, column := range w.head.letters {
		if cell := w.cell(column); len(bytes.TrimSpace(cell)) > 0 {
			r.add(i, r.clean(cell, "option"))
		}
	}
	list := bytes.TrimSpace(w.cell(w.head.optionList))
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
	if len(r.sample.Options) == 0 && w.head.letter < 0 && w.head.optionList < 0 {
		r.sample.Question, r.sample.Options = splitQuestion(r.sample.Question, strings.TrimSpace(w.text(w.head.answer)))
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
	case isLetter(string(letter)):
		r.notes = append(r.notes, fmt.Sprintf("the answer %s is not among the options", letter))
		return eval.KindChoice, letter
	}
	r.notes = append(r.notes, fmt.Sprintf("the answer %.40q names no option: taken as no ground truth", cell))
	return eval.KindChoice, ""
}

// isLetter tells an answer that needs options to be understood.
func isLetter(answer string) bool {
	return len(answer) == 1 && answer[0] >= 'A' && answer[0] <= 'Z'
}

// squeeze makes all white space single, for comparisons.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
