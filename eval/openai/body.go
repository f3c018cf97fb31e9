package openai

import (
	"errors"
	"slices"

	"concord/eval"
)

// errTurns is about a chat that says nothing to answer.
var errTurns = &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: "chat without a turn of the user's at its begin and end"}

// Body is the request body exactly as Chat would send it.
func (m *Model) Body(c eval.Chat) ([]byte, error) { return m.body(c, m.tail) }

func (m *Model) body(c eval.Chat, tail []byte) ([]byte, error) {
	if len(c.Turns) == 0 || c.Turns[0].Role != eval.User || c.Turns[len(c.Turns)-1].Role != eval.User {
		return nil, errTurns
	}
	urls := make([][]byte, len(c.Pictures))
	size := len(m.head) + len(tail) + len(c.System) + len(c.System)/8 + 64
	for i, file := range c.Pictures {
		url, err := m.endpoint.urls.url(i, file, m.edge)
		if err != nil {
			return nil, err
		}
		urls[i] = url
		size += len(url) + 64
	}
	for i := range c.Turns {
		size += len(c.Turns[i].Text) + len(c.Turns[i].Text)/8 + 64
	}
	b := append(make([]byte, 0, size), m.head...)
	if c.System != "" {
		b = append(b, `{"role":"system","content":`...)
		b = append(appendQuote(b, c.System), '}', ',')
	}
	for i, t := range c.Turns {
		if i > 0 {
			b = append(b, ',')
		}
		if t.Role == eval.RoleUnset {
			return nil, errTurns
		}
		b = append(append(append(b, `{"role":"`...), t.Role.String()...), `","content":`...)
		if i == 0 && len(urls) > 0 {
			b = appendParts(b, urls, t.Text, c.Places)
		} else {
			b = appendQuote(b, t.Text)
		}
		b = append(b, '}')
	}
	return append(b, tail...), nil
}

// appendParts appends the pictures and the text that is asked about them: each
// picture at its place in the text, and before it those that have none.
func appendParts(b []byte, urls [][]byte, text string, places []eval.Place) []byte {
	picture := func(i int) {
		b = append(b, `{"type":"image_url","image_url":{"url":`...)
		b = append(append(b, urls[i]...), `}},`...)
	}
	written := func(text string) {
		if text != "" {
			b = append(b, `{"type":"text","text":`...)
			b = append(appendQuote(b, text), '}', ',')
		}
	}
	b = append(b, '[')
	for i := range urls {
		if !slices.ContainsFunc(places, func(p eval.Place) bool { return p.Picture == i }) {
			picture(i)
		}
	}
	from := 0
	for _, p := range places {
		written(text[from:p.At])
		picture(p.Picture)
		from = p.At
	}
	written(text[from:])
	b[len(b)-1] = ']'
	return b
}

// estimate guesses the prompt's and the answer's tokens before there is a
// usage to learn from: four bytes a token, a thousand a picture.
func (m *Model) estimate(c eval.Chat) int {
	n := len(c.System)/4 + 8 + 1000*len(c.Pictures)
	for i := range c.Turns {
		n += len(c.Turns[i].Text)/4 + 4
	}
	if m.room > 0 {
		return n + min(m.room, 1024)
	}
	return n + 256
}

// batchPath is where a batch's calls go, whatever the endpoint.
const batchPath = "/v1/chat/completions"

// BatchLine is the call as one line of the OpenAI Batch format, without the
// line's end. It never streams.
func (m *Model) BatchLine(id string, c eval.Chat) ([]byte, error) {
	if id == "" {
		return nil, errors.New("write batch line: no id")
	}
	body, err := m.body(c, m.still)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(body)+len(id)+96)
	b = appendQuote(append(b, `{"custom_id":`...), id)
	b = append(b, `,"method":"POST","url":"`+batchPath+`","body":`...)
	return append(append(b, body...), '}'), nil
}
