package fastio

import (
	"bytes"
	"encoding/json"
)

// ParseList reads a list of texts as JSON or Python writes it. Without
// escapes, the texts share the list's memory: a list of pictures is long.
func ParseList(list []byte) ([][]byte, bool) {
	list = bytes.TrimSpace(list)
	if len(list) < 2 || list[0] != '[' || list[len(list)-1] != ']' {
		return nil, false
	}
	var out [][]byte
	rest := bytes.TrimSpace(list[1 : len(list)-1])
	for len(rest) > 0 {
		text, after, ok := nextText(rest)
		if !ok {
			return nil, false
		}
		out = append(out, text)
		rest = bytes.TrimSpace(after)
		if len(rest) == 0 {
			break
		}
		if rest[0] != ',' {
			return nil, false
		}
		rest = bytes.TrimSpace(rest[1:])
	}
	return out, true
}

// nextText cuts one element off: a quoted string, or a bare word.
func nextText(rest []byte) (text, after []byte, ok bool) {
	quote := rest[0]
	if quote != '"' && quote != '\'' {
		end := bytes.IndexByte(rest, ',')
		if end < 0 {
			end = len(rest)
		}
		return bytes.TrimSpace(rest[:end]), rest[end:], true
	}
	escaped := false
	for i := 1; i < len(rest); {
		j := bytes.IndexAny(rest[i:], `\`+string(rune(quote)))
		if j < 0 {
			return nil, nil, false
		}
		i += j
		if rest[i] == '\\' {
			escaped = true
			i += 2
			continue
		}
		text = rest[1:i]
		if escaped {
			text = unescape(text, quote)
		}
		return text, rest[i+1:], true
	}
	return nil, nil, false
}

// unescape undoes a literal's backslashes: JSON's way, or the few that
// Python's repr writes beside those.
func unescape(text []byte, quote byte) []byte {
	if quote == '\'' {
		text = bytes.ReplaceAll(text, []byte(`\'`), []byte(`'`))
		text = bytes.ReplaceAll(text, []byte(`"`), []byte(`\"`))
	}
	var s string
	if json.Unmarshal([]byte(`"`+string(text)+`"`), &s) == nil {
		return []byte(s)
	}
	return text
}
