package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
)

// An endpoint that echoes the key, in refusals and in answers, finds it in no
// file, log, error or output afterwards.
func TestKeyStaysInTheEnvironment(t *testing.T) {
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		n, right, _ := rigAsk(q)
		switch {
		case q.Model == "judge":
			return openaitest.Response{Text: right + " by " + q.Key}
		case n%3 == 0:
			return openaitest.Response{Text: "Your key is " + q.Key, Reasoning: "Bearer " + q.Key}
		case n%3 == 1:
			return openaitest.Response{Fault: openaitest.Reject}
		}
		return openaitest.Response{Text: right}
	}}, rigRows(12, rigPicture)...)
	t.Setenv("XDG_STATE_HOME", r.path("state")) // the log lies beside the project, and is looked at
	r.ends(0, "config", "trust", "--yes")
	const wrong = "sk-wrong-0815-nobody-may-see"
	keys := []string{rigKey, wrong}
	var said strings.Builder
	concord := func(args ...string) {
		got := r.concord(args...)
		said.WriteString(strings.Join(args, " ") + "\n" + got.out + got.err)
	}
	eval := []string{"eval", "--dataset", "d", "--model", "vlm", "--judge", "judge"}
	commands := [][]string{
		eval, append(eval, "--json"), append(eval, "--modality", "grey"), append(eval, "--modality", "text", "--estimate"),
		{"judge", "--dataset", "d", "--judge", "judge2"},
		{"doctor"},
		{"doctor", "--json"},
		{"config"},
		{"config", "--json"},
		{"batch", "export", "--dataset", "d", "--model", "judge2", "--out", r.path("calls.jsonl")},
		{"batch", "export", "--run", "1", "--judging", "--judge", "judge", "--out", r.path("judging.jsonl")},
		{"report", "accuracy"},
		{"report", "steps", "--json"},
		{"export", "predictions", "--out", r.path("predictions.jsonl")},
		{"export", "predictions", "--out", r.path("predictions.csv")},
		{"export", "judgments", "--out", r.path("judgments.jsonl")},
	}
	for _, key := range []string{wrong, rigKey, wrong} {
		t.Setenv(rigVariable, key)
		for _, c := range commands {
			concord(c...)
		}
	}
	total, refused := r.server.TotalCalls()
	if total < 24 || refused < 2 {
		t.Fatalf("%d calls, %d refused: hardly anything was asked\n%s", total, refused, said.String())
	}
	if !strings.Contains(said.String(), rigVariable) {
		t.Error("no message names the variable")
	}
	for _, key := range keys {
		if i := strings.Index(said.String(), key); i >= 0 {
			t.Errorf("a command said the key: ...%s", said.String()[max(0, i-300):i])
		}
	}
	files := 0
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		for _, key := range keys {
			if strings.Contains(string(text), key) {
				t.Errorf("%s holds the key", path)
			}
		}
		return err
	})
	for _, want := range []string{"p.db", "calls.jsonl", "predictions.csv", "judgments.jsonl", filepath.Join("state", "concord", "concord.log")} {
		if _, serr := os.Stat(r.path(want)); serr != nil {
			t.Errorf("was not looked at: %v", serr)
		}
	}
	if err != nil || files < 7 {
		t.Errorf("looked at %d files: %v", files, err)
	}
}
