package openaitest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// Request is a call as the answer function sees it. Body is valid until that
// returns.
type Request struct {
	Model    string
	System   string
	Turns    []Turn
	Pictures []Picture // of all turns, in order
	Stream   bool
	Key      string          // behind Bearer
	Body     json.RawMessage // all of it
	Asked    int             // how often the same was asked before
	Number   int             // of the call, from 1
}

// Turn is a message that is not the system's.
type Turn struct{ Role, Text string }

// Picture is a picture's data URL.
type Picture string

// Bytes decodes the picture.
func (p Picture) Bytes() ([]byte, error) {
	_, data, ok := strings.Cut(string(p), ";base64,")
	if !ok {
		return nil, errors.New("read image: no data URL")
	}
	return base64.StdEncoding.DecodeString(data)
}

// Type is the picture's media type, as "image/png".
func (p Picture) Type() string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(string(p), "data:"), ";")
	return kind
}

// Prompt is the system's text and all turns, one a line.
func (r *Request) Prompt() string {
	if r.System == "" && len(r.Turns) == 1 {
		return r.Turns[0].Text
	}
	parts := make([]string, 0, len(r.Turns)+1)
	if r.System != "" {
		parts = append(parts, r.System)
	}
	for _, t := range r.Turns {
		parts = append(parts, t.Text)
	}
	return strings.Join(parts, "\n")
}

// Params are the body's fields beside the model and the messages.
func (r *Request) Params() map[string]json.RawMessage {
	fields := make(map[string]json.RawMessage)
	if json.Unmarshal(r.Body, &fields) != nil {
		return nil
	}
	delete(fields, "model")
	delete(fields, "messages")
	return fields
}

// Ask names what is counted: the same question of the same model.
type Ask struct {
	Model, Prompt string
	Pictures      uint64 // a hash of them; 0 without any
}

var seed = maphash.MakeSeed()

func (r *Request) ask() Ask {
	a := Ask{Model: r.Model, Prompt: r.Prompt()}
	for _, p := range r.Pictures {
		a.Pictures = a.Pictures*31 + maphash.String(seed, string(p))
	}
	return a
}

type wireRequest struct {
	Model    string        `json:"model"`
	Stream   bool          `json:"stream"`
	Messages []wireMessage `json:"messages"`
}

type wireMessage struct {
	Role    string      `json:"role"`
	Content wireContent `json:"content"`
}

// wireContent is a text, or a list of parts.
type wireContent struct {
	text  string
	parts []wirePart
}

type wirePart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// UnmarshalJSON reads either form.
func (c *wireContent) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, &c.parts)
	}
	return json.Unmarshal(b, &c.text)
}

func parse(body []byte) (*Request, error) {
	if r, ok := glance(body); ok {
		return r, nil
	}
	return read(body)
}

// read reads any body.
func read(body []byte) (*Request, error) {
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, fmt.Errorf("parse body: %w", err)
	}
	if w.Model == "" || len(w.Messages) == 0 {
		return nil, errors.New("model and messages are needed")
	}
	r := &Request{Model: w.Model, Stream: w.Stream, Body: body}
	for _, m := range w.Messages {
		text := m.Content.text
		for _, p := range m.Content.parts {
			text += p.Text
			if p.Type == "image_url" {
				r.Pictures = append(r.Pictures, Picture(p.Image.URL))
			}
		}
		if m.Role == "system" {
			r.System = text
			continue
		}
		r.Turns = append(r.Turns, Turn{m.Role, text})
	}
	return r, nil
}

// glance reads a text-only body in the form that clients write it, in one
// scan and without encoding/json, which takes a third of the server's time.
// It reports false for all that it does not understand at once.
func glance(body []byte) (*Request, bool) {
	s := scan{rest: body, ok: utf8.Valid(body)}
	r := &Request{Body: body}
	s.expect('{')
	for s.ok {
		switch key := s.text(); key {
		case "model":
			s.expect(':')
			r.Model = s.text()
		case "messages":
			s.expect(':')
			s.ok = s.ok && len(r.Turns) == 0 && r.System == ""
			s.messages(r)
		case "stream":
			s.expect(':')
			r.Stream = s.scalar() == "true"
		default:
			s.expect(':')
			s.scalar()
			s.ok = s.ok && !strings.EqualFold(key, "stream") // encoding/json takes it for one
		}
		if !s.comma() {
			break
		}
	}
	s.expect('}')
	return r, s.ok && len(s.rest) == 0 && r.Model != "" && len(r.Turns) > 0
}

// scan is what is left of a body; ok is lost for good at the first thing that
// is not as expected.
type scan struct {
	rest []byte
	ok   bool
}

func (s *scan) expect(c byte) {
	if s.ok = s.ok && len(s.rest) > 0 && s.rest[0] == c; s.ok {
		s.rest = s.rest[1:]
	}
}

func (s *scan) comma() bool {
	if s.ok && len(s.rest) > 0 && s.rest[0] == ',' {
		s.rest = s.rest[1:]
		return true
	}
	return false
}

// text takes a string.
func (s *scan) text() string {
	s.expect('"')
	for n := 0; s.ok && n < len(s.rest); n++ {
		switch s.rest[n] {
		case '\\':
			n++
		case '"':
			quoted := s.rest[:n]
			s.rest = s.rest[n+1:]
			if bytes.IndexByte(quoted, '\\') < 0 {
				return string(quoted)
			}
			var text string
			s.ok = json.Unmarshal(append(append([]byte{'"'}, quoted...), '"'), &text) == nil
			return text
		}
	}
	s.ok = false
	return ""
}

// scalar takes a number, true, false or null; anything longer is not
// understood.
func (s *scan) scalar() string {
	n := bytes.IndexAny(s.rest, ",}")
	if s.ok = s.ok && n > 0 && !bytes.ContainsAny(s.rest[:n], "\"[{ \n\t"); !s.ok {
		return ""
	}
	value := string(s.rest[:n])
	s.rest = s.rest[n:]
	return value
}

// messages takes the list of messages, each with a role and a text.
func (s *scan) messages(r *Request) {
	s.expect('[')
	for s.ok {
		var t Turn
		s.expect('{')
		for s.ok {
			key := s.text()
			s.expect(':')
			switch value := s.text(); key {
			case "role":
				t.Role = value
			case "content":
				t.Text = value
			default:
				s.ok = false
			}
			if !s.comma() {
				break
			}
		}
		s.expect('}')
		if t.Role == "system" {
			r.System = t.Text
		} else {
			r.Turns = append(r.Turns, t)
		}
		if !s.comma() {
			break
		}
	}
	s.expect(']')
}
