package dataset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
)

const benchQuestions = `[
 {"id": 0, "image_path": "./data/images/0.png", "question": "What is it?\nA. not an option\nB. nor this",
  "meta": {"level": "Perception/Remembering", "capability": "Objects", "url": "u", "question type": "close-ended"}},
 {"id": 1, "image_path": "./data/images/1.png", "question": "yes", "meta": {"level": "Creating", "capability": "Trends", "question type": "https://a.b/c.jpg"}},
 {"id": 2, "image_path": "..", "question": "Tell.", "meta": {"level": "Creating", "capability": "Trends", "question type": "Compound"}}
]`

func TestBenchQuestions(t *testing.T) {
	path := write(t, "questions.json", benchQuestions)
	m := newMemory(t)
	sum := load(t, m, path, Options{})
	if sum.Added != 3 || sum.Warnings != 1 || sum.MissingPictures != 3 || sum.Skipped != 0 {
		t.Errorf("%+v", sum)
	}
	if p := sum.Problems[0]; p.Line != 4 || !strings.Contains(p.Reason, `"https://a.b/c.jpg" of sample 1`) {
		t.Errorf("%v", p)
	}
	got := m.list("d")
	for i, want := range []eval.QuestionType{eval.ClosedEnded, eval.TypeUnset, eval.Compound} {
		if s := got[i]; s.Kind != eval.KindOpen || s.Type != want || len(s.Options) > 0 || len(s.Taxonomy) != 2 {
			t.Errorf("%+v", s)
		}
	}
	if got[0].Taxonomy[0] != "Perception/Remembering" || got[0].Pictures[0].Name != "./data/images/0.png" {
		t.Errorf("%+v", got[0])
	}

	// The same questions with their pictures beside them: those that are there
	// are added, and a later folder adds its own.
	folder := filepath.Join(filepath.Dir(path), "images")
	for _, name := range []string{"0.png", "1.png"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte("picture"+name), 0o600); err != nil {
			t.Fatal(err)
		}
		if sum = load(t, m, path, Options{}); sum.Added != 3 {
			t.Errorf("after %s: %+v", name, sum)
		}
		if sum = load(t, m, path, Options{Pictures: folder}); sum.Added != 0 || sum.Unchanged != 3 {
			t.Errorf("again after %s: %+v", name, sum)
		}
	}
	if sum.Pictures != 2 || sum.MissingPictures != 1 {
		t.Errorf("%+v", sum)
	}
	if p := m.list("d")[1].Pictures[0]; string(m.pictures[p.Hash]) != "picture1.png" || p.Name != "./data/images/1.png" {
		t.Errorf("%+v", p)
	}
	if _, err := Import(context.Background(), m, path, Options{Name: "d", Pictures: path}); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestBenchAnswers(t *testing.T) {
	answers := func(models ...string) string {
		var rows []string
		for i, model := range models {
			rows = append(rows, `{"unique_idx": `+string(rune('0'+i))+`, "image": "0.png", "question": "q`+string(rune('0'+i))+`", "meta": {"level": "a", "capability": "b", "question type": "compound"},
 "gen_model_id": "`+model+`", "prompt": "p", "answer": "an answer\nof two lines", "gen_kwargs": {"temperature": 0.8}}`)
		}
		return write(t, "answers.json", "["+strings.Join(rows, ",\n")+"]")
	}
	m := newMemory(t)
	o := PredictionOptions{Dataset: "d"}
	sum, err := ImportPredictions(context.Background(), m, answers("tiny", "tiny"), o)
	if err != nil || sum.Added != 2 || !sum.Made || m.runs[sum.Run-1].Config.Model != "tiny" {
		t.Errorf("%+v %v", sum, err)
	}
	_, err = ImportPredictions(context.Background(), m, answers("tiny", "large"), o)
	if err == nil || !strings.Contains(err.Error(), "names 2 models (large, tiny)") {
		t.Error(err)
	}
	o.Model = "mixed"
	if sum, err = ImportPredictions(context.Background(), m, answers("tiny", "large"), o); err != nil || sum.Added != 2 {
		t.Errorf("%+v %v", sum, err)
	}
	o.Model = ""
	_, err = ImportPredictions(context.Background(), m, write(t, "p.jsonl", `{"id": 1, "question": "q1", "prediction": "x"}`), o)
	if !errors.Is(err, ErrNoModel) {
		t.Error(err)
	}
}

func TestRealBench(t *testing.T) {
	m := newMemory(t)
	sum, err := Import(context.Background(), m, real(t, "mllm_bench/questions.json"), Options{Name: "mb"})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Added != 420 || sum.Warnings != 1 || sum.Pictures != 45 || sum.MissingPictures != 375 || sum.Skipped != 0 {
		t.Errorf("%+v", sum)
	}
	types, levels := map[eval.QuestionType]int{}, map[string]bool{}
	for _, s := range m.list("mb") {
		types[s.Type]++
		levels[eval.JoinPath(s.Taxonomy)] = true
	}
	if types[eval.OpenEnded] != 265 || types[eval.ClosedEnded] != 100 || types[eval.Compound] != 54 || types[eval.TypeUnset] != 1 || len(levels) != 42 {
		t.Errorf("%v, %d capabilities", types, len(levels))
	}
	for file, model := range map[string]string{"anchor_llava-v1.5-13b.json": "llava-v1.5-13b", "qwen-vl-chat.json": "qwen-vl-chat"} {
		sum, err := ImportPredictions(context.Background(), m, real(t, "mllm_bench/"+file), PredictionOptions{Dataset: "mb"})
		if err != nil || sum.Added != 420 || sum.Skipped != 0 || sum.Warnings != 1 || m.runs[sum.Run-1].Config.Model != model {
			t.Errorf("%s: %+v %v", file, sum, err)
		}
	}
}
