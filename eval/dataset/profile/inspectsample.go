package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/eval/dataset/column"
	"concord/eval/dataset/internal/fastio"
)

// inspectSample is a sample of inspect_ai's log, less what nobody asks for here.
type inspectSample struct {
	ID       json.RawMessage            `json:"id"`
	Epoch    int                        `json:"epoch"`
	Input    json.RawMessage            `json:"input"`
	Choices  []string                   `json:"choices"`
	Target   json.RawMessage            `json:"target"`
	Output   *inspectOutput             `json:"output"`
	Scores   map[string]inspectScore    `json:"scores"`
	Metadata map[string]json.RawMessage `json:"metadata"`
	Attached map[string]string          `json:"attachments"`
	Error    *struct{ Message string }  `json:"error"`
}

type inspectOutput struct {
	Choices []struct {
		Message struct{ Content json.RawMessage }
	} `json:"choices"`
	Completion string `json:"completion"`
}

type inspectScore struct {
	Value  json.RawMessage `json:"value"`
	Answer json.RawMessage `json:"answer"`
}

// inspectPart is a piece of a message's content.
type inspectPart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image string `json:"image"`
}

var errEpoch = errors.New("a later epoch of a sample: only the first one's answer is taken")

// fromInspect gives a sample of a log the names of VLMEvalKit.
func (l *inspectLog) fromInspect(text []byte) (map[string]json.RawMessage, error) {
	var in inspectSample
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("%w: %w", fastio.ErrNoObject, err)
	}
	if in.Epoch > 1 {
		return nil, errEpoch
	}
	out := map[string]json.RawMessage{"index": in.ID}
	question, images, paths := in.input()
	for name, value := range map[string]any{
		"question": question, "source": l.Dataset.Name, "answer": in.target(),
		columnScores: in.scores(),
	} {
		put(out, name, value)
	}
	if len(in.Choices) > 0 {
		for i, c := range in.Choices {
			in.Choices[i] = in.attached(c)
		}
		put(out, "options", in.Choices)
	}
	put(out, "image", column.OneOrList(images))
	put(out, "image_path", column.OneOrList(paths))
	for _, name := range []string{"category", "subject"} {
		if v, ok := in.Metadata[name]; ok && out["category"] == nil {
			out["category"] = v
		}
	}
	if answer, ok := in.answer(); ok {
		put(out, "prediction", answer)
	} else if in.Error != nil {
		return out, fmt.Errorf("the sample failed: %.200s", in.Error.Message)
	}
	return out, nil
}

// put sets a value that says something.
func put(out map[string]json.RawMessage, name string, value any) {
	if value == nil {
		return
	}
	if text, err := json.Marshal(value); err == nil {
		out[name] = text
	}
}

// attached is a text that may stand among the attachments.
func (s *inspectSample) attached(text string) string {
	if id, ok := strings.CutPrefix(text, "attachment://"); ok {
		if found, ok := s.Attached[id]; ok {
			return found
		}
	}
	return text
}

// input is the question's text and pictures: a string, or what the user's
// messages say.
func (s *inspectSample) input() (question string, images, paths []string) {
	var text string
	if json.Unmarshal(s.Input, &text) == nil {
		return s.attached(text), nil, nil
	}
	var messages []struct {
		Role    string
		Content json.RawMessage
	}
	if json.Unmarshal(s.Input, &messages) != nil {
		return "", nil, nil
	}
	var said []string
	for _, m := range messages {
		if m.Role != "user" {
			continue
		}
		for _, p := range s.content(m.Content) {
			switch {
			case p.Type == "text":
				said = append(said, p.Text)
			case p.Type == "image" && strings.HasPrefix(p.Image, "data:"):
				images = append(images, p.Image)
			case p.Type == "image":
				paths = append(paths, p.Image)
			}
		}
	}
	return strings.Join(said, "\n"), images, paths
}

// content is a message's content: a string, or a list of parts.
func (s *inspectSample) content(raw json.RawMessage) []inspectPart {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []inspectPart{{Type: "text", Text: s.attached(text)}}
	}
	var parts []inspectPart
	if json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	for i := range parts {
		parts[i].Text, parts[i].Image = s.attached(parts[i].Text), s.attached(parts[i].Image)
	}
	return parts
}

// answer is what the model said; not ok when it said nothing at all.
func (s *inspectSample) answer() (string, bool) {
	if s.Output == nil || len(s.Output.Choices) == 0 && s.Output.Completion == "" {
		return "", false
	}
	if len(s.Output.Choices) == 0 {
		return s.attached(s.Output.Completion), true
	}
	var said []string
	for _, p := range s.content(s.Output.Choices[0].Message.Content) {
		if p.Type == "text" {
			said = append(said, p.Text)
		}
	}
	return strings.Join(said, "\n"), true
}

// target is the truth: one text, or several that all are right.
func (s *inspectSample) target() string {
	var list []string
	if json.Unmarshal(s.Target, &list) != nil {
		return s.attached(string(fastio.Text(s.Target)))
	}
	for i := range list {
		list[i] = s.attached(list[i])
	}
	return strings.Join(list, "; ")
}

// scores is what the log's own scorers say, by their names.
func (s *inspectSample) scores() any {
	var out []LogScore
	for _, name := range slices.Sorted(maps.Keys(s.Scores)) {
		score := s.Scores[name]
		one := LogScore{Scorer: "inspect_ai/" + name, Right: scoredRight(score.Value), Raw: string(fastio.Text(score.Value))}
		var answer string
		if json.Unmarshal(score.Answer, &answer) == nil {
			one.Answer, one.Read = s.attached(answer), true
		}
		out = append(out, one)
	}
	if out == nil {
		return nil
	}
	return out
}
