package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// reserved are the fields of a body that are not the user's to set: what is
// asked, of whom, and in which form the answer comes.
var reserved = []string{"messages", "model", "n", "stream", "stream_options"}

// CanonicalParams writes a request's parameters as one text for one meaning:
// sorted keys, numbers in their shortest form, temperature 0 when nothing is
// said about it. A field that is null is not sent and not mentioned, except
// temperature, where null says that none is sent (some models refuse any).
// Params must be a JSON object or empty.
func CanonicalParams(raw json.RawMessage) (string, error) {
	fields, err := params(raw)
	if err != nil {
		return "", err
	}
	return encodeJSON(fields)
}

func params(raw json.RawMessage) (map[string]any, error) {
	fields := map[string]any{}
	if len(bytes.TrimSpace(raw)) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&fields); err != nil {
			return nil, fmt.Errorf("read parameters: not a JSON object: %w", err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, errors.New("read parameters: more than one JSON object")
		}
	}
	if fields == nil {
		fields = map[string]any{}
	}
	for _, name := range reserved {
		if _, ok := fields[name]; ok {
			return nil, fmt.Errorf("read parameters: %q cannot be set: concord sets it", name)
		}
	}
	if _, ok := fields["temperature"]; !ok {
		fields["temperature"] = json.Number("0")
	}
	for name, value := range fields {
		if value == nil && name != "temperature" {
			delete(fields, name)
			continue
		}
		v, err := plain(value)
		if err != nil {
			return nil, fmt.Errorf("read parameter %q: %w", name, err)
		}
		fields[name] = v
	}
	return fields, nil
}

// plain brings every number in v to its shortest form; whole numbers, seeds
// beyond a float's reach among them, stay as they are.
func plain(v any) (any, error) {
	var err error
	switch x := v.(type) {
	case json.Number:
		if s := x.String(); s != "-0" && !strings.ContainsAny(s, ".eE") {
			return x, nil
		}
		f, bad := x.Float64()
		if bad != nil {
			return nil, fmt.Errorf("number %q out of range", x)
		}
		return json.Number(strconv.FormatFloat(f+0, 'f', -1, 64)), nil
	case map[string]any:
		for k := range x {
			if x[k], err = plain(x[k]); err != nil {
				return nil, err
			}
		}
	case []any:
		for i := range x {
			if x[i], err = plain(x[i]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// encodeJSON writes v with sorted keys and without HTML escapes.
func encodeJSON(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("write parameters: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// tailOf is the end of every body: what follows the messages.
func tailOf(fields map[string]any, stream bool) ([]byte, error) {
	tail := []byte("]")
	for _, name := range sortedKeys(fields) {
		if fields[name] == nil {
			continue
		}
		text, err := encodeJSON(fields[name])
		if err != nil {
			return nil, err
		}
		tail = append(appendQuote(append(tail, ','), name), ':')
		tail = append(tail, text...)
	}
	if stream {
		tail = append(tail, `,"stream":true,"stream_options":{"include_usage":true}`...)
	}
	return append(tail, '}'), nil
}

func sortedKeys(fields map[string]any) []string {
	keys := make([]string, 0, len(fields))
	for k := range fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// room is how many tokens the parameters let a model write; 0 when they do
// not say.
func room(fields map[string]any) int {
	most := 0
	for _, name := range []string{"max_completion_tokens", "max_tokens"} {
		if n, ok := fields[name].(json.Number); ok {
			if v, err := n.Int64(); err == nil && v > 0 && v < 1<<20 {
				most = max(most, int(v))
			}
		}
	}
	return most
}
