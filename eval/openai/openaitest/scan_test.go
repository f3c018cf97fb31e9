package openaitest

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzGlance holds that a glance sees what a reading does, or nothing.
func FuzzGlance(f *testing.F) {
	for _, body := range []string{
		`{"model":"m","messages":[{"role":"user","content":"q"}],"temperature":0}`,
		`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"a \"b\"\n\u00e9"},{"role":"assistant","content":""},{"role":"user","content":"c"}],"stream":true}`,
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]}`,
		`{"model":"m","messages":[{"role":"user","content":"q"}],"stream_options":{"include_usage":true}}`,
		`{"model":"m","model":"n","messages":[{"role":"user","content":"q"}]}`,
		`{"model":"\xff","messages":[{"role":"user","content":"q"}]} `,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		fast, ok := glance(body)
		if !ok || !json.Valid(body) {
			return
		}
		slow, err := read(body)
		if err != nil {
			return // of no use to anybody
		}
		if !reflect.DeepEqual(fast, slow) {
			t.Errorf("%q: %+v, want %+v", body, fast, slow)
		}
	})
}

func TestGlanceUnderstandsPlainCalls(t *testing.T) {
	if _, ok := glance([]byte(`{"model":"m","messages":[{"role":"user","content":"a \"b\""}],"seed":3,"stream":false}`)); !ok {
		t.Error("not understood")
	}
}
