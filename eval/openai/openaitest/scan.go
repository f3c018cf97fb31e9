package openaitest

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

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
