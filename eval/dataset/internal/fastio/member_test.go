package fastio

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"concord/eval/bound"
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
		got, cut := cutIntoMembers(text, nil)
		var want map[string]json.RawMessage
		err := json.Unmarshal(text, &want)
		if cut != nil {
			if !errors.Is(cut, ErrTwice) && err == nil && want != nil {
				t.Errorf("%q is not cut: %v", text, cut)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q is cut, and is no object: %v", text, err)
		}
		if len(got) != len(want) || slices.ContainsFunc(got, func(m Member) bool { return string(m.Value) != string(want[m.Name]) }) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		for name, value := range want {
			var s string
			if value[0] == '"' && json.Unmarshal(value, &s) == nil && string(TextOfJSON(value)) != s {
				t.Errorf("%s: %q, want %q", name, TextOfJSON(value), s)
			}
		}
	})
}

func TestParseObject(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		got := ""
		if _, err := ParseLenientObject([]byte(text), nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	check(`{"id":"1","options":{"A":"a \"}"},"answer":null}`, "")
	check("\n{ }\n", "")
	check(`{"\u0041":1}`, "")
	check(`{"a":NaN}`, "")
	check(`{"a":-Infinity,"b":[Infinity,NaN]}`, "")
	check(`{"a":NaNo}`, "not a JSON object: invalid character 'N' looking for beginning of value")
	check(`{"a":1,"b":2,"a":1}`, `the object has two members "a"`)
	check(`{"A":1,"\u0041":NaN}`, `the object has two members "A"`)
	check(`["a"]`, "not a JSON object: json: cannot unmarshal array into Go value of type map[string]json.RawMessage")
	check(``, "not a JSON object: unexpected end of JSON input")
	var many strings.Builder
	for i := range bound.Columns + 1 {
		fmt.Fprintf(&many, `,"%d":0`, i)
	}
	check("{"+many.String()[1:]+"}", "the object has more than 16384 members")
}
