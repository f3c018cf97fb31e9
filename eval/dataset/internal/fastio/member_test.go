package fastio

import (
	"encoding/json"
	"maps"
	"testing"
)

// What is cut out of an object is what encoding/json reads in it.
func FuzzCutObject(f *testing.F) {
	for _, s := range []string{
		`{}`, ` { "a" : 1 , "b":"x\\\"y\\","c":[1,{"d":"]}"},"\""],"e":{"f":{}},"g":null,"h":-1.5e3} `, `{"a":1,"a":2}`,
		`{"":""}`, `{"\u0041":true}`, `{"a":false}x`, `{"a":"` + "\xff" + `"}`, "{\"\xff\":1}", `{"a"}`, `[]`, `null`, `{"a":"\\"}`, "{\"a\":1\n}", "{}\v", `{"a":"\n\t\r\/\u00e4"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := cutObject(text)
		var want map[string]json.RawMessage
		err := json.Unmarshal(text, &want)
		if !ok {
			return // encoding/json reads it then
		}
		if err != nil {
			t.Fatalf("%q is cut, and is no object: %v", text, err)
		}
		if !maps.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		for name, value := range want {
			var s string
			if value[0] == '"' && json.Unmarshal(value, &s) == nil && string(Text(value)) != s {
				t.Errorf("%s: %q, want %q", name, Text(value), s)
			}
		}
	})
}

func TestCutObject(t *testing.T) {
	check := func(text string, want bool) {
		t.Helper()
		if _, ok := cutObject([]byte(text)); ok != want {
			t.Errorf("%s is cut: %v", text, ok)
		}
	}
	check(`{"id":"1","options":{"A":"a \"}"},"answer":null}`, true)
	check("\n{ }\n", true)
	check(`{"\u0041":1}`, false) // a name with escapes is left to encoding/json
	check(`{"a":NaN}`, false)
	check(`["a"]`, false)
	check(``, false)
}
