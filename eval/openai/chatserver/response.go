package chatserver

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
)

// Response is what a model answers. Usage that is 0 is guessed from the texts' lengths.
type Response struct {
	Text       string
	Reasoning  string // sent in reasoning_content
	Refusal    string
	Finish     string  // "" is stop
	Prompt     int     // tokens
	Completion int     // tokens, thinking included
	Thinking   int     // tokens of Completion
	Sure       float64 // probability of the last word (of each piece of a stream), when it is asked for; 0: none is told
	Fault      Fault   // what Options.Serve is to do to this answer
}

// Fault is a way to misbehave, by the numbers of whoever serves calls otherwise. The zero value is none.
type Fault uint8

func (p *Response) fillUsageAndFinish(r *Request) {
	p.Finish = cmp.Or(p.Finish, "stop")
	if p.Prompt == 0 {
		for _, t := range r.Turns {
			p.Prompt += len(t.Text)/4 + 1
		}
		p.Prompt += len(r.System)/4 + 256*len(r.Pictures)
	}
	p.Completion = cmp.Or(p.Completion, (len(p.Text)+len(p.Reasoning)+len(p.Refusal))/4+1)
}

const created = 1700000000 // what every answer says of when it was made

type object = map[string]any

// encodeJSON gives a value as JSON, which an answer always is.
func encodeJSON(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}

// buildBody builds the whole answer, with what it cost or without. As one map it took three times as long.
func (p *Response) buildBody(r *Request, usage bool) []byte {
	message := struct {
		Role      string  `json:"role"`
		Content   *string `json:"content"`
		Refusal   string  `json:"refusal,omitempty"`
		Reasoning string  `json:"reasoning_content,omitempty"`
	}{"assistant", &p.Text, p.Refusal, p.Reasoning}
	if p.Refusal != "" && p.Text == "" {
		message.Content = nil
	}
	cost := ""
	if usage {
		cost = `,"usage":` + string(p.usageObject())
	}
	return fmt.Appendf(nil, `{"id":"chatcmpl-%d","object":"chat.completion","created":%d,"model":%s,"choices":[{"index":0,"message":%s,"finish_reason":%s,"logprobs":%s}]%s}`,
		r.Number, created, encodeJSON(r.Model), encodeJSON(message), encodeJSON(p.Finish), encodeJSON(p.logProbs(r, p.Text)), cost)
}

// logProbs are those of the words of a text: that of the last one as the response
// says, and 0 of the others. It is nil where nobody asked, or none is told.
func (p *Response) logProbs(r *Request, said string) any {
	if p.Sure == 0 || string(r.Params()["logprobs"]) != "true" {
		return nil
	}
	var content []object
	for word := range strings.SplitAfterSeq(said, " ") {
		bytes := make([]int, len(word))
		for i := range bytes {
			bytes[i] = int(word[i])
		}
		content = append(content, object{"token": word, "logprob": 0.0, "bytes": bytes, "top_logprobs": []object{}})
	}
	content[len(content)-1]["logprob"] = math.Log(p.Sure)
	return object{"content": content}
}

// buildChunk builds an event of a streamed answer, with its choices.
func (p *Response) buildChunk(r *Request, choices ...object) object {
	return object{"id": fmt.Sprintf("chatcmpl-%d", r.Number), "object": "chat.completion.chunk", "created": created, "model": r.Model, "choices": choices}
}

func (p *Response) usageObject() json.RawMessage {
	details := ""
	if p.Thinking > 0 {
		details = fmt.Sprintf(`,"completion_tokens_details":{"reasoning_tokens":%d}`, p.Thinking)
	}
	return fmt.Appendf(nil, `{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d%s}`, p.Prompt, p.Completion, p.Prompt+p.Completion, details)
}

// buildStreamEvents builds the answer in pieces of some words.
func (p *Response) buildStreamEvents(r *Request, usage bool) (all [][]byte) {
	send := func(o object) { all = append(all, append(append([]byte("data: "), encodeJSON(o)...), "\n\n"...)) }
	say := func(field, text string) {
		for text != "" {
			n := min(len(text), 24)
			for n < len(text) && text[n]&0xc0 == 0x80 {
				n++
			}
			choice := object{"index": 0, "delta": object{field: text[:n]}, "finish_reason": nil}
			if field == "content" {
				choice["logprobs"] = p.logProbs(r, text[:n])
			}
			send(p.buildChunk(r, choice))
			text = text[n:]
		}
	}
	send(p.buildChunk(r, object{"index": 0, "delta": object{"role": "assistant", "content": ""}, "finish_reason": nil}))
	say("reasoning_content", p.Reasoning)
	say("refusal", p.Refusal)
	say("content", p.Text)
	send(p.buildChunk(r, object{"index": 0, "delta": object{}, "finish_reason": p.Finish}))
	if usage {
		send(object{"model": r.Model, "choices": []object{}, "usage": p.usageObject()})
	}
	return append(all, []byte("data: [DONE]\n\n"))
}

// Juror votes on pairs of answers, for whoever plays a judge model. What it says follows from the two
// answers and the seed alone, whichever is shown first, but for its share of positional votes. The
// shares are taken in this order and add up to at most 1; what they leave goes to one of the answers on
// its merits.
type Juror struct {
	Seed      uint64
	First     float64 // share of the pairs of which the answer shown first is preferred
	Undecided float64 // share of the pairs that it cannot decide, half of them in each situation
	Wordy     float64 // share of the pairs on which its reply holds no vote, every other one also when asked again
}

// VoteOnAnswers is the reply to a prompt that shows two answers behind lines that end in
// "Answer1" and "Answer2"; false for any other prompt.
func (j Juror) VoteOnAnswers(r *Request) (Response, bool) {
	if len(r.Turns) == 0 {
		return Response{}, false
	}
	a, b, ok := FindAnswers(r.Turns[0].Text)
	if !ok {
		return Response{}, false
	}
	return Response{Text: j.writeVote(a, b, len(r.Turns) > 1)}, true
}

func (j Juror) writeVote(a, b string, again bool) string {
	swapped := b < a
	if swapped {
		a, b = b, a
	}
	h := fnv.New64a()
	_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(a))))
	_, _ = h.Write([]byte(a + b))
	g := rand.New(rand.NewPCG(j.Seed, h.Sum64()))
	share, other := g.Float64(), g.IntN(2) == 1
	switch {
	case share < j.First:
		return "Answer1"
	case share < j.First+j.Undecided && other:
		return "unable to decide: situation one"
	case share < j.First+j.Undecided:
		return "unable to decide: situation two"
	case share < j.First+j.Undecided+j.Wordy && (other || !again):
		return "Both have something to them, and I would not like to choose."
	case other != swapped:
		return "The second fits better.\n\nAnswer2"
	}
	return "Answer1"
}

// FindAnswers finds the two answers in a prompt: each between a line that ends in
// its name and the next line that begins as that one does.
func FindAnswers(prompt string) (a, b string, ok bool) {
	lines := strings.Split(prompt, "\n")
	fence := ""
	for i, l := range lines {
		if mark, found := strings.CutSuffix(l, " Answer1"); found && mark != "" && !strings.Contains(mark, " ") {
			fence, lines = mark+" ", lines[i+1:]
			break
		}
	}
	if fence == "" {
		return "", "", false
	}
	var parts [2][]string
	at := 0
	for _, l := range lines {
		switch {
		case at == 0 && l == fence+"Answer2":
			at = 1
		case strings.HasPrefix(l, fence):
			return strings.Join(parts[0], "\n"), strings.Join(parts[1], "\n"), at == 1
		default:
			parts[at] = append(parts[at], l)
		}
	}
	return "", "", false
}

// Request is a call as the answer function sees it. Body is valid until that returns.
type Request struct {
	Model, System string
	Turns         []Turn
	Pictures      []Picture // of all turns, in order
	Stream        bool
	Key           string          // behind Bearer
	Body          json.RawMessage // all of it
	Asked         int             // how often the same was asked before, where somebody counts that
	Number        int             // of the call, from 1
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

// MediaType is the picture's media type, as "image/png".
func (p Picture) MediaType() string {
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
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or a list of parts
}

// readTextAndPictures reads a message's text, and puts the pictures of its parts into the request.
func (m *wireMessage) readTextAndPictures(r *Request) (text string, err error) {
	switch content := m.Content.(type) {
	case nil:
	case string:
		text = content
	case []any:
		for _, p := range content {
			part, sound := p.(object)
			said, ok := part["text"].(string)
			sound = sound && (ok || part["text"] == nil)
			text += said
			if part["type"] == "image_url" {
				image, _ := part["image_url"].(object)
				url, ok := image["url"].(string)
				sound = sound && ok
				r.Pictures = append(r.Pictures, Picture(url))
			}
			if !sound {
				return "", errors.New("parse body: a part of the content is not an object with a text or an image_url")
			}
		}
	default:
		err = errors.New("parse body: content is neither a text nor a list of parts")
	}
	return text, err
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
		text, err := m.readTextAndPictures(r)
		if err != nil {
			return nil, err
		}
		if m.Role == "system" {
			r.System = text
			continue
		}
		r.Turns = append(r.Turns, Turn{m.Role, text})
	}
	return r, nil
}
