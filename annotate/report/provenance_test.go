package report

import (
	"bytes"
	"strings"
	"testing"

	"concord/annotate/report/reporttest"
	"concord/annotate/report/table"
	"concord/eval"
)

func TestSettings(t *testing.T) {
	p := &reporttest.Votes{Memory: reporttest.New()}
	p.AddDataset("d", make([]eval.Sample, 1)...)
	a := p.AddRun(eval.Config{Dataset: "d", Model: "a", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Asked, Rules: "concord", Settings: eval.Settings{
		Endpoint: "http://e", Params: "{}", Prompts: []eval.PromptRef{{Name: "ask", Language: "en", Version: "1", Hash: strings.Repeat("ab", 32)}}, Shots: 2,
		Judges: []eval.JudgeSetup{{Judge: "gpt", Name: "gpt-4"}}, Fallback: true, Seed: 7,
	}})
	b := p.AddRun(eval.Config{Dataset: "d", Model: "b", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, File: "b.json"})
	v := p.AddVote(0, a, b, eval.Answer1)
	v.Prompt, v.Setup = strings.Repeat("12", 32), strings.Repeat("34", 32)
	s, err := ReadProvenance(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := s.Render(&text, table.FormatMarkdown); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ask en 1 (abababababab)", "gpt (gpt-4)", "drawn, seed 7", "http://e", "b.json", "121212121212", "343434343434"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	text.Reset()
	if err := s.Render(&text, table.FormatJSON); err != nil || !strings.Contains(text.String(), `"prompts": "121212121212"`) || strings.Contains(text.String(), `"-"`) {
		t.Errorf("%v in %s", err, &text)
	}
}
