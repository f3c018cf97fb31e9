package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"concord/eval"
)

// parseOptions reads a JSON object of option letter to text and keeps the
// order in which it is written, which a map would lose.
func parseOptions(raw []byte) ([]eval.Option, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	if t != json.Delim('{') {
		return nil, errors.New("options: want an object of letter to text")
	}
	var options []eval.Option
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("options: %w", err)
		}
		letter, _ := k.(string)
		if len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z' {
			return nil, fmt.Errorf("options: unknown letter %q: want A to Z", letter)
		}
		if hasLetter(options, eval.Choice(letter)) {
			return nil, fmt.Errorf("options: letter %s stands twice", letter)
		}
		v, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("options: %w", err)
		}
		text, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("options: %s is not a string", letter)
		}
		options = append(options, eval.Option{Letter: eval.Choice(letter), Text: text})
	}
	return options, nil
}
