package rowfile

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/problem"
)

// told writes a file and tells what is read from it, problems as line: reason.
func told[T any](t *testing.T, file, text string, read func(string) iter.Seq2[T, error]) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out []string
	for r, err := range read(path) {
		var p *problem.Problem
		switch {
		case errors.As(err, &p):
			out = append(out, fmt.Sprintf("%d: %s", p.Line, p.Reason))
		case err != nil:
			out = append(out, err.Error())
		default:
			out = append(out, fmt.Sprint(r))
		}
	}
	return out
}

func TestReadDetections(t *testing.T) {
	check := func(file, text string, want ...string) {
		t.Helper()
		if got := told(t, file, text, ReadDetections); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	dog := `{"bbox":[1,2.5,3,4],"confidence":0.9,"label":"dog"}`
	check("a.jsonl", `{"sample":7,"objects":[`+dog+`]}`+"\n"+`{"sample":"8","objects":[]}`, "{1 7 [{dog 0.9 1 2.5 3 4}]}", "{2 8 []}")
	check("a.json", `[{"id":"x/1","objects":[`+dog+","+dog+`]}]`, "{1 x/1 [{dog 0.9 1 2.5 3 4} {dog 0.9 1 2.5 3 4}]}")
	check("a.jsonl", `{"objects":[]}`+"\n"+`{"sample":1,"objects":null}`+"\n"+`{"sample":1}`+"\n"+`{"sample":1,"objects":"dog"}`+"\n{\"sample\":2,\"objects\":[]}",
		"1: the row names no sample: every row needs one", "2: the row has no objects: write [] where a detector found none",
		"3: the row has no objects: write [] where a detector found none", "4: objects are no list", "{5 2 []}")
	bad := func(object, want string) {
		t.Helper()
		check("a.jsonl", `{"sample":1,"objects":[`+dog+","+object+`]}`, "1: object 2: "+want)
	}
	bad(`{"bbox":[1,2,3,4],"confidence":0.9}`, "it has no label")
	bad(`{"bbox":[1,2,3,4],"label":"a"}`, "its confidence is not within 0 and 1")
	bad(`{"bbox":[1,2,3,4],"confidence":90,"label":"a"}`, "its confidence is not within 0 and 1")
	bad(`{"bbox":[1,2,3,4],"confidence":NaN,"label":"a"}`, "it is not {bbox, confidence, label}")
	bad(`{"bbox":[1,2,3],"confidence":1,"label":"a"}`, "its bbox is not four numbers x1, y1, x2, y2")
	bad(`{"bbox":[1,2,3,null],"confidence":1,"label":"a"}`, "its bbox is not four numbers x1, y1, x2, y2")
	bad(`{"bbox":[3,2,1,4],"confidence":1,"label":"a"}`, "its bbox does not go from the upper left corner to the lower right one")
	bad(`{"bbox":"1,2,3,4","confidence":1,"label":"a"}`, "it is not {bbox, confidence, label}")
	bad(`{"bbox":[1,2,3,1e999],"confidence":1,"label":"a"}`, "it is not {bbox, confidence, label}")
	bad(`7`, "it is not {bbox, confidence, label}")
}

func TestReadCaptions(t *testing.T) {
	check := func(file, text string, want ...string) {
		t.Helper()
		if got := told(t, file, text, ReadCaptions); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	check("a.jsonl", `{"sample":7,"caption":" a dog\nasleep ","model":"llava"}`, "{1 7 llava a dog\nasleep}")
	check("a.csv", "sample,caption,model\n7,a dog,llava\n8,,llava\n9,a cat,\n,x,y\n",
		"{2 7 llava a dog}", "3: the row has no caption", "4: the row names no model: every row needs one", "5: the row names no sample: every row needs one")
	check("a.csv", "sample,caption\n7,a dog\n", "read a.csv: there is no column model")
}

// What is read of a stranger's file can be shown to a judge: boxes of finite
// numbers with a label.
func FuzzDetections(f *testing.F) {
	f.Add([]byte(`[{"bbox":[1,2,3,4],"confidence":0.5,"label":"dog"}]`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`[{"bbox":[-1e308,0,1e308,1],"confidence":1,"label":"\u0000"}]`))
	f.Add([]byte(`[null]`))
	f.Fuzz(func(t *testing.T, cell []byte) {
		all, err := parseObjects(cell)
		if (all == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", cell, all, err)
		}
		for _, d := range all {
			for _, x := range []float64{d.X1, d.Y1, d.X2 - d.X1, d.Y2 - d.Y1} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%q: %+v", cell, d)
				}
			}
			if d == (eval.Detection{}) || d.Confidence < 0 || d.Confidence > 1 || strings.TrimSpace(d.Label) == "" || d.X2 < d.X1 || d.Y2 < d.Y1 {
				t.Fatalf("%q: %+v", cell, d)
			}
		}
	})
}
