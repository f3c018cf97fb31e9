package openai

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"concord/eval"
	"concord/eval/text"
)

// complaint is what an error's body says, in the shapes that servers use: {"error": {...}}, {"error":
// "text"}, {"message": ...}, {"detail": ...}, a list of one of them, or no JSON at all.
type complaint struct {
	Message, Type, Code, Param string
}

func parseComplaint(body []byte) complaint {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return complaint{Message: titleOrText(string(body[:min(len(body), raw)]))}
	}
	return findComplaint(v, 0)
}

func findComplaint(v any, depth int) complaint {
	switch x := v.(type) {
	case []any:
		if len(x) > 0 && depth < 4 {
			return findComplaint(x[0], depth+1)
		}
	case map[string]any:
		if inner, ok := x["error"]; ok && inner != nil && depth < 4 {
			if c := findComplaint(inner, depth+1); c != (complaint{}) {
				return c
			}
		}
		c := complaint{valueText(x["message"]), valueText(x["type"]), valueText(x["code"]), valueText(x["param"])}
		for _, other := range []string{"detail", "msg", "error_msg", "title"} {
			if c.Message == "" && x[other] != nil {
				c.Message = valueText(x[other])
			}
		}
		return c
	case nil:
		return complaint{}
	}
	return complaint{Message: valueText(v)}
}

// valueText is a value as text: JSON where it is no text.
func valueText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	}
	text, _ := json.Marshal(v) // it was decoded from JSON
	return string(text)
}

// titleOrText is a web page's title, or the text itself.
func titleOrText(text string) string {
	low := lowerASCII(text)
	if from := strings.Index(low, "<title>"); from >= 0 {
		if to := strings.Index(low[from:], "</title>"); to >= 0 {
			return text[from+len("<title>") : from+to]
		}
	}
	return text
}

// hasWord reports whether code or type is one of the words.
func (c *complaint) hasWord(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return c.Code == w || c.Type == w })
}

// failureKindOf tells what can be done about an HTTP status with its complaint: configuration stops the
// run, a few are about the sample, and what is neither is tried again.
func failureKindOf(status int, c complaint) eval.FailureKind {
	switch {
	case c.isContentFilter():
		return eval.FailureSample
	case (status == 400 || status == 403 || status == 422) && c.refusesLogProbs():
		return eval.FailureConfiguration
	case status == 429 && c.hasWord("insufficient_quota", "billing_hard_limit_reached"):
		return eval.FailureConfiguration
	case status == 401 || status == 402 || status == 403 || status == 404 || status == 405 || status == 407 || status == 410:
		return eval.FailureConfiguration
	case status >= 300 && status < 400:
		return eval.FailureConfiguration
	case status == 400 && c.isAboutEverySample():
		return eval.FailureConfiguration
	case status == 400 || status == 406 || status == 413 || status == 414 || status == 415 || status == 416 || status == 422 || status == 431 || status == 451:
		return eval.FailureSample
	}
	return eval.FailureTransient
}

// isContentFilter reports whether a content filter held back the question.
func (c *complaint) isContentFilter() bool {
	return c.hasWord("content_filter", "content_policy_violation", "image_content_policy_violation")
}

// isAboutEverySample reports whether a bad request is bad for every sample: the
// parameters that a model does not take, its name, the key.
func (c *complaint) isAboutEverySample() bool {
	return c.hasWord("invalid_api_key", "model_not_found") || c.refusesParam() || c.wantsTLS()
}

func (c *complaint) refusesParam() bool {
	return c.hasWord("unsupported_parameter", "unsupported_value", "unknown_parameter") && !strings.HasPrefix(c.Param, "messages")
}

// refusesLogProbs reports whether a model gives no log probabilities. Servers have no
// word in common for it, but all name the field.
func (c *complaint) refusesLogProbs() bool {
	return c.Param == "logprobs" || strings.Contains(lowerASCII(c.Message), "logprobs")
}

// wantsTLS recognises what servers (net/http, nginx) say to http on the port
// of https: in plain text, so with no code.
func (c *complaint) wantsTLS() bool {
	return c.Code == "" && strings.Contains(c.Message, "HTTP request") && strings.Contains(c.Message, "HTTPS")
}

// batchLine is a line of a batch's output or error file, as OpenAI and vLLM (run-batch) write it.
type batchLine struct {
	ID       string `json:"custom_id"`
	Response *struct {
		Status int             `json:"status_code"`
		Body   json.RawMessage `json:"body"`
	} `json:"response"`
	Error json.RawMessage `json:"error"`
}

// ReadBatchLine reads a line of a batch's results: the id of the call and what came of it. A call that
// failed is an *eval.Failure, and id says which; any other error is about the line itself.
func ReadBatchLine(line []byte) (id string, r eval.Reply, err error) {
	var l batchLine
	if err := json.Unmarshal(line, &l); err != nil {
		return "", eval.Reply{}, fmt.Errorf("read batch line: %w", err)
	}
	if l.ID == "" {
		return "", eval.Reply{}, errors.New("read batch line: no custom_id")
	}
	r, err = l.toReply()
	if err != nil {
		return l.ID, r, newBatchFailure(err)
	}
	return l.ID, r, nil
}

func (l *batchLine) toReply() (eval.Reply, error) {
	bad := bytes.TrimSpace(l.Error)
	failed := len(bad) > 0 && string(bad) != "null"
	switch {
	case l.Response == nil && !failed:
		return eval.Reply{}, &garbage{"neither a response nor an error"}
	case l.Response == nil:
		return eval.Reply{}, &refusal{body: bad}
	case l.Response.Status != 0 && (l.Response.Status < 200 || l.Response.Status > 299):
		return eval.Reply{}, &refusal{status: l.Response.Status, body: eval.Either(failed, bad, l.Response.Body)}
	case failed:
		return eval.Reply{}, &refusal{body: bad}
	}
	s, _ := readReplyShape(l.Response.Body)
	f, err := eval.Either(s.Object == "response", newResponseReply, newWireReply)(l.Response.Body)
	if err != nil {
		return eval.Reply{}, err
	}
	return f.replyOrError(l.Response.Body)
}

// newBatchFailure words what a line says. A batch that expired or was cancelled never asked.
func newBatchFailure(err error) *eval.Failure {
	var nobody secrets
	var r *refusal
	if w := (*withheld)(nil); errors.As(err, &w) {
		return &eval.Failure{Kind: eval.FailureSample, Message: nobody.cleanText("batch: " + err.Error())}
	}
	if !errors.As(err, &r) {
		return markUnusable(&eval.Failure{Kind: eval.FailureTransient, Message: nobody.cleanText("batch: " + err.Error())})
	}
	c := parseComplaint(r.body)
	f := &eval.Failure{Kind: r.kindOfRefusal(c), Status: r.status}
	if c.hasWord("batch_expired", "batch_cancelled", "rate_limit_exceeded", "server_error") {
		f.Kind = eval.FailureTransient
	}
	text := "batch"
	if r.status != 0 {
		text += fmt.Sprintf(": HTTP status %d", r.status)
	}
	if c.Message != "" {
		text += ": " + c.Message
	}
	if c.Code != "" {
		text += " [" + c.Code + "]"
	}
	f.Message = nobody.cleanText(text)
	return f
}

const (
	mark    = "[key]"
	longish = 8    // a piece of the key of this length is redacted
	secrecy = 16   // a key of this length that mixes letters and digits is a secret
	wordy   = 4    // a shorter one that is no secret is not looked for at all
	raw     = 4096 // of a text from outside, bytes looked at
	shown   = 400  // of them, characters shown
)

// masks are what anybody's keys look like: half hidden ones in vendors' messages, and those behind Bearer.
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
	if !s.looksRandom() {
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
		form = lowerASCII(strings.TrimRight(form, "="))
		s.forms = append(s.forms, form)
		for at := 0; at+s.least <= len(form); at++ {
			s.pieces[form[at:at+s.least]] = struct{}{}
		}
	}
	return s
}

// looksRandom reports whether the key is no word that a text may hold by itself.
func (s *secret) looksRandom() bool {
	return len(s.key) >= secrecy && strings.ContainsFunc(s.key, unicode.IsDigit) && strings.ContainsFunc(s.key, unicode.IsLetter)
}

// lowerASCII lowers ASCII letters only, so that offsets stay.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// redactPiecesOf takes the key out of a text, any piece of it of some length too.
func (s *secret) redactPiecesOf(text string) string {
	if len(s.pieces) == 0 {
		return text
	}
	low := lowerASCII(text)
	var b strings.Builder
	for i := 0; i < len(text); {
		if n := s.matchKeyLen(low[i:]); n > 0 {
			b.WriteString(mark)
			i += n
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// matchKeyLen gives the length of the longest piece of a form of the key that low
// begins with; 0 when there is none worth hiding.
func (s *secret) matchKeyLen(low string) int {
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

// stripWholeKey takes the whole key out of what a model answered. A key that is a word
// stays: the model may have said it.
func (s *secret) stripWholeKey(text string) string {
	if !s.looksRandom() || !strings.Contains(text, s.key) {
		return text
	}
	return strings.ReplaceAll(text, s.key, mark)
}

// secrets are all that calls to an endpoint carry and nobody may read elsewhere.
type secrets []*secret

func newSecrets(key string, headers, query map[string]string) *secrets {
	var out secrets
	if key != "" {
		out = append(out, newSecret(key))
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out = append(out, newSecret(headers[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if s := newSecret(query[name]); s.looksRandom() {
			out = append(out, s)
		}
	}
	return &out
}

// stripKeys takes the secrets out of what a model answered.
func (s secrets) stripKeys(text string) string {
	for _, one := range s {
		text = one.stripWholeKey(text)
	}
	return text
}

// cleanText makes a text from outside fit to be shown: without secrets, of sane
// length, with control characters made visible.
func (s secrets) cleanText(said string) string {
	said = said[:min(len(said), raw)]
	for _, one := range s {
		said = one.redactPiecesOf(said)
	}
	return text.Outside(masks.ReplaceAllString(said, mark)).Shorten(shown)
}
