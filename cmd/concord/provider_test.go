package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"concord/eval/openai/openaitest"
)

// newProviderRig has an endpoint of its own: answer gives the status and the body of
// what is replied to a path with a body.
func newProviderRig(t *testing.T, endpoint, model string, answer func(path, body string) (int, string)) *rig {
	t.Helper()
	t.Setenv(rigVariable, rigKey)
	var one sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		one.Lock()
		status, text := answer(r.URL.Path, string(body))
		one.Unlock()
		if r.Header.Get("Authorization") != "Bearer "+rigKey {
			status, text = http.StatusUnauthorized, `{"error":{"message":"who are you?"}}`
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	r := newRig(t, openaitest.Options{}, rigRows(4, rigPicture)...)
	r.write("concord.toml", fmt.Sprintf("[endpoints.lab]\nbase_url = %q\napi_key_env = %q\n%s\n[models.vlm]\nendpoint = \"lab\"\nretries = 0\n%s\n", s.URL+"/v1", rigVariable, endpoint, model))
	r.ends(0, "config", "trust", "--yes")
	return r
}

func TestCachedTokensCostTheirOwnPrice(t *testing.T) {
	reply := `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":1000,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":600}}}`
	r := newProviderRig(t, "", "price_prompt = 10\nprice_cached = 1\nprice_completion = 20", func(string, string) (int, string) { return 200, reply })
	s := r.eval("--modality", "text")
	if want := 4 * (400*10 + 600*1 + 10*20) / 1e6; s.Usage.Cached != 2400 || s.Cost == nil || *s.Cost != want {
		t.Errorf("%+v", s)
	}
	if got := r.done("eval", "--run", "1"); !strings.Contains(got, "4000 in (2400 cached), 40 out, cost 0.0192") {
		t.Error(got)
	}
	if got := r.done("export", "predictions", "--format", "jsonl"); strings.Count(got, `"cached_tokens":600`) != 4 {
		t.Error(got)
	}
}

// The detail of images is sent with them, and is a setting of the run.
func TestDetailOfImagesIsASetting(t *testing.T) {
	var sent []string
	r := newProviderRig(t, "", `detail = "low"`, func(_, body string) (int, string) {
		sent = append(sent, body)
		return 200, `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}]}`
	})
	r.done("eval", "--dataset", "d", "--model", "vlm")
	if len(sent) != 4 || !strings.Contains(sent[0], `","detail":"low"}}`) || strings.Contains(sent[0], "image_detail") {
		t.Fatalf("%q", sent)
	}
	if got := r.done("export", "predictions", "--dataset", "d", "--format", "jsonl"); !strings.Contains(got, `"params":"{\"image_detail\":\"low\",\"temperature\":0}"`) {
		t.Error(got)
	}
	text := strings.Replace(r.read("concord.toml"), `"low"`, `"high"`, 1)
	r.write("concord.toml", text)
	r.ends(0, "config", "trust", "--yes")
	if got := r.ends(1, "eval", "--dataset", "d", "--model", "vlm"); !strings.Contains(got.err, `params: was {"image_detail":"low","temperature":0}, is {"image_detail":"high","temperature":0}`) {
		t.Error(got.err)
	}
	r.write("concord.toml", strings.Replace(text, `"high"`, `"much"`, 1))
	if got := r.ends(1, "eval", "--dataset", "d", "--model", "vlm"); !strings.Contains(got.err, "concord.toml:8: models.vlm.detail: wants one of low, high, auto") {
		t.Error(got.err)
	}
	r.write("concord.toml", text)
	r.done("eval", "--dataset", "d", "--model", "vlm", "--modality", "text")
	if got := r.done("export", "predictions", "--dataset", "d", "--format", "jsonl"); strings.Count(got, "image_detail") != 2*4 { // params and settings of run 1
		t.Error(got)
	}
}

// A call that is too large fails alone, before it is sent.
func TestLargeRequestsAreNotSent(t *testing.T) {
	calls := 0
	r := newProviderRig(t, "max_request_bytes = 2000", "", func(string, string) (int, string) {
		calls++
		return 200, `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}]}`
	})
	r.write("s.tsv", "index\tquestion\tA\tB\tanswer\n0\tWhat?\ta\tb\tA\n1\tWhat of "+strings.Repeat("all ", 600)+"?\ta\tb\tA\n2\tWhy?\ta\tb\tA\n")
	r.done("import", "dataset", r.path("s.tsv"), "--name", "s")
	r.done("batch", "export", "--dataset", "s", "--model", "vlm", "--modality", "text", "--out", r.path("calls.jsonl"))
	if got := r.read("calls.jsonl"); strings.Count(got, "\n") != 2 {
		t.Errorf("%.4000s", got)
	}
	got := r.concord("eval", "--run", "1")
	if want := `and max_request_bytes of endpoint "lab" is 2000: scale images down by edge in the model's section, or raise it`; calls != 2 || !strings.Contains(got.out, want) {
		t.Errorf("%d calls, %+v", calls, got)
	}
}

// A run by the Responses API is read, counted and priced as one by chats.
func TestRunByTheResponsesAPI(t *testing.T) {
	n := 0
	r := newProviderRig(t, `api = "responses"`, "params = { max_tokens = 64 }\nprice_prompt = 10\nprice_cached = 1\nprice_completion = 20", func(path, body string) (int, string) {
		if path != "/v1/responses" || !strings.Contains(body, `"max_output_tokens":64,"store":false,"temperature":0}`) || !strings.Contains(body, `{"type":"input_image","image_url":"data:image/png;base64,`) {
			return 404, `{"error":{"message":"not here"}}`
		}
		said := []string{
			`"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"A"}]}]`,
			`"completed","output":[{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"I'm sorry, I can't help with that."}]}]`,
			`"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]`,
			`"failed","error":{"code":"server_error","message":"it broke, ` + rigKey + `"},"output":[]`,
		}[n%4]
		n++
		return 200, `{"object":"response","model":"vlm-1","usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":600},"output_tokens":10},"status":` + said + `}`
	})
	got := r.concord("eval", "--dataset", "d", "--model", "vlm", "--concurrency", "1")
	for _, want := range []string{"answers   3: 1 read by the rules, 1 refused, 1 missing", "cut off   1 of the missing", "errors    1", "it broke, [key]"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in %s%s", want, got.out, got.err)
		}
	}
	if strings.Contains(got.out+got.err, rigKey) || !strings.Contains(got.out, "(2400 cached)") {
		t.Error(got.out + got.err)
	}
	r.noSecrets()
}

// Log probabilities of a run's answers are kept where its model is asked for them, and
// an answer that echoes the key leaves none.
func TestLogProbsOfRunsAreKept(t *testing.T) {
	n := 0
	r := newProviderRig(t, "", "logprobs = true", func(_, body string) (int, string) {
		if !strings.Contains(body, `"logprobs":true`) {
			return 400, `{"error":{"message":"not asked for"}}`
		}
		n++
		text := []string{"A", rigKey}[n%2]
		return 200, fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":%q},"logprobs":{"content":[{"token":%q,"logprob":-0.25},{"token":%q,"logprob":-1}]},"finish_reason":"stop"}]}`, text, text[:1], text[1:])
	})
	r.eval("--modality", "text", "--concurrency", "1")
	got := r.done("export", "predictions", "--format", "jsonl")
	if strings.Count(got, `"logprobs":[{"logprob":-0.25,"token":"A"},{"logprob":-1,"token":""}]`) != 2 || strings.Count(got, `"logprobs":null`) != 2 {
		t.Error(got)
	}
	if got := r.done("export", "predictions", "--format", "csv"); strings.Count(got, `[{""logprob"":-0.25,""token"":""A""}`) != 2 {
		t.Error(got)
	}
	r.done("export", "predictions", "--format", "parquet", "--out", r.path("p.parquet"))
	r.noSecrets()
}
