package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"concord/eval"
)

// complaint is what an error's body says, in the shapes that servers use:
// {"error": {...}}, {"error": "text"}, {"message": ...}, {"detail": ...}, a
// list of one of them, or no JSON at all.
type complaint struct {
	Message, Type, Code, Param string
}

func complain(body []byte) complaint {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return complaint{Message: title(string(body[:min(len(body), raw)]))}
	}
	return complaintOf(v, 0)
}

func complaintOf(v any, depth int) complaint {
	switch x := v.(type) {
	case []any:
		if len(x) > 0 && depth < 4 {
			return complaintOf(x[0], depth+1)
		}
	case map[string]any:
		if inner, ok := x["error"]; ok && inner != nil && depth < 4 {
			if c := complaintOf(inner, depth+1); c != (complaint{}) {
				return c
			}
		}
		c := complaint{word(x["message"]), word(x["type"]), word(x["code"]), word(x["param"])}
		for _, other := range []string{"detail", "msg", "error_msg", "title"} {
			if c.Message == "" && x[other] != nil {
				c.Message = word(x[other])
			}
		}
		return c
	case nil:
		return complaint{}
	}
	return complaint{Message: word(v)}
}

// word is a value as text: JSON where it is no text.
func word(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	}
	text, _ := json.Marshal(v) // it was decoded from JSON
	return string(text)
}

// title is a web page's title, or the text itself.
func title(text string) string {
	low := fold(text)
	if from := strings.Index(low, "<title>"); from >= 0 {
		if to := strings.Index(low[from:], "</title>"); to >= 0 {
			return text[from+len("<title>") : from+to]
		}
	}
	return text
}

// has reports whether code or type is one of the words.
func (c *complaint) has(words ...string) bool {
	for _, w := range words {
		if c.Code == w || c.Type == w {
			return true
		}
	}
	return false
}

// kindOf tells what can be done about an HTTP status with its complaint:
// configuration stops the run, a few are about the sample, and what is neither
// is tried again.
func kindOf(status int, c complaint) eval.FailureKind {
	switch {
	case c.filters():
		return eval.FailureSample
	case status == 429 && c.has("insufficient_quota", "billing_hard_limit_reached"):
		return eval.FailureConfiguration
	case status == 401 || status == 402 || status == 403 || status == 404 || status == 405 || status == 407 || status == 410:
		return eval.FailureConfiguration
	case status >= 300 && status < 400:
		return eval.FailureConfiguration
	case status == 400 && c.refusesAll():
		return eval.FailureConfiguration
	case status == 400 || status == 406 || status == 413 || status == 414 || status == 415 || status == 416 || status == 422 || status == 431 || status == 451:
		return eval.FailureSample
	}
	return eval.FailureTransient
}

// filters reports whether a content filter held back the question.
func (c *complaint) filters() bool {
	return c.has("content_filter", "content_policy_violation", "image_content_policy_violation")
}

// refusesAll reports whether a bad request is bad for every sample: the
// parameters that a model does not take, its name, the key.
func (c *complaint) refusesAll() bool {
	return c.has("invalid_api_key", "model_not_found") || c.refusesParam() || c.wantsTLS()
}

func (c *complaint) refusesParam() bool {
	return c.has("unsupported_parameter", "unsupported_value", "unknown_parameter") && !strings.HasPrefix(c.Param, "messages")
}

// wantsTLS recognises what servers (net/http, nginx) say to http on the port
// of https: in plain text, so with no code.
func (c *complaint) wantsTLS() bool {
	return c.Code == "" && strings.Contains(c.Message, "HTTP request") && strings.Contains(c.Message, "HTTPS")
}
