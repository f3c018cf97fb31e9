package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// Means are what every judge works with, whatever it is asked.
type Means struct {
	Setup   eval.JudgeSetup
	Chatter eval.Chatter // nil where Chat alone is called
	Set     *prompt.Set
	Hints   int // how often a reply that does not parse is asked for again; 0: DefaultHints; negative: never
}

// caller asks a judge model, and asks again what does not parse.
type caller struct {
	means Means
	setup string // hash
	lang  string // of templates that do not depend on the question's
}

// newCaller checks that the means suffice. A template that is asked in one
// language must be among those of the setup; "" for a caller that looks at the
// question first.
func newCaller(what, template string, m Means) (caller, error) {
	if m.Setup.Judge == "" {
		return caller{}, fmt.Errorf("make %s: it has no name", what)
	}
	if m.Set == nil {
		return caller{}, fmt.Errorf("make %s %s: it has no templates", what, m.Setup.Judge)
	}
	if err := m.Set.Check(m.Setup.Prompts); err != nil {
		return caller{}, fmt.Errorf("make %s %s: %w", what, m.Setup.Judge, err)
	}
	lang := cmp.Or(m.Setup.Language, prompt.English)
	if template != "" && !slices.ContainsFunc(m.Setup.Prompts, func(r eval.PromptRef) bool { return r.Name == template && r.Language == lang }) {
		return caller{}, fmt.Errorf("make %s %s: its settings name no template %s/%s", what, m.Setup.Judge, template, lang)
	}
	if m.Hints == 0 {
		m.Hints = DefaultHints
	}
	hash, _ := Hash(m.Setup)
	return caller{means: m, setup: hash, lang: lang}, nil
}

// Name is the judge's name in reports.
func (c *caller) Name() string { return c.means.Setup.Judge }

// call is one question to a judge model: what it is told first, and how its
// replies are read. Of a reply that does not parse, head or tail is quoted.
type call struct {
	chat     eval.Chat
	template string
	item     prompt.Item
	read     func(eval.Reply) prompt.Wrong
	quote    func(string) string
}

// said is what came of a call. Raw is the last reply, whether it parses or
// not; beside an error there is none.
type said struct {
	raw, finish, served string
	earlier             []string // replies that did not parse and were asked for again
	usage               eval.Usage
}

// ask makes the call until a reply parses or no hint is left. Errors are those
// of a Chatter; the usage is that of all calls, beside an error too.
func (c *caller) ask(ctx context.Context, q call) (said, error) {
	var out said
	for hints := c.means.Hints; ; hints-- {
		reply, err := c.means.Chatter.Chat(ctx, q.chat)
		out.usage.Add(reply.Usage)
		out.served = cmp.Or(reply.Model, out.served)
		if err != nil {
			return out, err
		}
		q.item.Wrong = q.read(reply)
		if q.item.Wrong == prompt.WrongUnset || hints <= 0 {
			out.raw, out.finish = reply.Text, reply.Finish
			return out, nil
		}
		out.earlier = append(out.earlier, reply.Text)
		hint, err := c.means.Set.Again(c.means.Setup.Prompts, q.template, q.item)
		if err != nil {
			return out, err
		}
		q.chat = remind(q.chat, q.quote(reply.Text), hint)
	}
}

// wordy is what is wrong with a reply that does not say what it should.
func wordy(r eval.Reply) prompt.Wrong {
	if strings.TrimSpace(r.Text) == "" {
		return prompt.WrongEmpty
	}
	return prompt.WrongWordy
}

func failure(format string, args ...any) error {
	return &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: fmt.Sprintf(format, args...)}
}
