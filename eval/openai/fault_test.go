package openai

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/openai/openaitest"
)

func TestEveryFaultHasItsKind(t *testing.T) {
	check := func(f openaitest.Fault, kind eval.FailureKind, status int, words ...string) {
		t.Helper()
		s, m := serve(t, openaitest.Options{
			Faults: func(*openaitest.Request) openaitest.Fault { return f }, RetryAfter: 7 * time.Second,
		}, Limits{}, ModelOptions{})
		if f == openaitest.Drip || f == openaitest.Hang {
			m.endpoint.timeout = 100 * time.Millisecond
		}
		_, err := m.Chat(t.Context(), say("q"))
		var got *eval.Failure
		if !errors.As(err, &got) {
			t.Errorf("fault %d: %v is no failure", f, err)
			return
		}
		if got.Kind != kind || got.Status != status {
			t.Errorf("fault %d: %v, status %d: want %v, %d", f, got, got.Status, kind, status)
		}
		if after := got.After; (f == openaitest.BusyAfter) != (after == 7*time.Second) {
			t.Errorf("fault %d: after %v", f, after)
		}
		for _, w := range append(words, `endpoint "lab", model "vlm"`) {
			if !strings.Contains(got.Message, w) {
				t.Errorf("fault %d: message %q lacks %q", f, got.Message, w)
			}
		}
		if n := s.CountCalls("vlm", "q"); n != 1 {
			t.Errorf("fault %d: asked %d times", f, n)
		}
	}
	check(openaitest.Busy, eval.FailureTransient, 429, "too many requests")
	check(openaitest.BusyAfter, eval.FailureTransient, 429)
	check(openaitest.Quota, eval.FailureConfiguration, 429, "no credit left")
	check(openaitest.Crash, eval.FailureTransient, 500)
	check(openaitest.Unavailable, eval.FailureTransient, 503)
	check(openaitest.Reject, eval.FailureSample, 400, "not supported", "invalid_image")
	check(openaitest.Filtered, eval.FailureSample, 400, "filtered")
	check(openaitest.NoLogProbs, eval.FailureConfiguration, 403, "take logprobs out of its section")
	check(openaitest.Withheld, eval.FailureSample, 0, "content filter")
	check(openaitest.Broken, eval.FailureTransient, 0, "connection broken")
	check(openaitest.Drip, eval.FailureTransient, 0, "no answer within 100ms")
	check(openaitest.Hang, eval.FailureTransient, 0, "no answer within 100ms")
	check(openaitest.Cut, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.Malformed, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.Choiceless, eval.FailureTransient, 0, "without an answer")
	check(openaitest.Endless, eval.FailureTransient, 0, "more than 1048576 bytes")
	check(openaitest.WebPage, eval.FailureTransient, 0, "text/html")
	check(openaitest.PageAsJSON, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.Empty, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.NoContent, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.Gzip, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.ShortLength, eval.FailureTransient, 0, "malformed reply")
	check(openaitest.Null, eval.FailureTransient, 0, "without an answer")
	check(openaitest.ErrorInside, eval.FailureTransient, 0, "upstream failed")
	check(openaitest.CodeInside, eval.FailureTransient, 400, "provider returned an error")
	check(openaitest.ErrorBeside, eval.FailureTransient, 0, "the model died")
	check(openaitest.AfterAges, eval.FailureTransient, 429, "Retry-After", "not believed")
}

// A reply that is no answer is told apart from an outage: it may mean that the
// address is wrong.
func TestUnusableRepliesAreSigned(t *testing.T) {
	for _, f := range []openaitest.Fault{openaitest.WebPage, openaitest.Null, openaitest.ErrorInside, openaitest.NoContent, openaitest.Gzip} {
		_, m := serve(t, openaitest.Options{Faults: func(*openaitest.Request) openaitest.Fault { return f }}, Limits{}, ModelOptions{})
		_, err := m.Chat(t.Context(), say("q"))
		if got := eval.FailureOfError(err); got.Sign != eval.SignUnusable {
			t.Errorf("fault %d: %+v", f, got)
		}
	}
	m := model(t, Options{BaseURL: "http://no-such-host.invalid/v1"}, ModelOptions{})
	if _, err := m.Chat(t.Context(), say("q")); eval.FailureOfError(err).Sign != eval.SignUnresolved {
		t.Errorf("%+v", eval.FailureOfError(err))
	}
}

func TestOddAnswersAreAnswers(t *testing.T) {
	check := func(f openaitest.Fault, want func(eval.Reply) bool) {
		t.Helper()
		for _, stream := range []bool{false, true} {
			_, m := serve(t, openaitest.Options{
				Faults: func(*openaitest.Request) openaitest.Fault { return f },
			}, Limits{}, ModelOptions{Stream: stream})
			if r, err := m.Chat(t.Context(), say("q")); err != nil || !want(r) {
				t.Errorf("fault %d, stream %v: %+v, %v", f, stream, r, err)
			}
		}
	}
	check(openaitest.Refusal, func(r eval.Reply) bool { return strings.HasPrefix(r.Text, "I'm sorry") })
	check(openaitest.Length, func(r eval.Reply) bool { return r.Finish == "length" && r.Text == "A" })
	check(openaitest.Unmetered, func(r eval.Reply) bool { return r.Usage == eval.Usage{} && r.Text == "A" })
}

func TestWithheldAnswerStillCosts(t *testing.T) {
	_, m := serve(t, openaitest.Options{
		Answer: func(*openaitest.Request) openaitest.Response {
			return openaitest.Response{Prompt: 11, Completion: 3, Fault: openaitest.Withheld}
		},
	}, Limits{}, ModelOptions{})
	r, err := m.Chat(t.Context(), say("q"))
	if err == nil || r.Usage.Prompt != 11 || r.Finish != "content_filter" || r.Text != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWrongKeyNamesItsVariable(t *testing.T) {
	s, m := serve(t, openaitest.Options{Key: "another"}, Limits{}, ModelOptions{})
	_, err := m.Chat(t.Context(), say("q"))
	f := eval.FailureOfError(err)
	if f.Kind != eval.FailureConfiguration || f.Status != 401 || !strings.Contains(f.Message, "LAB_KEY") {
		t.Errorf("%+v", f)
	}
	if total, refused := s.TotalCalls(); total != 0 || refused != 1 {
		t.Errorf("%d calls, %d refused", total, refused)
	}
	if _, err = m.endpoint.ListModels(t.Context()); err == nil || !strings.Contains(err.Error(), "LAB_KEY") {
		t.Errorf("models: %v", err)
	}
}

func TestUnknownModelIsConfiguration(t *testing.T) {
	_, m := serve(t, openaitest.Options{Models: []string{"other"}}, Limits{}, ModelOptions{})
	_, err := m.Chat(t.Context(), say("q"))
	if f := eval.FailureOfError(err); f.Kind != eval.FailureConfiguration || !strings.Contains(f.Message, "/models") {
		t.Errorf("%+v", f)
	}
}

func TestDeadAddressSaysWhatToCheck(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := l.Addr().String()
	_ = l.Close()
	s, _ := serve(t, openaitest.Options{}, Limits{}, ModelOptions{})
	for _, base := range []string{"http://" + dead + "/v1", strings.Replace(s.URL(), "http", "https", 1)} {
		m := model(t, Options{BaseURL: base}, ModelOptions{})
		_, err := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(err); f.Kind != eval.FailureTransient || !strings.Contains(f.Message, "check the base URL "+base) {
			t.Errorf("%s: %+v", base, f)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	m, sent := canned(t, 307, http.Header{"Location": {"https://evil.example/v1?token=hidden"}}, "")
	_, err := m.Chat(t.Context(), say("q"))
	f := eval.FailureOfError(err)
	if f.Kind != eval.FailureConfiguration || !strings.Contains(f.Message, "https://evil.example/v1") || strings.Contains(f.Message, "hidden") {
		t.Errorf("%+v", f)
	}
	if *sent != 1 {
		t.Errorf("%d requests", *sent)
	}
}

// canned is a model whose endpoint always answers the same.
func canned(t *testing.T, status int, h http.Header, body string) (*Model, *int) {
	t.Helper()
	sent := new(int)
	return model(t, Options{BaseURL: "http://lab.test/v1", Key: testKey, KeyName: "LAB_KEY", MaxBody: 1 << 17, Transport: round(func(q *http.Request) (*http.Response, error) {
		*sent++
		if h == nil {
			h = http.Header{}
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: q}, nil
	})}, ModelOptions{}), sent
}

type round func(*http.Request) (*http.Response, error)

func (f round) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

func TestComplaintsInEveryShape(t *testing.T) {
	check := func(status int, body string, kind eval.FailureKind, word string) {
		t.Helper()
		m, _ := canned(t, status, nil, body)
		_, err := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(err); f == nil || f.Kind != kind || !strings.Contains(f.Message, word) {
			t.Errorf("%d %s: %+v, want %v with %q", status, body, f, kind, word)
		}
	}
	check(400, `{"error":"text alone"}`, eval.FailureSample, "text alone")
	check(400, `{"object":"error","message":"too long","code":40303}`, eval.FailureSample, "too long [40303]")
	check(422, `{"detail":[{"msg":"field required"}]}`, eval.FailureSample, "field required")
	check(400, `[{"error":{"code":400,"message":"of a list"}}]`, eval.FailureSample, "of a list")
	check(502, `<html><head><TITLE>Bad gateway</TITLE></head>`, eval.FailureTransient, "Bad gateway")
	check(413, ``, eval.FailureTransient, "Request Entity Too Large")
	check(400, `{"error":{"code":"unsupported_value","param":"temperature","message":"only 1"}}`, eval.FailureConfiguration, "only 1")
	check(400, "Client sent an HTTP request to an HTTPS server.\n", eval.FailureConfiguration, "must begin with https")
	check(400, `{"error":{"code":"unsupported_parameter","param":"max_tokens","message":"x"}}`, eval.FailureConfiguration, `refuses parameter "max_tokens"`)
	check(400, `{"error":{"code":"unsupported_value","param":"messages[0]","message":"x"}}`, eval.FailureSample, "x")
	check(200, `{"error":{"code":429,"message":"upstream is busy"}}`, eval.FailureTransient, "upstream is busy")
	check(200, `{"error":{"code":"odd","message":"what"}}`, eval.FailureTransient, "what")
	check(200, `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"abort"}]}`, eval.FailureTransient, "abort")
	check(200, `{"error":{"code":401,"message":"of a gateway"}}`, eval.FailureTransient, "of a gateway")
	check(200, `{"error":{"code":"model_not_found","message":"no vlm"}}`, eval.FailureConfiguration, "no vlm")
	check(200, `{"error":{"code":"content_filter","message":"no"}}`, eval.FailureSample, "no")
	check(400, `<html><title>Bad request</title></html>`, eval.FailureTransient, "Bad request")
	check(200, `{"error":null,"choices":[{"message":{"role":"assistant","content":null}}]}`, eval.FailureTransient, "without an answer")
	check(200, `null`, eval.FailureTransient, "without an answer")
	check(200, ``, eval.FailureTransient, "malformed")
	check(200, `[]`, eval.FailureTransient, "malformed")
	check(200, `{"choices":[{}]}`, eval.FailureTransient, "without an answer")
	check(200, `{"choices":[{"message":{"role":"assistant","content":7}}]}`, eval.FailureTransient, "malformed")
	check(402, `{}`, eval.FailureConfiguration, "no credit left")
}

func TestKeyStaysOutOfErrors(t *testing.T) {
	check := func(body string) {
		t.Helper()
		for _, status := range []int{401, 400, 500} {
			m, _ := canned(t, status, nil, body)
			_, err := m.Chat(t.Context(), say("q"))
			low := strings.ToLower(err.Error())
			if strings.Contains(low, "456789abcd") || strings.Contains(low, strings.ToLower(base64.StdEncoding.EncodeToString([]byte(testKey))[:12])) || strings.Contains(low, "stuv") {
				t.Errorf("%q gives %q", body, err)
			}
			if strings.ContainsAny(err.Error(), "\x1b\n") || len(err.Error()) > 1000 {
				t.Errorf("%q gives %q", body, err)
			}
		}
	}
	check(`{"error":{"message":"Incorrect API key provided: ` + testKey + `"}}`)
	check(`{"error":{"message":"bad ` + strings.ToUpper(testKey) + `"}}`)
	check(`{"error":{"message":"bad sk-te******************stuv. Find yours"}}`)
	check(`{"error":{"message":"part 456789abcdefghij", "code":"` + testKey[8:] + `"}}`)
	check(`header Authorization: Bearer ` + testKey)
	check(`basic ` + base64.StdEncoding.EncodeToString([]byte(testKey)))
	check(strings.Repeat("x", raw-10) + testKey)
	check("\x1b[2J" + strings.Repeat("long ", 1<<16))
	if strings.Contains(newSecretText(), testKey) {
		t.Error("a printed endpoint shows its key")
	}
}

func TestKeyStaysOutOfReplies(t *testing.T) {
	_, m := serve(t, openaitest.Options{Answer: func(r *openaitest.Request) openaitest.Response {
		return openaitest.Response{Text: "your key is " + r.Key, Reasoning: r.Key, Finish: r.Key}
	}}, Limits{}, ModelOptions{})
	r, err := m.Chat(t.Context(), say("q"))
	if err != nil || strings.Contains(r.Text+r.Reasoning+r.Finish+r.Model, testKey[:20]) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A key that is an ordinary word is no secret: what a model says stays as it
// was said, and messages can be read.
func TestKeyThatIsAWordStaysInReplies(t *testing.T) {
	for _, key := range []string{"x", "EMPTY", "elephant", "correct-horse-battery"} {
		m := model(t, Options{BaseURL: "http://lab.test/v1", Key: key, Transport: round(func(q *http.Request) (*http.Response, error) {
			body := `{"choices":[{"message":{"role":"assistant","content":"The ` + key + ` is B."},"finish_reason":"stop"}]}`
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}, nil
		})}, ModelOptions{})
		if r, err := m.Chat(t.Context(), say("q")); err != nil || r.Text != "The "+key+" is B." {
			t.Errorf("%s: %+v, %v", key, r, err)
		}
	}
	m := model(t, Options{BaseURL: "http://lab.test/v1", Key: "x", Transport: round(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("exotic failure")
	})}, ModelOptions{})
	if _, err := m.Chat(t.Context(), say("q")); err == nil || strings.Contains(err.Error(), mark) || !strings.Contains(err.Error(), "exotic") {
		t.Errorf("%v", err)
	}
}

func TestCancelledCallReturnsAtOnce(t *testing.T) {
	_, m := serve(t, openaitest.Options{Latency: time.Minute}, Limits{}, ModelOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := m.Chat(ctx, say("q")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if s := m.endpoint.State(); s.InFlight != 0 || s.Concurrency != 64 {
		t.Errorf("%+v", s)
	}
}

func TestPanicOfTheTransportIsTheSamples(t *testing.T) {
	m := model(t, Options{BaseURL: "http://lab.test/v1", Transport: round(func(*http.Request) (*http.Response, error) {
		panic("boom")
	})}, ModelOptions{})
	_, err := m.Chat(t.Context(), say("q"))
	if f := eval.FailureOfError(err); f.Kind != eval.FailureSample || !strings.Contains(f.Message, "boom") {
		t.Errorf("%+v", f)
	}
	if s := m.endpoint.State(); s.InFlight != 0 {
		t.Errorf("%+v", s)
	}
}
