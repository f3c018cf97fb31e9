package dataset

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"concord/eval"
)

// Options in one cell, marks of images as files write them, questions of which the
// file says by dashes that they have no options, and indexes where there are some.
func TestPublishedForms(t *testing.T) {
	check := func(name, file, want string) {
		t.Helper()
		sink := newMemory(t)
		if _, err := Import(context.Background(), sink, write(t, name, file), Options{Name: "d"}); err != nil {
			t.Error(err)
		}
		var got []string
		for o := range len(sink.samples["d"]) {
			s := sink.samples["d"][eval.Ordinal(o)]
			one := []string{s.Question}
			for _, option := range s.Options {
				one = append(one, fmt.Sprint(option.Letter, "=", option.Text))
			}
			got = append(got, strings.Join(append(one, string(s.Answer)+s.Reference), "|"))
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, all, want)
		}
	}
	check("MMVP.csv", "Index,Question,Options,Correct Answer\n1,Open?,(a) Open (b) Closed,(b)\n", "Open?|A=Open|B=Closed|B")
	check("wemath.json", `[{"ID":"1","knowledge concept":"k","question":"q","option":"A. 4;B. 5;C. No; none","answer":"B","image_path":"a.png","key":"s"}]`, "q|A=4|B=5|C=No; none|B")
	check("muir.jsonl", `{"idx":"1","question":"<image>, <image> or <image_2>?","options":["<image>","x"],"answer":"B"}`, "<image 1>, <image 2> or <image 2>?|A=<image 3>|B=x|B")
	check("cmmmu.jsonl", `{"id":1,"type":"x","question":"q","option1":"-","option2":"-","answer":"3.5","subcategory":"s"}`, "q|3.5")
	check("iconqa.json", `{"1":{"question":"q","choices":["a","b"],"answer":1,"ques_type":"x","grade":"g","label":"l"},"2":{"question":"r","choices":null,"answer":"5","ques_type":"y","grade":"g","label":"l"}}`, "q|A=a|B=b|B\nr|5")
	check("logicvista.json", `{"1":{"question":"q","answer":"D","reasoning":"r","skill":["s"],"broad capability":["b"],"imagename":"a.png"}, "2":{"question":"r","answer":"A, C","reasoning":"r","skill":["s"],"broad capability":["b"],"imagename":"a.png"}}`, "q|D\nr|A, C")
}
