package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Two people vote on ten pairs in turn, on a real terminal: every vote is
// stored, and each pair was seen by one in either order.
func TestTwoPeopleVoteOnTenPairs(t *testing.T) {
	t.Parallel()
	bin, dir := program(t), t.TempDir()
	db := filepath.Join(dir, "p.db")
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(bin, append(args, "-p", db)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "XDG_RUNTIME_DIR="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	write := func(name, line string) string {
		var b strings.Builder
		for i := range 10 {
			_, _ = fmt.Fprintf(&b, line+"\n", i+1)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	run("import", "dataset", write("questions.jsonl", `{"index":%d,"question":"What is it?","question type":"open-ended"}`), "--name", "d")
	for _, model := range []string{"otter", "lynx"} {
		run("import", "predictions", write(model+".jsonl", `{"id":%d,"prediction":"It is **one** of them."}`), "--dataset", "d", "--model", model)
	}
	run("queue", "create", "q", "--dataset", "d", "--from", "pairs", "--overlap", "2")
	for _, who := range []string{"ann", "bob"} {
		x := startOnTerminal(t, bin, 80, 24, "vote", "--as", who, "-p", db) // the only queue is found
		x.waitFor("both right or wrong", 5*time.Second)
		for _, k := range "12=0111122" {
			x.press(string(k))
		}
		x.waitFor("Done: all 10 items", 5*time.Second)
		x.keys("\x03")
		if err := x.exit(8 * time.Second); err != nil {
			t.Fatalf("ctrl+c ends with %v", err)
		}
		if out := x.output(); strings.Contains(out, "otter") || strings.Contains(out, "lynx") {
			t.Errorf("%s was shown a model's name", who)
		}
	}
	first := make(map[string]map[string]int) // model shown first, of each sample
	n := 0
	for l := range strings.Lines(run("export", "votes")) {
		var v struct {
			Sample    string `json:"sample"`
			Model1    string `json:"model_1"`
			Annotator string `json:"annotator"`
		}
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		if first[v.Sample] == nil {
			first[v.Sample] = make(map[string]int)
		}
		first[v.Sample][v.Model1]++
		n++
	}
	if n != 20 || len(first) != 10 {
		t.Errorf("%d votes on %d pairs", n, len(first))
	}
	for sample, by := range first {
		if by["otter"] != 1 || by["lynx"] != 1 {
			t.Errorf("sample %s was shown with these answers first: %v", sample, by)
		}
	}
}
