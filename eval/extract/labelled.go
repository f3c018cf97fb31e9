package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"concord/eval"
)

// LabelledLine is a response that somebody has labelled.
type LabelledLine struct {
	ID         string
	Options    []eval.Option // none: a yes/no question
	Prediction string
	Label      string // the choice's letter, yes or no; "": there is no choice
	HasLabel   bool
}

// Kind is the kind of question that was answered.
func (l *LabelledLine) Kind() eval.Kind {
	if len(l.Options) == 0 {
		return eval.KindYesNo
	}
	return eval.KindChoice
}

// ReadLabelled yields the lines of a file as Filter reads them, each with the label
// that stands in a field. A line that cannot be read is the last, and its error
// names it.
func ReadLabelled(in io.Reader, field string) iter.Seq2[LabelledLine, error] {
	return func(yield func(LabelledLine, error) bool) {
		r := bufio.NewReader(in)
		for n := 1; ; n++ {
			data, end := readLine(r)
			if len(bytes.TrimSpace(data)) > 0 {
				l, err := parseLabelled(data, field)
				if err != nil {
					err = fmt.Errorf("line %d: %w", n, err)
				}
				if !yield(l, err) || err != nil {
					return
				}
			}
			if end != nil {
				if !errors.Is(end, io.EOF) {
					yield(LabelledLine{}, end)
				}
				return
			}
		}
	}
}

func parseLabelled(data []byte, field string) (LabelledLine, error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(data, &row); err != nil {
		return LabelledLine{}, fmt.Errorf("parse JSON: %w", err)
	}
	kind := eval.KindChoice
	if row["options"] == nil {
		kind = eval.KindYesNo
	}
	it, err := parseItem(data, kind)
	if err != nil {
		return LabelledLine{}, err
	}
	l := LabelledLine{ID: strings.Trim(string(it.id), `"`), Options: it.options, Prediction: it.text}
	if raw := row[field]; raw != nil && string(raw) != "null" {
		if err := json.Unmarshal(raw, &l.Label); err != nil {
			return LabelledLine{}, fmt.Errorf("%s: want a string, got %s", field, jsonTypeName(raw))
		}
		l.HasLabel = true
	}
	return l, nil
}
