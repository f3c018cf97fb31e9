package openai

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"concord/eval"
)

// What gateways, proxies and other servers send with status 200 in an answer's
// place is a failure of theirs, and asked again.
func TestNoAnswerInStatus200(t *testing.T) {
	const choice = `{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}`
	for body, word := range map[string]string{
		`{"choices":[{"finish_reason":"stop"}]}`:                                                                      "no message",
		`{"choices":[{"message":null,"finish_reason":"stop"}]}`:                                                       "no message",
		`{"choices":[{"message":{},"finish_reason":"stop"}]}`:                                                         "no message",
		`{"choices":[{"text":"A","finish_reason":"stop"}]}`:                                                           "no message",
		`{"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}`:                                              "no message",
		`{"choices":[{"message":{"role":"user","content":"A"},"finish_reason":"stop"}]}`:                              "no message",
		`{"choices":[{"message":{"role":"assistant","content":" \n\t"}}]}`:                                            "no message",
		`{"choices":[{"message":{"role":"assistant","content":"\u200b\ufeff"}}]}`:                                     "no message",
		`{"choices":[{"error":{"code":502,"message":"provider gone"},"message":{"role":"assistant","content":"A"}}]}`: "provider gone [502]",
		`{"object":"error","message":"engine dead","code":50001,"choices":[` + choice + `]}`:                          "engine dead [50001]",
		`{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"insufficient_system_resource"}]}`: "broke off",
		`{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"network_error"}]}`:                "broke off",
		`{"choices":[` + choice + `]}{"choices":[` + choice + `]}`:                                                    "after top-level value",
		`{"choices":[` + choice + `]}<html>502</html>`:                                                                "after top-level value",
		`{"choices":[{"message":{"content":"B","content":"A"},"finish_reason":"stop"}]}`:                              `two members "content"`,
		`{"choices":[{"message":{"content":"B"},"message":{"content":"A"},"finish_reason":"stop"}]}`:                  `two members "message"`,
		`{"choices":[],"choices":[` + choice + `]}`:                                                                   `two members "choices"`,
	} {
		m, _ := canned(t, 200, nil, body)
		r, err := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(err); f == nil || f.Kind != eval.FailureTransient || !strings.Contains(f.Message, word) {
			t.Errorf("%s: %+v, %v, want a transient failure with %q", body, r, err, word)
		}
	}
}

// A model may say nothing, and a filter may say so in its own words.
func TestAnswersThatSayLittle(t *testing.T) {
	for body, want := range map[string]string{
		`{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}`:                                               "",
		`{"choices":[{"message":{"role":"assistant"},"finish_reason":"length"}]}`:                                                            "",
		`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[]},"finish_reason":"tool_calls"}]}`:                         "",
		`{"choices":[{"message":{"content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]}}]}`:                                      "AB",
		`{"error":null,"choices":[{"error":null,"message":{"content":"A"},"logprobs":{"content":[{"token":"A","content":1}]}}],"content":1}`: "A",
	} {
		m, _ := canned(t, 200, nil, body)
		if r, err := m.Chat(t.Context(), say("q")); err != nil || r.Text != want {
			t.Errorf("%s: %+v, %v", body, r, err)
		}
	}
	for _, reason := range []string{"content_filter", "content_filter: PROHIBITED_CONTENT", "sensitive", "SAFETY"} {
		m, _ := canned(t, 200, nil, `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"`+reason+`"}]}`)
		if _, err := m.Chat(t.Context(), say("q")); err == nil || eval.FailureOfError(err).Kind != eval.FailureSample {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// A refusal is about the sample where the API says so: a proxy's word, whatever
// its status, takes no sample out of a figure.
func TestRefusalsOfProxies(t *testing.T) {
	check := func(status int, body string, kind eval.FailureKind) {
		t.Helper()
		m, _ := canned(t, status, nil, body)
		if _, err := m.Chat(t.Context(), say("q")); eval.FailureOfError(err).Kind != kind {
			t.Errorf("%d %s: %v, want %v", status, body, err, kind)
		}
	}
	check(400, ``, eval.FailureTransient)
	check(400, `upstream connect error or disconnect/reset before headers`, eval.FailureTransient)
	check(400, `<!-- x --><html>Bad Request</html>`, eval.FailureTransient)
	check(400, `{"error":"the image is too`, eval.FailureTransient)
	check(422, `<html></html>`, eval.FailureTransient)
	check(400, `{"error":"the image is too large"}`, eval.FailureSample)
	check(413, `<html><center>nginx</center></html>`, eval.FailureTransient)
	check(413, `{"error":{"message":"the request is too large"}}`, eval.FailureSample)
	check(200, "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"A \xff\"},\"finish_reason\":\"stop\"}]}", eval.FailureTransient)
	for _, status := range []int{421, 423, 424, 426, 440, 449, 460, 498, 499, 999} {
		check(status, `{"error":"failed dependency"}`, eval.FailureTransient)
	}
}

// A reply that is called compressed was made by something else than the API,
// whether it is compressed or not.
func TestReplyCalledCompressed(t *testing.T) {
	body := `{"choices":[{"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}]}`
	for as, kind := range map[string]eval.FailureKind{"gzip": eval.FailureTransient, "identity": eval.FailureUnset} {
		m, _ := canned(t, 200, http.Header{"Content-Encoding": {as}}, body)
		_, err := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(err); f == nil != (kind == eval.FailureUnset) || f != nil && f.Kind != kind {
			t.Errorf("%s: %v", as, err)
		}
	}
}

// A stream that names a finish and holds no part of a message is no answer.
func TestNoAnswerInStream(t *testing.T) {
	for _, events := range []string{
		"data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"A\"},\"error\":{\"message\":\"gone\"},\"finish_reason\":\"stop\"}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"network_error\"}]}\n\ndata: [DONE]\n\n",
	} {
		m := streaming(t, events)
		if r, err := m.Chat(t.Context(), say("q")); eval.FailureOfError(err) == nil || eval.FailureOfError(err).Kind != eval.FailureTransient {
			t.Errorf("%q: %+v, %v", events, r, err)
		}
	}
}

// streaming is a model that asks for streams and always gets the same one.
func streaming(t *testing.T, events string) *Model {
	t.Helper()
	header := http.Header{"Content-Type": {"text/event-stream"}}
	return model(t, Options{BaseURL: "http://lab.test/v1", Transport: round(func(q *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(events)), ContentLength: -1, Request: q}, nil
	})}, ModelOptions{Stream: true})
}

// A resolver that does not answer and an address that takes no connection are
// told as what they are, not as a slow answer.
func TestTimeoutsOfTheNetwork(t *testing.T) {
	check := func(err error, sign eval.FailureSign, word string) {
		t.Helper()
		m := model(t, Options{BaseURL: "http://lab.test/v1", Transport: round(func(*http.Request) (*http.Response, error) { return nil, err })}, ModelOptions{})
		_, got := m.Chat(t.Context(), say("q"))
		if f := eval.FailureOfError(got); f.Kind != eval.FailureTransient || f.Sign != sign || !strings.Contains(f.Message, word) {
			t.Errorf("%v: %+v", err, f)
		}
	}
	late := &net.DNSError{Err: "i/o timeout", Name: "lab.test", IsTimeout: true, IsTemporary: true}
	check(&net.OpError{Op: "dial", Net: "tcp", Err: late}, eval.SignUnresolved, "not looked up in time")
	check(&net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}, eval.SignUnset, "no connection in time")
	check(&net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}, eval.SignUnset, "the endpoint's timeout")
}
