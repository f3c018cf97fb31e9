package judge

import (
	"context"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// Captioner describes pictures by a model, for judges that are shown none
// (MLLM-Bench, App. F.6). It is safe for concurrent use.
type Captioner struct{ caller }

var _ eval.Captioner = (*Captioner)(nil)

// NewCaptioner checks that the setup can be carried out. The judge that it
// names is the model that describes.
func NewCaptioner(m Means) (*Captioner, error) {
	c, err := newCaller("captioner", prompt.Caption, m)
	if err != nil {
		return nil, err
	}
	return &Captioner{c}, nil
}

// Caption asks the model to describe the sample's pictures. A reply without a
// description between its marks is asked for again, and then a failure: what
// stands around the marks may be anything. The usage is that of all calls,
// beside an error too.
func (c *Captioner) Caption(ctx context.Context, s eval.Sample, pictures func(eval.PictureHash) ([]byte, error)) (eval.Caption, error) {
	out := eval.Caption{Sample: s.Ordinal, Model: c.Name(), Setup: c.setup}
	chat, ref, err := c.fill(&s, pictures)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	text := ""
	got, err := c.ask(ctx, call{chat: chat, template: prompt.Caption, item: c.item(), quote: head, read: func(r eval.Reply) (w prompt.Wrong) {
		text, w = description(r)
		return w
	}})
	out.Finish, out.Served, out.Usage = got.finish, got.served, got.usage
	switch {
	case err != nil:
		return out, err
	case text == "":
		return out, &eval.Failure{Kind: eval.FailureSample, Message: "the reply holds no description between its marks"}
	}
	out.Text = text
	return out, nil
}

// Chat is the first call about a sample's pictures. Its errors are failures:
// of the sample when it has no picture, or one that is not held.
func (c *Captioner) Chat(s eval.Sample, pictures func(eval.PictureHash) ([]byte, error)) (eval.Chat, error) {
	chat, _, err := c.fill(&s, pictures)
	return chat, err
}

func (c *Captioner) item() prompt.Item { return prompt.Item{Language: c.lang, Pictured: true} }

func (c *Captioner) fill(s *eval.Sample, pictures func(eval.PictureHash) ([]byte, error)) (eval.Chat, eval.PromptRef, error) {
	if len(s.Pictures) == 0 {
		return eval.Chat{}, eval.PromptRef{}, failure("sample %s has no picture to describe", s.ID)
	}
	chat, ref, err := c.means.Set.Fill(c.means.Setup.Prompts, prompt.Caption, c.item())
	if err == nil {
		chat.Pictures, err = prompt.Pictures(s, pictures)
	}
	return chat, ref, err
}

// description is what stands between the marks: from the last first mark to
// the next second one, or, in a reply that was cut off, to its end.
func description(r eval.Reply) (string, prompt.Wrong) {
	_, text := thought(r.Text)
	i := strings.LastIndex(text, prompt.CaptionBegin)
	if i < 0 {
		return "", wordy(r)
	}
	text, _, closed := strings.Cut(text[i+len(prompt.CaptionBegin):], prompt.CaptionEnd)
	text = strings.TrimSpace(text)
	if text == "" || !closed && r.Finish != "length" {
		return "", prompt.WrongWordy
	}
	return text, prompt.WrongUnset
}
