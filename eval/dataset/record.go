package dataset

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/column"
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
	repeats  string // "yes": a row of its own whatever its id; "other": where it asks something else
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
	rec.asks = len(s.Options) > 0 || s.Question != "" && !column.IsLetter(r.Name(h.Answer)) || r.Name(h.Bare) != "" && (s.Answer != "" || s.Reference != "")
	s.Metric, s.Groups, rec.repeats = rec.clean([]byte(r.Name(h.Metric)), "metric"), groupsOf(r), r.Name(h.Repeat)
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

// questionType reads the type of a question. One row of the released file
// holds an address there: what is no type is reported, and the sample kept
// without one.
func (r *record) questionType(w *profile.Row, column int) eval.QuestionType {
	written := r.clean(w.Cell(column), profile.BenchType)
	t, err := profile.ParseQuestionType(written)
	if err != nil && column == w.Head.QuestionType {
		r.notes = append(r.notes, fmt.Sprintf("question type %.60q of sample %s is none: the sample is kept without one", written, r.index))
	}
	return t
}

// squeeze makes all white space single, for comparisons.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
