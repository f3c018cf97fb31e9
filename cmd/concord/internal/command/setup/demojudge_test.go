package setup

import (
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/demo"
	"concord/eval/extract"
	"concord/eval/judge"
	"concord/eval/openai/chatserver"
	"concord/eval/prompt"
)

// Under concord's own prompt the demo's judge says what is recorded; under another one
// some of it is otherwise.
func TestDemoJudgeHeedsItsPrompt(t *testing.T) {
	p, err := demo.BuildProject()
	if err != nil {
		t.Fatal(err)
	}
	e := newDemoEndpoint(p, chatserver.Options{})
	set, err := prompt.LoadSet(nil)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := extract.FindRules(extract.Default)
	if err != nil {
		t.Fatal(err)
	}
	asked, other := 0, 0
	for i := range p.Samples {
		s := &p.Samples[i]
		j, err := judge.New(judge.Options{Set: set, Setup: eval.JudgeSetup{Judge: p.Judge, Prompts: set.Refs(prompt.JudgeTemplate(s.Kind))}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range p.Models {
			reply, ok := m.RecordedReply(s.ID, 0)
			want, judged := m.RecordedJudgment(s, 0)
			if !ok || !judged || !eval.ReadPrediction(rules, s, &eval.Prediction{Text: reply.Text}).IsUnparsable() {
				continue // a judge is asked about what the rules cannot read
			}
			chat, err := j.BuildChat(eval.JudgeQuestion{Sample: *s, Shown: s.ShowInPass(0), Prediction: eval.Prediction{Text: reply.Text}})
			if err != nil {
				t.Fatal(err)
			}
			own := chat.System + "\n" + chat.Turns[0].Text
			if slices.ContainsFunc(p.Models, func(o *demo.Model) bool {
				other, ok := o.RecordedReply(s.ID, 0)
				return ok && o != m && len(other.Text) >= len(reply.Text) && strings.Contains(own, other.Text)
			}) {
				continue // the prompt does not tell whose answer it is
			}
			asked++
			if got := e.replyAsJudge(s, 0, own); got != formatAsJudgeReply(want) {
				t.Errorf("%s, %s: %q under the own prompt, want %q", m.Name, s.ID, got, formatAsJudgeReply(want))
			}
			if e.replyAsJudge(s, 0, "Read the last sentence first. "+own) != formatAsJudgeReply(want) {
				other++
			}
		}
	}
	if asked < 20 || other == 0 || other > asked/3 {
		t.Errorf("%d of %d otherwise under another prompt", other, asked)
	}
}
