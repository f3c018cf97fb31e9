package openai

import (
	"fmt"
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
		f := eval.FailureOf(err)
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
