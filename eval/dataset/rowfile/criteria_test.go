package rowfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"concord/eval/dataset/problem"
)

func TestReadCriteria(t *testing.T) {
	check := func(file, text string, want ...string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		for r, err := range ReadCriteria(path) {
			var p *problem.Problem
			switch {
			case errors.As(err, &p):
				got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Reason))
			case err != nil:
				got = append(got, err.Error())
			default:
				var list [][2]string
				for _, c := range r.List {
					list = append(list, [2]string{c.Type, c.Text})
				}
				got = append(got, fmt.Sprintf("%s %v %v %q %s %s %s", r.Sample, r.Written, list, r.Text, r.Type, r.Author, r.State))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	check("a.jsonl", `{"sample":"7","criteria":[{"type":"range","text":"a"},"b"],"question_type":"compound","author":"ann","state":"draft"}`,
		`7 true [[range a] [ b]] "" compound ann draft`)
	check("a.jsonl", `{"uid":"2_1","id":2,"criteria":"1. a\n2. b","judge_raw":"Answer1","meta":{"capability":"c"}}`,
		`2 true [] "1. a\n2. b"   `)
	check("a.jsonl", `{"id":2,"criteria":null}`+"\n"+`{"criteria":"1. a"}`+"\n"+`{"id":3,"criteria":[]}`,
		`2 false [] ""   `, "2: the row names no sample: every row needs one", `3 true [] ""   `)
	check("a.jsonl", `{"id":2,"criteria":"[sic] a","question type":"close-ended"}`, `2 true [] "[sic] a" closed-ended  `)
	check("a.jsonl", `{"id":2,"criteria":[7]}`, "1: criterion 1: it is neither a text nor an object with type, text and weight")
	check("a.jsonl", `{"id":2,"criteria":"a","question_type":"none"}`,
		`1: unknown question type "none": want one of open-ended, closed-ended, compound`)
	check("a.csv", "sample,criteria\n7,\"[{\"\"text\"\":\"\"a\"\"}]\"\n", `7 true [[ a]] ""   `)
	check("a.jsonl", `{"prompt_id":"p","rubrics":[{"criterion":"x","points":-2,"tags":["t"]}]}`, `p true [[ x]] ""   `)
	check("a.jsonl", `{"sample":"s","tree":{"id":1,"requirements":"r","sub_tasks":[{"id":2,"task_category":"c","requirements":"q"}]}}`, `s true [[ r] [c q]] ""   `)
	check("a.jsonl", `{"sample":"s","tree":{"text":"r"}}`, "1: a node of the tree has no id")
	check("a.csv", "sample,text\n7,a\n", "read a.csv: there is no column criteria or rubrics or tree")
}

func TestReadQuotas(t *testing.T) {
	check := func(text string, want ...string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "q.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		for r, err := range ReadQuotas(path) {
			if err != nil {
				got = append(got, err.Error())
			} else {
				got = append(got, fmt.Sprint(len(r.Path), r.Path, r.N))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	check("level,capability,n\na,b c,2\na,,3\n,,4\na,b,x\na,b,0\n", "2 [a b c] 2", "1 [a] 3",
		"q.csv:4: the row names no level", `q.csv:5: n "x" is not a number of samples`, `q.csv:6: n "0" is not a number of samples`)
	check("taxonomy,n\n\"[\"\"a\"\",\"\"b\"\"]\",2\na,1\n", "2 [a b] 2", "1 [a] 1")
	check("taxonomy,n\na / b/c,2\n", "2 [a b/c] 2")
	check("capability,axis,n\na,b c,2\n", "2 [a b c] 2")
	check("level,number\na,2\n", "read q.csv: there is no column n")
}
