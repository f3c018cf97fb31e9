package dataset

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// cutObject cuts a JSON object into its members. Their values stay JSON and
// point into the text: an import reads its file up to three times, and half of
// that was what encoding/json takes for the same by reflection. Of two members
// with one name the last counts, as there. It gives up, and encoding/json has
// to say what is wrong or how a name is meant, where the text is no valid
// object or a name is written with escapes.
func cutObject(text []byte) (map[string]json.RawMessage, bool) {
	text = bytes.Trim(text, " \t\r\n") // JSON knows no other white space
	if !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil, false
	}
	values := make(map[string]json.RawMessage, 8)
	for i := pastMarks(text, 1); text[i] != '}'; i = pastMarks(text, i) {
		end := valueEnd(text, i)
		name := text[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 || !utf8.Valid(name) {
			return nil, false
		}
		i = pastMarks(text, end)
		end = valueEnd(text, i)
		values[string(name)] = text[i:end:end]
		i = end
	}
	return values, true
}

// pastMarks skips what stands between names and values of valid JSON.
func pastMarks(text []byte, i int) int {
	for isSpace(text[i]) || text[i] == ',' || text[i] == ':' {
		i++
	}
	return i
}

// valueEnd is where the value ends that begins at i, in valid JSON.
func valueEnd(text []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
		case c == '{' || c == '[':
			depth++
			continue
		case c == '}' || c == ']':
			depth--
		case depth == 0:
			return i + bytes.IndexAny(text[i:], ",}] \t\r\n") // a number, true, false or null
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// stringEnd is where the closing quote stands of a string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; ; i++ {
		i += bytes.IndexByte(text[i:], '"')
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// unquote reads a string's short escapes, which answers of models are full of.
// It gives up where encoding/json has more to do.
func unquote(text []byte) ([]byte, bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	out := make([]byte, 0, len(text))
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(out, text...), true
		}
		if i+1 == len(text) {
			return nil, false
		}
		out = append(out, text[:i]...)
		switch c := text[i+1]; c {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case '"', '\\', '/':
			out = append(out, c)
		default:
			return nil, false
		}
		text = text[i+2:]
	}
}
