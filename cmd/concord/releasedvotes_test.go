package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/chatserver"
	"concord/eval/openai/openaitest"
)

// A judge that replies as the released votes say gives the published counts:
// 840 pairs of MLLM-Bench's own questions and answers, asked, read, merged and
// reported.
func TestJudgeVotesAsReleased(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("840 votes: what it does at once is tested with fewer")
	}
	folder := filepath.Join("..", "..", "..", "shared", "data", "mllm_bench")
	text, err := os.ReadFile(filepath.Join(folder, "vote_results_qwen-vl-chat.json"))
	if err != nil {
		t.Skip("the real data is not here")
	}
	type row struct {
		Question, Answer string
		First            string `json:"raw_answer1"`
		Second           string `json:"raw_answer2"`
	}
	var rows []row
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	replies := make(map[[2]string][]row)
	for _, one := range rows {
		key := [2]string{strings.TrimSpace(one.First), strings.TrimSpace(one.Second)}
		replies[key] = append(replies[key], one)
	}
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		prompt := q.Turns[0].Text
		first, second, _ := chatserver.FindAnswers(prompt)
		for _, one := range replies[[2]string{strings.TrimSpace(first), strings.TrimSpace(second)}] {
			if strings.Contains(prompt, strings.TrimSpace(one.Question)) {
				return openaitest.Response{Text: one.Answer}
			}
		}
		return openaitest.Response{Fault: openaitest.Reject}
	}})
	r.done("import", "dataset", filepath.Join(folder, "questions.json"), "--name", "mb")
	r.done("import", "predictions", filepath.Join(folder, "anchor_llava-v1.5-13b.json"), "--dataset", "mb")
	r.done("import", "predictions", filepath.Join(folder, "qwen-vl-chat.json"), "--dataset", "mb")
	s := decode[jobs.VoteSummary](t, r.done("judge", "votes", "--dataset", "mb", "--model", "qwen-vl-chat", "--anchor", "llava-v1.5-13b",
		"--judge", "judge", "--concurrency", "16", "--json", "--without-images"))
	if s.Stored != 840 || s.Unparsed+s.Failed != 0 || s.WithoutPicture != 2*375 {
		t.Errorf("%+v", s)
	}
	got := r.reportedOf("llava-v1.5-13b")
	for name, want := range map[string]int{"win": 145, "lose": 155, "tie": 99, "situation_one": 17, "situation_two": 0, "unable": 4, "n": 420} {
		if got[name] != want {
			t.Errorf("%s: %d, published %d", name, got[name], want)
		}
	}
}
