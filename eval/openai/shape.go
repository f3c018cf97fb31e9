package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shape is what go-openai has no field for in a reply: whether the parts that
// an answer is made of are there at all, errors beside them, and OpenRouter's
// and vLLM's reasoning.
type shape struct {
	Object  string          `json:"object"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Error   json.RawMessage `json:"error"`
		Message *struct {
			Role      string          `json:"role"`
			Content   json.RawMessage `json:"content"`
			ToolCalls json.RawMessage `json:"tool_calls"`
			Reasoning any             `json:"reasoning"`
		} `json:"message"`
	} `json:"choices"`
}

// shapeOf reads the shape of a body. Its error is a *garbage: the body is not
// one JSON value, or has two members of one name, of which nobody knows the
// right one.
func shapeOf(body []byte) (shape, error) {
	var s shape
	if !utf8.Valid(body) {
		return s, &garbage{"malformed reply: it is not UTF-8, as JSON must be"}
	}
	if err := json.Unmarshal(body, &s); err != nil {
		return s, &garbage{fmt.Sprintf("malformed reply: %v", err)}
	}
	if name := repeated(body); name != "" {
		return s, &garbage{fmt.Sprintf("malformed reply: two members %q in one object", name)}
	}
	return s, nil
}

// failed reports whether an error stands beside the choices or in the first.
func (s *shape) failed() bool {
	return s.Object == "error" || holds(s.Error) || len(s.Choices) > 0 && holds(s.Choices[0].Error)
}

// speaks reports whether the first choice has a message that is the model's.
func (s *shape) speaks() bool {
	if len(s.Choices) == 0 || s.Choices[0].Message == nil {
		return false
	}
	m := s.Choices[0].Message
	return m.Role != "user" && m.Role != "system" && (m.Role != "" || m.Content != nil || m.ToolCalls != nil)
}

func (s *shape) reasoning() string {
	if len(s.Choices) == 0 || s.Choices[0].Message == nil {
		return ""
	}
	text, _ := s.Choices[0].Message.Reasoning.(string)
	return text
}

// holds reports whether the value of a member "error" is one.
func holds(v json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", `""`, "{}", "[]", "false"}, string(bytes.TrimSpace(v)))
}

// named is how deep a reply's objects have names that matter: the reply, its
// choices, their message.
const named = 5

// repeated is the first name that an object of a short reply has twice, where
// answers stand; "" when there is none. What is long was not made by a broken
// gateway.
func repeated(body []byte) string {
	if len(body) > shortReply {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var seen []map[string]bool // of each open object; nil for an array
	key := false               // a name comes next
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		switch v := t.(type) {
		case json.Delim:
			switch v {
			case '{':
				seen = append(seen, make(map[string]bool, 8))
			case '[':
				seen = append(seen, nil)
			default:
				seen = seen[:len(seen)-1]
			}
		case string:
			if key {
				if at := seen[len(seen)-1]; len(seen) <= named && at[v] {
					return v
				} else if at != nil {
					at[v] = true
				}
				key = false
				continue
			}
		}
		key = len(seen) > 0 && seen[len(seen)-1] != nil
	}
}

// blank reports whether a text shows nothing.
func blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }) < 0
}

// broken reports whether a finish reason says that the answer broke off for
// want of the endpoint.
func broken(finish string) bool {
	return slices.Contains([]string{"error", "abort", "aborted", "cancelled", "canceled", "timeout", "failed", "network_error", "insufficient_system_resource"}, finish)
}

// filtered reports whether a finish reason says that a filter kept the answer
// back, in the words of OpenAI, Zhipu and Gemini.
func filtered(finish string) bool {
	word, _, _ := strings.Cut(strings.ToLower(finish), ":")
	return slices.Contains([]string{"content_filter", "sensitive", "safety", "prohibited_content", "blocklist", "recitation", "spii"}, word)
}
