package openai

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"concord/eval"
)

func newSecretText() string {
	e, err := NewEndpoint(Options{BaseURL: "http://lab.test/v1", Key: testKey})
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%v %+v %#v", e, *e, e)
}

func TestEndpointRefusesWhatCannotWork(t *testing.T) {
	check := func(o Options, word string) {
		t.Helper()
		_, err := NewEndpoint(o)
		f := eval.FailureOfError(err)
		if f == nil || f.Kind != eval.FailureConfiguration || !strings.Contains(f.Message, word) || strings.Contains(f.Message, "hush") {
			t.Errorf("%+v gives %v", o, err)
		}
	}
	check(Options{}, "http://")
	check(Options{BaseURL: "lab.test/v1"}, "http://")
	check(Options{BaseURL: "https://me:hush@lab.test/v1"}, "credentials")
	check(Options{BaseURL: "https://lab.test/v1?key=hush"}, "neither")
	check(Options{BaseURL: "https://lab.test/v1/chat/completions"}, "ends before")
	check(Options{BaseURL: "https://lab.test/v1", Key: "hush\nhush", KeyName: "LAB_KEY"}, "LAB_KEY")
	if e, err := NewEndpoint(Options{BaseURL: "https://lab.test:/v1/ ", Key: "key\n"}); err != nil || e.url != "https://lab.test/v1" || e.name != "lab.test" {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestGateway: a gateway like Azure's wants its key in a header of its own, and its
// version in the query. Neither comes back in a message.
func TestGateway(t *testing.T) {
	const key = "f00dbabe0123456789abcdef"
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path != "/openai/deployments/gpt/chat/completions" || r.URL.RawQuery != "api-version=2024-06-01&sig="+key+"2":
			http.Error(w, `{"error":{"message":"Resource not found"}}`, http.StatusNotFound)
		case r.Header.Get("Authorization") != "" || r.Header.Get("api-key") != key:
			http.Error(w, `{"error":{"message":"Access denied"}}`, http.StatusUnauthorized)
		case asked > 1:
			http.Error(w, `{"error":{"message":"`+r.Header.Get("api-key")+` at `+r.URL.RawQuery+` may not"}}`, http.StatusForbidden)
		default:
			_, _ = io.WriteString(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"B. `+key+`"}}]}`)
		}
	}))
	defer s.Close()
	m := model(t, Options{
		Name: "azure", BaseURL: s.URL + "/openai/deployments/gpt",
		Headers: map[string]string{"api-key": key}, Query: map[string]string{"api-version": "2024-06-01", "sig": key + "2"},
	}, ModelOptions{})
	reply, err := m.Chat(t.Context(), say("which?"))
	if err != nil || reply.Text != "B. [key]" {
		t.Errorf("%q %v", reply.Text, err)
	}
	if _, err = m.Chat(t.Context(), say("which?")); err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "api-version=2024-06-01") {
		t.Errorf("%v", err)
	}
}
