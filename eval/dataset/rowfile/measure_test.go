package rowfile

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"concord/eval/dataset/problem"
)

func TestReadMeasures(t *testing.T) {
	check := func(file, text string, want ...string) {
		t.Helper()
		got := told(t, file, text, ReadExternalScores)
		for i := range got {
			got[i] = strings.TrimSuffix(got[i], "  0001-01-01 00:00:00 +0000 UTC 0}}")
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", text, got, want)
		}
	}
	head := "benchmark,model,metric,value,source"
	check("a.csv", head+",n\nMMBench,GPT-4V,accuracy,75.1,\"paper, Table 3\",1784\nMME, GPT-4V ,perception,1409.43,paper,\n",
		"{2 {MMBench GPT-4V accuracy 75.1 1784 paper, Table 3", "{3 {MME GPT-4V perception 1409.43 0 paper")
	check("a.tsv", strings.ReplaceAll(head, ",", "\t")+"\nMMStar\tGPT-4V\tS_wv\t22.7 %\tpaper\n", "{2 {MMStar GPT-4V S_wv 22.7 0 paper")
	check("a.jsonl", `{"benchmark":"b","model":"m","metric":"x","value":0,"source":"s","n":1500.0}`+"\n"+
		`{"benchmark":"b","model":"m","metric":"x","value":null,"source":"s"}`+"\n"+
		`{"benchmark":"b","model":"m","metric":"x","value":NaN,"source":"s"}`+"\n"+
		`{"benchmark":"b","model":"m","metric":"x","value":"NaN","source":"s"}`,
		"{1 {b m x 0 1500 s", "2: the row has no value", "3: the row has no value", `4: value "NaN" is no number`)
	bad := func(row, want string) {
		t.Helper()
		check("a.csv", head+",n\n"+row+"\nb,m,x,-1,s,2\n", "2: "+want, "{3 {b m x -1 2 s")
	}
	bad(",m,x,1,s,", "the row has no benchmark")
	bad("b,,x,1,s,", "the row has no model")
	bad("b,m, ,1,s,", "the row has no metric")
	bad("b,m,x,1,,", "the row has no source")
	bad("b,m,x,,s,", "the row has no value")
	bad("b,m,x,high,s,", `value "high" is no number`)
	bad("b,m,x,0x1p4,s,", `value "0x1p4" is no number`)
	bad("b,m,x,Inf,s,", `value "Inf" is no number`)
	bad("b,m,x,1,s,0", `n "0" is no number of items`)
	bad("b,m,x,1,s,2.5", `n "2.5" is no number of items`)
	bad(strings.Repeat("b", valueLimit+1)+",m,x,1,s,", "a benchmark of more than 1024 bytes is no name")
	check("a.csv", "benchmark,model,metric,value\nb,m,x,1\n", "read a.csv: there is no column source")
}

// Any bytes: every row is a measure with all of its names and a finite value, or
// a problem.
func FuzzMeasures(f *testing.F) {
	for _, s := range []string{
		"benchmark,model,metric,value,source,n\nb,m,x,1,s,2\nb,\"m,x,1e999,s\n", `{"benchmark":1,"model":"m","metric":[],"value":"1 %","source":{}}`,
		`[{"benchmark":"b","model":"m","metric":"x","value":1e400,"source":"s"},{]`, "\xff\xfeb", "PK\x03\x04",
	} {
		f.Add([]byte(s))
	}
	path := filepath.Join(f.TempDir(), "f.csv")
	f.Fuzz(func(t *testing.T, in []byte) {
		if err := os.WriteFile(path, in, 0o600); err != nil {
			t.Fatal(err)
		}
		for r, err := range ReadExternalScores(path) {
			var p *problem.Problem
			switch {
			case errors.As(err, &p) && p.Reason == "":
				t.Fatalf("%q: a problem without a reason", in)
			case err == nil && (r.Benchmark == "" || r.Model == "" || r.Metric == "" || r.Source == "" ||
				math.IsNaN(r.Value) || math.IsInf(r.Value, 0) || r.N < 0):
				t.Fatalf("%q: %+v", in, r)
			}
		}
	})
}
