package dataset

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/format"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// Any bytes in any format: the driver ends, keeps to the sink's contract
// (memory checks it), and gives the same again.
func FuzzImport(f *testing.F) {
	for i, s := range []string{
		"index\tquestion\tA\tB\tanswer\timage\tprediction\n1\tq\tx\ty\tA\t2\tA\n2\t\"q\tx\ty\tA\t['2', '1']\tB\n1000001\tq\ty\tx\tB\t\tA\n",
		"id,g_index,question,options,answer,prediction\n1,1,q,\"[\"\"a\"\", 'b']\",A,A\n2,1,q,\"{\"\"A\"\":\"\"x\"\"}\",B,B\n",
		`[{"id":1,"options":{"A":"x","B":null},"prediction":"A"},{"id":NaN,"question":"a\nOptions: A: x, B: y"} , {"id":2,]`,
		"{\"index\":\"1e6\",\"question\":\"q\\n(A) x\\n(B)y\",\"answer\":\"B\",\"response\":\"B\"}\n{\"index\":1.0}\n",
		"[{\"id\":1,\"question\":\"q\\n(A)\\n(B)\",\"answer\":\"B\"},{\"id\":2,\"question\":\"q\\n(A) x\\n(B)\\n(C) y\",\"answer\":\"B\"}]",
		`{"doc_id":1,"filtered_resps":[["A"]],"target":"Yes","doc":{"L2-category":"x"},"input":"q"}`,
	} {
		f.Add([]byte(s), uint8(i))
	}
	answered := inspectOne("a", `,"output":{"completion":"A"},"scores":{"s":{"value":1,"answer":"a"}}`)
	f.Add([]byte(inspectEval+`,"samples":[`+answered+`,`+inspectOne("b", "")+`]}`), uint8(5))
	f.Add(zipOf(f, "header.json="+inspectEval+"}", "samples/a_epoch_1.json="+answered), uint8(5))
	f.Add(parquetOf(f, released{Index: 1, Question: "q\nOptions: A: x, B: y", Answer: "A", Image: imageStruct{Bytes: []byte("p")}}), uint8(6))
	formats := []string{tablefile.TSV, tablefile.CSV, format.JSON, tablefile.JSONL, profile.LMMS, profile.Inspect, tablefile.Parquet}
	f.Fuzz(func(t *testing.T, in []byte, which uint8) {
		open := func() (io.ReadCloser, int64, error) { return io.NopCloser(bytes.NewReader(in)), int64(len(in)), nil }
		src := func() *profile.Source { return profile.NewFromOpener("f", formats[int(which)%len(formats)], open, nil) }
		m := newMemory(t)
		sum, err := importFromSource(context.Background(), m, src(), Options{Name: "d"})
		if err == nil {
			checkSamples(t, m, sum)
			again, err := importFromSource(context.Background(), m, src(), Options{Name: "d"})
			if err != nil || again.Added != 0 && sum.Pictures == 0 {
				t.Fatalf("again: %+v, %v", again, err)
			}
		}
		p, err := importPredictionsFrom(context.Background(), m, src(), PredictionOptions{Dataset: "p", Model: "m", Reader: first{}})
		if err == nil && p.Added != p.Read {
			t.Fatalf("%+v", p)
		}
	})
}

func checkSamples(t *testing.T, m *memory, sum Summary) {
	t.Helper()
	list := m.list("d")
	if len(list) != sum.Added || sum.Added > sum.Read || sum.Questions != sum.Added {
		t.Fatalf("%d samples: %+v", len(list), sum)
	}
	for _, s := range list {
		if s.ID == "" || s.Kind == eval.KindUnset || len(s.Options) > 26 {
			t.Fatalf("%+v", s)
		}
		for i, o := range s.Options {
			if i > 0 && s.Options[i-1].Letter >= o.Letter || strings.TrimSpace(o.Text) == "" {
				t.Fatalf("%+v", s)
			}
		}
		if !utf8.ValidString(s.Question + s.Hint + s.Split + string(s.ID) + strings.Join(s.Taxonomy, "")) {
			t.Fatalf("not UTF-8: %+v", s)
		}
	}
}

func TestInline(t *testing.T) {
	check := func(question, answer, want string, options ...string) {
		t.Helper()
		got, opts := splitOffOptions(question, answer)
		var texts []string
		for _, o := range opts {
			texts = append(texts, string(o.Letter)+"="+o.Text)
		}
		if got != want || strings.Join(texts, "|") != strings.Join(options, "|") {
			t.Errorf("%q: %q %q", question, got, texts)
		}
	}
	check("q?\nOptions: A: a, b, and c, B: note: x, C: C: y, D: z, A: w", "A", "q?", "A=a, b, and c", "B=note: x", "C=C: y", "D=z, A: w")
	check("q?\nOptions: A: yes, B: no, C: nan, D: nan", "A", "q?", "A=yes", "B=no")
	check("q?\nOptions: A: nan, B: x, C: nan", "A", "q?", "A=nan", "B=x")
	check("q?\nOptions: A: x, B: y, C: nan", "C", "q?", "A=x", "B=y", "C=nan")
	check("Hint: h\nQuestion: q\nChoices:\n(A) 7\n(B) 5\n(C)9\n", "A", "Hint: h\nQuestion: q", "A=7", "B=5", "C=9")
	check("q\nA. x\nB. y\nz\nAnswer with the option's letter from the given choices directly.", "A", "q", "A=x", "B=y\nz")
	check("q\n(A) first (B) not an option\n(B) x", "A", "q", "A=first (B) not an option", "B=x")
	check("q\nA. only one", "A", "q\nA. only one")
	check("q\n(A)\n(B)", "B", "q\n(A)\n(B)")
	check("q\n(A) x\n(B)\n(C) y", "B", "q", "A=x", "C=y")
	check("Which of A: x, B: y?", "A", "Which of A: x, B: y?")
	check("", "", "")
}
