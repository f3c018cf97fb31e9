package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
)

// benchmark is a project of 20 categories of 100 questions, of which people
// would say something else than the rules read. It gives what people would say
// and the share of it that is right.
func benchmark(r *rig, seed uint64) (labels string, share float64) {
	rnd := rand.New(rand.NewPCG(seed, 20))
	var answers, said strings.Builder
	said.WriteString("sample,annotator,choice\n")
	for i := range 2000 {
		right := rnd.Float64() < 0.05+0.9*float64(i/100)/19
		read := right != (rnd.Float64() < 0.2)
		_, _ = fmt.Fprintf(&answers, `{"id":%d,"question":"Which?","options":{"A":"a red apple","B":"a blue plum"},"answer":"A","category":"c%02d","prediction":"%s"}`+"\n",
			i, i/100, map[bool]string{true: "A", false: "B"}[read])
		_, _ = fmt.Fprintf(&said, "%d,ann,%s\n", i, map[bool]string{true: "A", false: "B"}[right])
		if right {
			share += 1.0 / 2000
		}
	}
	r.write("answers.jsonl", answers.String())
	r.done("import", "predictions", r.path("answers.jsonl"), "--dataset", "d", "--model", "m")
	return said.String(), share
}

// Drawn per category, the corrected accuracy covers each project's own share,
// and is not off to one side, whatever the number of labels a category. With a
// lambda of its own for each category of 20 labels it covered 79 %.
func TestCorrectedPerCategoryCovers(t *testing.T) {
	t.Parallel()
	projects := 6
	if n, err := strconv.Atoi(os.Getenv("CONCORD_PROJECTS")); err == nil {
		projects = n
	} else {
		t.Logf("%d projects; CONCORD_PROJECTS=60 makes so many", projects)
	}
	numbers := []int{10, 19, 20, 30, 50}
	covered, off := make(map[int]int), make(map[int]float64)
	for i := range projects {
		r := newRig(t, openaitest.Options{})
		labels, share := benchmark(r, uint64(i))
		r.write("labels.csv", labels)
		for _, n := range numbers {
			q := fmt.Sprintf("q%d", n)
			r.done("queue", "create", q, "--dataset", "d", "--from", "all", "--per", fmt.Sprintf("category:%d", n), "--seed", strconv.Itoa(i))
			r.concord("import", "labels", r.path("labels.csv"), "--queue", q)
			out := r.done("report", "accuracy", "--corrected", "--queue", q, "--json")
			row := decode[struct {
				Rows []struct {
					Corrected struct {
						Value, Low, High float64
						N                int
						Interval         string
					}
				}
			}](t, out).Rows[0].Corrected
			if row.N != 20*n || row.Interval != "pointwise" {
				t.Fatalf("N = %d: %+v", n, row)
			}
			if row.Low <= share && share <= row.High {
				covered[n]++
			}
			off[n] += (row.Value - share) / float64(projects)
		}
	}
	for _, n := range numbers {
		t.Logf("%d a category: covers %d of %d, mean error %+.2f points", n, covered[n], projects, 100*off[n])
		most := 0.006
		if n == 10 {
			most = 0.01
		}
		if projects < 60 { // the error of a mean shrinks with the root of its number
			most *= math.Sqrt(60 / float64(projects))
		}
		if least := int(0.87 * float64(projects)); covered[n] < least || math.Abs(off[n]) > most {
			t.Errorf("%d a category: covers %d of %d, mean error %+.2f points", n, covered[n], projects, 100*off[n])
		}
	}
}
