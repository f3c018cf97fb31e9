package dataset

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"concord/eval"
)

// first is a reader for tests: the first character is the choice.
type first struct{}

func (first) Name() string    { return "first" }
func (first) Version() string { return "1" }
func (first) Read(_ eval.Kind, options []eval.Option, text string) eval.Extraction {
	for _, o := range options {
		if strings.HasPrefix(text, string(o.Letter)) {
			return eval.Extraction{Choice: o.Letter, Status: eval.Found, Method: "first"}
		}
	}
	return eval.Extraction{Status: eval.Missing}
}

func record1(t testing.TB, m *memory, path string) (Summary, error) {
	t.Helper()
	return ImportPredictions(context.Background(), m, path, PredictionOptions{
		Dataset: "d", Model: "m", Reader: first{}, Now: func() time.Time { return time.Unix(5, 0) },
	})
}

func TestPredictionsOfDataset(t *testing.T) {
	m := newMemory(t)
	load(t, m, tsv(t, "d.tsv", "index;question;A;B;C;answer\n1;q1?;x;y;z;A\n2;q2?;None;v;;A\n3;q3?;;;;Yes\n4;q4?;a;b;;A\n"), Options{})
	sum, err := record1(t, m, tsv(t, "m_d.tsv", "index;question;A;B;C;answer;prediction\n"+
		"1;q1?  ;x;y;z;A;A\n2;q2?;;v;;A;B. v\n3;Please: q3?;;;;Yes;Yes\n9;q9?;x;y;;A;A\n4;other?;k;l;;A;A\n1;q1?;x;y;z;A;B\n"))
	if err != nil {
		t.Fatal(err)
	}
	if sum.Made || sum.Read != 3 || sum.Added != 3 || sum.Skipped != 3 || sum.Warnings != 2 {
		t.Errorf("%+v", sum)
	}
	f := m.facts[eval.Key{Run: 1, Sample: 1}]
	if f.Prediction.Shown == nil || len(f.Prediction.Shown.Options) != 1 || f.Reading.Choice != "B" || f.Reader != "first@1" || !f.Closes {
		t.Errorf("emptied option: %+v", f)
	}
	if f := m.facts[eval.Key{Run: 1, Sample: 0}]; f.Prediction.Shown != nil || f.Prediction.Text != "A" || f.Prediction.At.Unix() != 5 {
		t.Errorf("plain: %+v", f)
	}
}

func TestPredictionsAgain(t *testing.T) {
	m := newMemory(t)
	const head = "index;question;A;B;answer;prediction\n"
	for i, c := range []struct {
		text                       string
		added, unchanged, warnings int
	}{
		{"1;q1;x;y;A;A\n", 1, 0, 0},
		{"1;q1;x;y;A;A\n", 0, 1, 0},
		{"1;q1;x;y;A;B\n", 0, 1, 1},
	} {
		sum, err := record1(t, m, tsv(t, "f.tsv", head+c.text))
		if err != nil || sum.Added != c.added || sum.Unchanged != c.unchanged || sum.Warnings != c.warnings || sum.Run != 1 {
			t.Errorf("%d: %+v, %v", i, sum, err)
		}
	}
	if _, err := record1(t, newMemory(t), tsv(t, "f.tsv", "index;question;answer;prediction\n1;q;A;A\n2;q;B;A\n")); err == nil ||
		!strings.Contains(err.Error(), "import the dataset first") {
		t.Errorf("no dataset: %v", err)
	}
	if _, err := ImportPredictions(context.Background(), m, "x", PredictionOptions{}); err == nil {
		t.Error("no model and no file: no error")
	}
}

func TestPredictionsAsJSON(t *testing.T) {
	const (
		one   = `{"id": "a-1", "options": {"B": "cat", "A": "dog", "C": null}, "answer": "B", "category": "animals", "prediction": "B. cat"}`
		two   = `{"id": 2, "question": "Say \"hi\"", "options": ["yes", "no"], "answer": "A", "prediction": "A"}`
		three = `{"index": 3, "question": "q", "A": "x", "B": "None", "answer": NaN, "prediction": "NaN is B", "hint": NaN}`
		four  = `{"id": "v_4", "question": "q", "index2ans": {"A": "x", "B": "y"}, "all_choices": ["A", "B"], "answer": "B", "response": "B"}`
		bad   = `{"id": 5, "question" "q", "prediction": "A"}`
		none  = `{"id": 6, "question": "q", "options": ["x", "y"], "prediction": null}`
		word  = `"just a text"`
	)
	all := []string{one, two, bad, three, word, none, four}
	for name, text := range map[string]string{
		"a.jsonl":     strings.Join(all, "\n"),
		"a.json":      "[" + strings.Join(all, ",\n") + "]",
		"crlf.json":   "\xef\xbb\xbf[\r\n" + strings.Join(all, ",\r\n") + "\r\n]\r\n",
		"compact.txt": "[" + strings.Join(all, ",") + "]",
	} {
		m := newMemory(t)
		sum, err := record1(t, m, write(t, name, text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if sum.Read != 4 || sum.Added != 4 || sum.Skipped != 3 || !sum.Made || sum.NoTruth != 1 || sum.Warnings != 0 {
			t.Errorf("%s: %+v", name, sum)
		}
		var got []string
		for i, s := range m.list("d") {
			f := m.facts[eval.Key{Run: 1, Sample: eval.Ordinal(i)}]
			got = append(got, fmt.Sprintf("%s %s %v %s %s", s.ID, s.Question, s.Options, s.Answer, f.Prediction.Text))
		}
		want := []string{
			"a-1  [{A dog} {B cat}] B B. cat", `2 Say "hi" [{A yes} {B no}] A A`, "3 q [{A x} {B None}]  NaN is B", "v_4 q [{A x} {B y}] B B",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q\nwant %q", name, got, want)
		}
	}
}

// Bytes that are no UTF-8 are replaced, and that they were is said.
func TestPredictionsOfInvalidUTF8(t *testing.T) {
	m := newMemory(t)
	text := `{"id": 1, "options": ["x", "y"], "answer": "A", "prediction": "a\nb` + "\xff" + `"}` + "\n" +
		`{"id": 2, "options": ["x", "y"], "answer": "A", "prediction": "A\ufffd"}`
	sum, err := record1(t, m, write(t, "a.jsonl", text))
	if err != nil || sum.Read != 2 || len(sum.Problems) != 1 ||
		sum.Problems[0].Error() != "a.jsonl:1: the row is not valid UTF-8: the bytes that are not were replaced" {
		t.Errorf("%+v, %v", sum, err)
	}
	if got := m.facts[eval.Key{Run: 1}].Prediction.Text; got != "a\nb\uFFFD" {
		t.Errorf("%q", got)
	}
}

// A quote that is missing costs its object, not the rest of the array.
func TestBrokenArray(t *testing.T) {
	m := newMemory(t)
	sum, err := record1(t, m, write(t, "a.json", `[{"id":1,"options":["x","y"],"prediction":"A"},
{"id":2,"options":["x","y"],"prediction":"A},
{"id":3,"options":["x","y"],"prediction":"A"},
{"id":4,"options":["x","y"],"prediction":"A"`))
	if err != nil || sum.Read != 2 || sum.Skipped != 2 || sum.Problems[0].Line != 2 || sum.Problems[1].Line != 4 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func BenchmarkImportPredictions(b *testing.B) {
	var text strings.Builder
	text.WriteString("index\tquestion\tA\tB\tC\tD\tanswer\tcategory\tprediction\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "%d\tWhat is shown in the image number %d?\tA red square.\tA green circle.\tA blue triangle.\tNothing at all.\tB\tshapes\tB. %s\n",
			i, i, strings.Repeat("The image shows a green circle. ", 6))
	}
	path := write(b, "m_d.tsv", text.String())
	for b.Loop() {
		m := newMemory(b)
		sum, err := ImportPredictions(context.Background(), m, path, PredictionOptions{Dataset: "d", Model: "m", Reader: first{}})
		if err != nil || sum.Added != 100_000 {
			b.Fatal(sum, err)
		}
	}
}

// Answers to other questions that have the same ids are refused, though some of them
// ask by chance what the dataset asks, and nothing is recorded; a few such rows are
// left out.
func TestPredictionsOfOtherQuestions(t *testing.T) {
	const n = 40
	for _, c := range []struct {
		others  int
		refused bool
	}{{10, false}, {11, true}, {n, false}} { // of the last, no row is left
		asked, answered := "index;question;answer\n", "index;question;prediction\n"
		for i := range n {
			asked += fmt.Sprintf("%d;is there a thing %d?;Yes\n", i, i)
			other := 0
			if i < c.others {
				other = 1000
			}
			answered += fmt.Sprintf("%d;is there a thing %d?;Yes\n", i, i+other)
		}
		m := newMemory(t)
		load(t, m, tsv(t, "d.tsv", asked), Options{})
		sum, err := record1(t, m, tsv(t, "m_d.tsv", answered))
		if c.refused != (err != nil && strings.Contains(err.Error(), "11 of 40 rows ask another question")) {
			t.Errorf("%d of %d: %+v, %v", c.others, n, sum, err)
		}
		if want := n - c.others; !c.refused && len(m.facts) != want || c.refused && len(m.facts) != 0 {
			t.Errorf("%d of %d: %d facts", c.others, n, len(m.facts))
		}
	}
}
