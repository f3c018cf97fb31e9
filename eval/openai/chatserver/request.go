package chatserver

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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
	Asked    int             // how often the same was asked before, where somebody counts that
	Number   int             // of the call, from 1
}

// Turn is a message that is not the system's.
type Turn struct{ Role, Text string }

// Picture is a picture's data URL.
type Picture string

// Decode decodes the picture.
func (p Picture) Decode() ([]byte, error) {
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

func parseRequest(body []byte) (*Request, error) {
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
