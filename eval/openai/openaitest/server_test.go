package openaitest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
)

func Example() {
	s := openaitest.New(openaitest.Options{Answer: func(r *openaitest.Request) openaitest.Response {
		return openaitest.Response{Text: "you asked: " + r.Prompt()}
	}})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions",
		strings.NewReader(`{"model": "m", "messages": [{"role": "user", "content": "who?"}]}`)))
	var reply struct {
		Choices []struct{ Message struct{ Content string } }
	}
	_ = json.Unmarshal(w.Body.Bytes(), &reply)
	fmt.Println(reply.Choices[0].Message.Content, s.CountCalls("m", "who?"))
	// Output: you asked: who? 1
}

func post(s *openaitest.Server, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
	return w
}

func TestRepliesAreJSONWhateverTheText(t *testing.T) {
	for _, text := range []string{"", "A", "\"\\\n\x00\x7f", "é\xff<&>", strings.Repeat("long ", 9000)} {
		for _, stream := range []bool{false, true} {
			s := openaitest.New(openaitest.Options{Answer: func(*openaitest.Request) openaitest.Response {
				return openaitest.Response{Text: text, Reasoning: text}
			}})
			resp := post(s, fmt.Sprintf(`{"model":"m","stream":%v,"messages":[{"role":"user","content":"q"}]}`, stream))
			body := resp.Body.Bytes()
			if resp.Code != http.StatusOK {
				t.Fatal(resp.Code)
			}
			lines := [][]byte{body}
			if stream {
				lines = bytes.Split(bytes.TrimSuffix(body, []byte("data: [DONE]\n\n")), []byte("\n\n"))
			}
			for _, line := range lines {
				if line = bytes.TrimPrefix(line, []byte("data: ")); len(line) > 0 && !json.Valid(line) {
					t.Errorf("%.20q, stream %v: %.300s", text, stream, line)
				}
			}
		}
	}
}

func TestRateFollowsFromTheQuestion(t *testing.T) {
	rate := openaitest.FaultAtRate(7, 0.2, openaitest.Busy, openaitest.Crash)
	hits, kinds := 0, map[openaitest.Fault]int{}
	for i := range 5000 {
		r := openaitest.Request{Model: "m", Turns: []openaitest.Turn{{Role: "user", Text: fmt.Sprint(i / 2)}}, Asked: i % 2}
		f := rate(&r)
		if f != rate(&r) {
			t.Fatal("not the same for the same call")
		}
		if f != openaitest.None {
			hits++
			kinds[f]++
		}
	}
	if hits < 900 || hits > 1100 || kinds[openaitest.Busy] < 400 || kinds[openaitest.Crash] < 400 {
		t.Errorf("%d of 5000: %v", hits, kinds)
	}
}

func TestQuestionsAreCountedApart(t *testing.T) {
	s := openaitest.New(openaitest.Options{})
	ask := func(model, picture string) {
		post(s, `{"model":"`+model+`","messages":[{"role":"system","content":"s"},{"role":"user","content":[`+
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,`+picture+`"}},{"type":"text","text":"q"}]}]}`)
	}
	ask("m", "AAAA")
	ask("m", "AAAA")
	ask("m", "BBBB")
	ask("n", "AAAA")
	if calls := s.CallCounts(); len(calls) != 3 || s.CountCalls("m", "s\nq") != 3 || s.CountCalls("n", "s\nq") != 1 {
		t.Errorf("%v", calls)
	}
	for _, content := range []string{`1`, `["a"]`, `[{"text":1}]`, `[{"type":"image_url","image_url":"a"}]`} {
		if resp := post(s, `{"model":"m","messages":[{"role":"user","content":`+content+`}]}`); resp.Code != http.StatusBadRequest {
			t.Errorf("content %s: status %d, want 400", content, resp.Code)
		}
	}
	if resp := post(s, `{"model":"m"}`); resp.Code != http.StatusBadRequest {
		t.Error(resp.Code)
	}
}
