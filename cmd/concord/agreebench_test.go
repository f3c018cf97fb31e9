package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"concord/cmd/concord/internal/cli"
)

// 100,000 ratings from file to report, bootstrap included, are to take less
// than two seconds.
func BenchmarkAgree(b *testing.B) {
	write := func(name, head, line string) string {
		path := filepath.Join(b.TempDir(), name)
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		w, r := bufio.NewWriter(f), rand.New(rand.NewPCG(1, 1))
		_, _ = io.WriteString(w, head)
		for item := range 20_000 {
			truth := r.IntN(5)
			for rater := range 5 {
				class := truth
				if r.IntN(4) == 0 {
					class = r.IntN(5)
				}
				_, _ = fmt.Fprintf(w, line, item, rater, class)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		return path
	}
	run := func(name string, args ...string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := cli.Streams{In: os.Stdin, Out: io.Discard, Err: io.Discard}
				if code := runProgram(b.Context(), args, s); code != cli.ExitDone {
					b.Fatalf("exit status %d", code)
				}
			}
		})
	}
	table := write("a.csv", "item,rater,vote\n", "%d,rater %d,%d\n")
	lines := write("a.jsonl", "", "{\"item\":%d,\"rater\":\"rater %d\",\"vote\":%d}\n")
	run("csv", "agree", table, "--item", "item", "--rater", "rater", "--value", "vote")
	run("jsonl", "agree", lines, "--item", "item", "--rater", "rater", "--value", "vote", "--json")
	run("ordinal", "agree", table, "--item", "item", "--rater", "rater", "--value", "vote", "--level", "ordinal", "--reference", "rater 0")
}
