package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
)

// newProviderRig has an endpoint of its own: answer gives the status and the body of
// what is replied to a path with a body.
func newProviderRig(t *testing.T, endpoint, model string, answer func(path, body string) (int, string)) *rig {
	t.Helper()
	t.Setenv(rigVariable, rigKey)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status, text := answer(r.URL.Path, string(body))
		if r.Header.Get("Authorization") != "Bearer "+rigKey {
			status, text = http.StatusUnauthorized, `{"error":{"message":"who are you?"}}`
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	r := newRig(t, openaitest.Options{}, rigRows(4, "")...)
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
