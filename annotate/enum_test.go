package annotate

import (
	"fmt"
	"testing"
)

func TestNamesReadBack(t *testing.T) {
	for i := range len(fromNames) {
		v, err := ParseFrom(From(i).String())
		if ok := i > 0; (err == nil) != ok || ok && v != From(i) {
			t.Errorf("population %d: %v, %v", i, v, err)
		}
	}
	if _, err := ParsePolicy("most"); fmt.Sprint(err) != `unknown policy "most": want one of unanimous, majority, plurality, adjudicated, dawid-skene` {
		t.Error(err)
	}
	if s := ActKind(200).String(); s != "invalid(200)" {
		t.Error(s)
	}
	if Looked.String() != "reveal" || Closed.String() != "resolve" || int(Tagged) != len(actNames)-1 {
		t.Error("names and kinds of acts differ")
	}
}
