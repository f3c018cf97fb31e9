package annotate

import (
	"strings"
	"testing"

	"concord/eval"
)

func TestLabelSet(t *testing.T) {
	for _, c := range []struct{ words, keys, want string }{
		{"", "", "0 options"},
		{"a b", "A", "1 keys for 2 options"},
		{"a b", "A 1", "want one letter"},
		{"a b", "A a", "twice"},
		{"a A", "", "twice"},
		{strings.Repeat("x", 81), "", "1 to 80 bytes"},
		{"a,b", "", "without a comma"},
		{strings.Repeat("a ", 27), "", "27 options"},
	} {
		if _, err := NewLabelSet("s", strings.Fields(c.words), strings.Fields(c.keys)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q by %q: %v, want %q", c.words, c.keys, err, c.want)
		}
	}
	s, err := NewLabelSet("s", []string{"good", "wrong language"}, []string{"g", "W"})
	if err != nil || s.WordOfKey("G") != "good" || s.WordOfKey("B") != "" || len(s.Hash) != 12 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, other := range [][]string{{"good", "wrong"}, {"wrong language", "good"}} {
		if o, _ := NewLabelSet("s", other, []string{"G", "W"}); o.Hash == s.Hash {
			t.Errorf("%q has the hash of another set", other)
		}
	}
	if text, ok := s.ToggleTag([]string{"wrong language"}, "good"); !ok || text != "good, wrong language" {
		t.Errorf("%q, %t", text, ok)
	}
	if _, ok := s.ToggleTag(nil, "other"); ok {
		t.Error("a tag that the set does not have is put on")
	}
}

func TestOwnLabelsAreTheOptions(t *testing.T) {
	set, _ := NewLabelSet("quality", []string{"good", "blurred"}, nil)
	q := &Queue{Name: "q", Rule: Rule{From: FromAll}, Labels: set}
	s := eval.Sample{Kind: eval.KindOpen, Question: "Which?", Reference: "dog", Options: []eval.Option{{Letter: "A", Text: "cat"}}}
	it := NewBlindItem(q, QueueItem{}, s, Guide{}, eval.Prediction{Text: "a dog"})
	if it.Question != "Which?\nA. cat" || it.Options[1].Text != "blurred" || it.Reference != "" || it.Labels != "quality" {
		t.Errorf("%+v", it)
	}
	if err := q.CheckTakesReadings(); err == nil || q.CheckTakesLabels() != nil {
		t.Error(err)
	}
}

func TestTagsCountInTheHash(t *testing.T) {
	plain, tagged := HashLabels([]Label{{}}), HashLabels([]Label{{Tags: []string{"a"}}})
	if plain == tagged {
		t.Error("a label with tags has the hash of one without")
	}
}
