package prompt

import (
	"strings"
	"testing"

	"concord/eval"
)

func mustLoad(t testing.TB, overrides map[string]string) *Set {
	t.Helper()
	s, err := LoadSet(overrides)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var all = []string{Choice, ChoiceTextOnly, ChoiceShots, YesNo, Open, ExtractChoice, ReadYesNo}

func TestEveryTemplateInBothLanguages(t *testing.T) {
	s := mustLoad(t, nil)
	refs := s.Refs(all...)
	if len(refs) != 2*len(all) {
		t.Fatalf("got %d templates, want %d", len(refs), 2*len(all))
	}
	hashes := make(map[string]bool)
	for _, r := range refs {
		if r.Version == "" || r.Version == "file" || len(r.Hash) != 64 {
			t.Errorf("%s/%s: version %q, hash %q", r.Name, r.Language, r.Version, r.Hash)
		}
		if hashes[r.Hash] {
			t.Errorf("%s/%s: its hash is another one's too", r.Name, r.Language)
		}
		hashes[r.Hash] = true
		text, ok := s.TemplateText(r.Name, r.Language)
		if !ok || text.Ref != r {
			t.Errorf("%s/%s: Text gives %v, %v", r.Name, r.Language, text.Ref, ok)
		}
	}
	if err := s.RequireUnchanged(refs); err != nil {
		t.Error(err)
	}
	if _, ok := s.TemplateText(Choice, "fr"); ok {
		t.Error("there is a French text")
	}
}

func TestTemplatesOfComparingAreEnglish(t *testing.T) {
	s := mustLoad(t, nil)
	names := []string{Caption, Grade, GradeSample, Score, Translate, Vote, VoteBoth, VoteCaption, VoteDetections}
	refs := s.Refs(names...)
	if len(refs) != len(names) {
		t.Fatalf("got %d templates, want %d", len(refs), len(names))
	}
	for i, r := range refs {
		if r.Name != names[i] || r.Language != English || r.Version == "" || r.Version == "file" || len(r.Hash) != 64 {
			t.Errorf("got %+v", r)
		}
	}
	if got := len(s.templates); got != 2*len(all)+len(names) {
		t.Errorf("there are %d templates", got)
	}
}

func TestOverride(t *testing.T) {
	plain := "Q {{.Question}} O {{range .Options}}{{.Letter}}{{.Text}}{{end}}"
	s := mustLoad(t, map[string]string{
		"choice":    plain,
		"choice/zh": "---\nversion: mine\n---\n" + plain + "!",
	})
	en, _ := s.TemplateText(Choice, English)
	zh, _ := s.TemplateText(Choice, Chinese)
	if en.Ref.Version != "file" || zh.Ref.Version != "mine" || en.Ref.Hash == zh.Ref.Hash {
		t.Errorf("got %+v and %+v", en.Ref, zh.Ref)
	}
	again := mustLoad(t, map[string]string{"choice/en": "\ufeff" + strings.ReplaceAll(en.Text, "\n", "\r\n")})
	if text, _ := again.TemplateText(Choice, English); text != en {
		t.Errorf("a text written out and read again is %+v", text.Ref)
	}
	ours := mustLoad(t, nil)
	if err := s.RequireUnchanged(ours.Refs(Choice)); err == nil || !strings.Contains(err.Error(), "choice/en has changed") {
		t.Errorf("check of another text gives %v", err)
	}
	if err := s.RequireUnchanged(ours.Refs(Open)); err != nil {
		t.Error(err)
	}
}

func TestOverrideOfOneLanguage(t *testing.T) {
	s := mustLoad(t, map[string]string{"open": "---\nlanguage: zh\n---\n请回答：{{.Question}}"})
	en, _ := s.TemplateText(Open, English)
	zh, _ := s.TemplateText(Open, Chinese)
	if en.Ref.Version == "file" || zh.Ref.Version != "file" {
		t.Errorf("got %+v and %+v", en.Ref, zh.Ref)
	}
}

func TestOverrideKeepsOurWordsForAskingAgain(t *testing.T) {
	s := mustLoad(t, map[string]string{"extract-choice/en": "{{.Question}}{{.Answer}}{{range .Options}}{{.Text}}{{end}}"})
	item := Item{Language: English, Options: []eval.Option{{Letter: "A", Text: "a"}}, Pseudo: "Z", Wrong: WrongEmpty}
	text, err := s.FillReminder(s.Refs(ExtractChoice), ExtractChoice, item)
	if err != nil || !strings.Contains(text, "exactly one of A or Z") {
		t.Errorf("got %q, %v", text, err)
	}
	whole, _ := s.TemplateText(ExtractChoice, English)
	if !strings.Contains(whole.Text, `define "again"`) {
		t.Error("the text that is stored lacks a part of what was told")
	}
}

func TestBadOverrides(t *testing.T) {
	check := func(key, text, want string) {
		t.Helper()
		_, err := LoadSet(map[string]string{key: text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q gives %v, want %q in it", key, text, err, want)
		}
	}
	check("chioce", "x", `unknown template "chioce"`)
	check("choice/fr", "x", "unknown template")
	check("choice/en", "{{.Question}}\n\n{{if .Hint}}", "choice/en:3")
	check("choice/en", "---\nname: choice\n---\n{{.Question}}\n{{end}}", "choice/en:5")
	check("choice", "{{.Question}}{{range .Options}}{{.Text}}{{end}}\n{{.Anser}}", "choice/en:2")
	check("extract-choice", "{{.Question}}{{.Answer}}{{range .Options}}{{.Text}}{{end}}{{if eq .Wrong \"several\"}}{{.X}}{{end}}", "can't evaluate field X")
	check("choice", "Answer!", "does not show the question")
	check("choice", "{{.Question}}", "does not show the options")
	check("read-yesno", "{{.Question}}", "does not show the answer")
	check("choice-shots", "{{.Question}}{{range .Options}}{{.Text}}{{end}}", "does not show the worked examples")
	check("open", "---\nname: open\n{{.Question}}", "header")
	check("open", "---\nname: choice\n---\n{{.Question}}", `its header says it is "choice"`)
	check("open/en", "---\nlanguage: zh\n---\n{{.Question}}", `its language is "zh"`)
	check("open", "---\nauthor: me\n---\n{{.Question}}", "open:2")
	check("open", "", "does not show the question")
	check("vote/zh", "x", `unknown template "vote/zh"`)
	check("vote", "{{.Question}}{{.Answer1}}{{.Criteria}}", "does not show the second answer")
	check("vote", "{{.Question}}{{.Answer1}}{{.Answer2}}", "does not show the criteria")
	check("vote-caption", "{{.Question}}{{.Answer1}}{{.Answer2}}{{.Criteria}}", "does not show the caption")
	check("vote-detections", "{{.Question}}{{.Answer1}}{{.Answer2}}{{.Criteria}}{{.Caption}}", "does not show the detected objects")
	check("vote-both", "{{.Question}}{{.Answer1}}{{.Answer2}}{{.Criteria}}{{.Caption}}", "does not show the detected objects")
	check("vote-detections", "{{.Question}}{{.Answer1}}{{.Answer2}}{{.Criteria}}{{range .Objects}}{{.Label}}{{else}}{{.X}}{{end}}", "can't evaluate field X")
	check("caption", "Describe it.\n{{.Begin}}", "does not show the mark behind the description")
	check("score", "{{.Question}}{{.Answer}}", "does not show the right answer")
}

func TestLanguage(t *testing.T) {
	check := func(q, forced, want string) {
		t.Helper()
		if got := QuestionLanguage(q, forced); got != want {
			t.Errorf("%q forced %q: %s, want %s", q, forced, got, want)
		}
	}
	check("What is this?", "", English)
	check("图中是什么？", "", Chinese)
	check("What does 北京 mean?", "", Chinese)
	check("图中是什么？", English, English)
	check("", "", English)
	check("Où est-ce ？", "", English)
}

func TestNames(t *testing.T) {
	check := func(k eval.Kind, m eval.Modality, shots int, want string) {
		t.Helper()
		if got := QuestionTemplate(k, m, shots); got != want {
			t.Errorf("%s %s %d: %q, want %q", k, m, shots, got, want)
		}
	}
	check(eval.KindChoice, eval.WithImage, 0, Choice)
	check(eval.KindChoice, eval.GreyImage, 0, Choice)
	check(eval.KindChoice, eval.TextOnly, 0, ChoiceTextOnly)
	check(eval.KindChoice, eval.BaseText, 0, ChoiceTextOnly)
	check(eval.KindChoice, eval.BaseText, 2, ChoiceShots)
	check(eval.KindYesNo, eval.TextOnly, 2, YesNo)
	check(eval.KindOpen, eval.WithImage, 0, Open)
	check(eval.KindUnset, eval.WithImage, 0, "")
	got := TemplatesFor([]eval.Kind{eval.KindYesNo, eval.KindChoice, eval.KindYesNo}, eval.WithImage, 0)
	if strings.Join(got, " ") != "choice yesno" {
		t.Errorf("got %v", got)
	}
}
