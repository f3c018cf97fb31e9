package openai

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"concord/eval/text"
)

const (
	mark    = "[key]"
	longish = 8    // a piece of the key of this length is redacted
	secrecy = 16   // a key of this length that mixes letters and digits is a secret
	wordy   = 4    // a shorter one that is no secret is not looked for at all
	raw     = 4096 // of a text from outside, bytes looked at
	shown   = 400  // of them, characters shown
)

// masks are what keys look like whoever they belong to: half hidden ones in
// vendors' messages, and those behind Bearer.
var masks = regexp.MustCompile(`(?i)[^\s"':=]*\*{3,}[^\s"',]*|\bbearer\s+[^\s"',]+|\bsk-[a-z0-9_-]{8,}`)

// secret is a key, and the forms in which it could be echoed, in lower case.
type secret struct {
	key    string
	forms  []string
	least  int                 // bytes of a piece worth hiding
	pieces map[string]struct{} // all of that length
}

// newSecret looks for pieces of a key that is a secret, and for the whole of
// one that is a word, such as EMPTY, which local servers are given.
func newSecret(key string) *secret {
	s := &secret{key: key, least: longish, pieces: make(map[string]struct{})}
	if !s.random() {
		s.least = len(key)
	}
	if len(key) < wordy {
		return s
	}
	for _, form := range []string{
		key, url.QueryEscape(key),
		base64.StdEncoding.EncodeToString([]byte(key)),
		base64.URLEncoding.EncodeToString([]byte(key)),
		base64.StdEncoding.EncodeToString([]byte("Bearer " + key)),
	} {
		form = fold(strings.TrimRight(form, "="))
		s.forms = append(s.forms, form)
		for at := 0; at+s.least <= len(form); at++ {
			s.pieces[form[at:at+s.least]] = struct{}{}
		}
	}
	return s
}

// random reports whether the key is no word that a text may hold by itself.
func (s *secret) random() bool {
	return len(s.key) >= secrecy && strings.ContainsFunc(s.key, unicode.IsDigit) && strings.ContainsFunc(s.key, unicode.IsLetter)
}

// fold lowers ASCII letters only, so that offsets stay.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// redact takes the key out of a text, any piece of it of some length too.
func (s *secret) redact(text string) string {
	if len(s.pieces) == 0 {
		return text
	}
	low := fold(text)
	var b strings.Builder
	for i := 0; i < len(text); {
		if n := s.match(low[i:]); n > 0 {
			b.WriteString(mark)
			i += n
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// match is the length of the longest piece of a form of the key that low
// begins with; 0 when there is none worth hiding.
func (s *secret) match(low string) int {
	if len(low) < s.least {
		return 0
	}
	if _, ok := s.pieces[low[:s.least]]; !ok {
		return 0
	}
	best := 0
	for _, form := range s.forms {
		for at := 0; at+s.least <= len(form); at++ {
			n := 0
			for n < len(low) && at+n < len(form) && low[n] == form[at+n] {
				n++
			}
			best = max(best, n)
		}
	}
	return best
}

// strip takes the whole key out of what a model answered. A key that is a word
// stays: the model may have said it.
func (s *secret) strip(text string) string {
	if !s.random() || !strings.Contains(text, s.key) {
		return text
	}
	return strings.ReplaceAll(text, s.key, mark)
}

// clean makes a text from outside fit to be shown: without the key, of sane
// length, with control characters made visible.
func (s *secret) clean(said string) string {
	said = said[:min(len(said), raw)]
	return text.Outside(masks.ReplaceAllString(s.redact(said), mark)).Short(shown)
}
