package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"concord/eval"
	"concord/eval/extract/reading"
)

// item is one line of the filter's input.
type item struct {
	id      json.RawMessage // as given
	options []eval.Option   // in the order written
	text    string
}

// parseItem reads a line for samples of a kind. Yes/no samples need no
// options. The error names the field that is wrong.
func parseItem(line []byte, kind eval.Kind) (item, error) {
	var raw struct {
		ID         json.RawMessage `json:"id"`
		Options    json.RawMessage `json:"options"`
		Prediction json.RawMessage `json:"prediction"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		return item{}, fmt.Errorf("parse JSON: %w", err)
	}
	it := item{id: raw.ID}
	if raw.ID == nil {
		return item{}, errors.New("id: missing")
	}
	if raw.Prediction == nil {
		return item{}, errors.New("prediction: missing")
	}
	if raw.Prediction[0] != '"' {
		return item{}, fmt.Errorf("prediction: want a string, got %s", jsonKind(raw.Prediction))
	}
	if err := json.Unmarshal(raw.Prediction, &it.text); err != nil {
		return item{}, fmt.Errorf("prediction: %w", err)
	}
	if kind != eval.KindChoice {
		return it, nil
	}
	if raw.Options == nil {
		return item{}, errors.New("options: missing")
	}
	var err error
	it.options, err = parseOptions(raw.Options)
	return it, err
}

// parseOptions reads a JSON object of option letter to text and keeps the
// order in which it is written, which a map would lose.
func parseOptions(raw []byte) ([]eval.Option, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	if t != json.Delim('{') {
		return nil, fmt.Errorf("options: want an object of letter to text, got %s", jsonKind(raw))
	}
	options := make([]eval.Option, 0, 8)
	for d.More() {
		o, err := parseOption(d)
		if err != nil {
			return nil, err
		}
		if reading.HasLetter(options, o.Letter) {
			return nil, fmt.Errorf("options: letter %s stands twice", o.Letter)
		}
		options = append(options, o)
	}
	if len(options) == 0 {
		return nil, errors.New("options: none given")
	}
	return options, nil
}

func parseOption(d *json.Decoder) (eval.Option, error) {
	key, err := d.Token()
	if err != nil {
		return eval.Option{}, fmt.Errorf("options: %w", err)
	}
	l, _ := key.(string)
	if len(l) != 1 || l[0] < 'A' || l[0] > 'Z' {
		return eval.Option{}, fmt.Errorf("options: unknown letter %.20q: want A to Z", l)
	}
	value, err := d.Token()
	if err != nil {
		return eval.Option{}, fmt.Errorf("options: %w", err)
	}
	text, ok := value.(string)
	if !ok {
		return eval.Option{}, fmt.Errorf("options: %s is not a string", l)
	}
	return eval.Option{Letter: eval.Choice(l), Text: text}, nil
}

// jsonKind names the type of a JSON value for messages.
func jsonKind(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
