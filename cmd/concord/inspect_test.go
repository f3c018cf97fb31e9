package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/eval/dataset"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/stat"
	"concord/store"
)

// spread gives each of the samples a number of hits: so many samples have so
// many, in this order.
func spread(hits ...[2]int) []int {
	var out []int
	for _, h := range hits {
		out = append(out, slices.Repeat([]int{h[0]}, h[1])...)
	}
	return out
}

// pooled makes a project with a pool of 1,000 samples, 8 text-only runs and 16
// with the picture. Of the latter there are predictions for what 2 of 8 or fewer
// answer alone, which are the first 500.
func pooled(t *testing.T) (path string, concord func(want int, args ...string) (out, err string)) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "p.db")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	st, err := store.Open(path, store.Options{NoSync: true})
	must(err)
	defer func() { must(st.Close()) }()
	blind := spread([2]int{0, 200}, [2]int{1, 150}, [2]int{2, 150}, [2]int{3, 100}, [2]int{4, 100}, [2]int{5, 100}, [2]int{6, 80}, [2]int{7, 70}, [2]int{8, 50})
	sighted := spread([2]int{0, 50}, [2]int{3, 40}, [2]int{4, 60}, [2]int{7, 100}, [2]int{8, 50}, [2]int{11, 100}, [2]int{12, 70}, [2]int{16, 30})
	d := eval.Dataset{Name: "pool", Hash: "h", Samples: len(blind)}
	var items []dataset.Item
	for o := range blind {
		items = append(items, dataset.Item{Sample: eval.Sample{
			Ordinal: eval.Ordinal(o), ID: eval.SampleID(fmt.Sprintf("s%d", o)), Kind: eval.KindChoice, Question: "Which?", Answer: "A",
			Options: []eval.Option{{Letter: "A", Text: "oak"}, {Letter: "B", Text: "elm"}}, Source: []string{"MMMU", "SEED"}[o%2],
		}})
	}
	ctx := t.Context()
	must(errors.Join(st.Datasets().BeginDataset(ctx, d), st.Datasets().PutSamples(ctx, "pool", items), st.Datasets().FinishDataset(ctx, d)))
	ask := func(n int, name string, m eval.Modality, hits []int) {
		for i := range n {
			run, err := st.Runs().CreateRun(ctx, eval.Config{
				Dataset: "pool", Model: fmt.Sprint(name, i+1), Strategy: eval.Vanilla, Modality: m, Origin: eval.Imported, Rules: "concord",
			})
			must(err)
			facts := make([]eval.Fact, len(hits))
			for o, h := range hits {
				facts[o].Prediction = eval.Prediction{Key: eval.Key{Run: run.ID, Sample: eval.Ordinal(o)}, Text: map[bool]string{true: "A", false: "B"}[i < h]}
			}
			_, err = st.Runs().RecordAll(ctx, facts)
			must(errors.Join(err, st.Runs().MarkRunImported(ctx, run.ID)))
		}
	}
	ask(8, "lm", eval.TextOnly, blind)
	ask(16, "vlm", eval.WithImage, sighted)
	return path, func(want int, args ...string) (string, string) {
		t.Helper()
		var out, errs bytes.Buffer
		status := runProgram(context.Background(), append([]string{"-p", path}, args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != want {
			t.Fatalf("concord %s: status %d, want %d: %s", strings.Join(args, " "), status, want, errs.String())
		}
		return out.String(), errs.String()
	}
}

// inspectedRow is what the tests read of a report.
type inspectedRow struct {
	Pool       int
	Hits       []struct{ Samples stat.Rate }
	Abnormal   stat.Rate
	Majority   stat.Rate
	Filtered   stat.Rate
	Doubtful   stat.Rate
	Candidates stat.Rate
	Difficulty []struct {
		Level   string
		Samples stat.Rate
	}
	Ungraded int
	Sources  []struct {
		Source string
		Pool   int
	}
}

// By hand: 500 samples have at most 2 hits of 8, 600 at most 3; 200 have 6 or
// more, 300 have 5 or more, which are more than half. Of the 500, 100 have 12 or
// more hits of 16 (70 exactly), 150 have 8 to 11 (100 exactly 11, 50 exactly 8),
// 160 have 4 to 7 (100 exactly 7, 60 exactly 4), and 90 fewer.
func TestInspect(t *testing.T) {
	if testing.Short() {
		t.Skip("one thing after the other: nothing for the race detector")
	}
	path, concord := pooled(t)
	models := func(n int, name string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprint(name, i+1))
		}
		return strings.Join(out, ",")
	}
	out, _ := concord(0, "inspect", "first", "--dataset", "pool", "--model", models(8, "lm"), "--sighted", models(15, "vlm")+",24")
	for _, want := range []string{"1000 samples of pool, 8 runs without the image, 16 runs with it", "500 kept, 500 answerable", "(abnormal: 200, by majority vote: 300)", "100 easy, 150 moderate, 160 hard, 90 tough\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	check := func(filtered, abnormal, majority, doubtful, candidates, ungraded int, levels [4]int, flags ...string) {
		t.Helper()
		out, _ := concord(0, append([]string{"report", "inspectors", "--inspection", "first", "--json"}, flags...)...)
		var r struct{ Rows []inspectedRow }
		if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Rows) != 1 {
			t.Fatalf("%v: %s", err, out)
		}
		row := r.Rows[0]
		got := [...]int{row.Filtered.K, row.Abnormal.K, row.Majority.K, row.Doubtful.K, row.Candidates.K, row.Ungraded}
		if want := [...]int{filtered, abnormal, majority, doubtful, candidates, ungraded}; got != want || row.Filtered.N != 1000 || row.Pool != 1000 {
			t.Errorf("%v: %v, want %v", flags, got, want)
		}
		graded := filtered - ungraded
		for i, l := range row.Difficulty {
			if l.Samples != stat.NewRate(levels[i], graded) {
				t.Errorf("%v: %s %+v, want %d of %d", flags, l.Level, l.Samples, levels[i], graded)
			}
		}
		if len(row.Hits) != 9 || row.Hits[2].Samples != stat.NewRate(150, 1000) || row.Hits[3].Samples != stat.NewRate(100, 1000) || len(row.Sources) != 2 {
			t.Errorf("%+v, %+v", row.Hits, row.Sources)
		}
	}
	check(500, 200, 300, 0, 500, 0, [4]int{100, 150, 160, 90})
	// Nothing but thresholds changes, and what no run with the picture saw is not graded.
	check(600, 200, 300, 0, 600, 100, [4]int{100, 150, 160, 90}, "--keep", "3/8")
	check(350, 300, 300, 0, 350, 0, [4]int{0, 100, 160, 90}, "--keep", "1/8", "--abnormal", "5/8")
	check(500, 200, 300, 90, 410, 0, [4]int{200, 50, 160, 90}, "--easy", "11/16", "--doubtful", "3/16")
	check(500, 200, 300, 0, 500, 0, [4]int{100, 150, 100, 150}, "--hard", "5/16")
	opened(t, path)
	refuse := func(want string, args ...string) {
		t.Helper()
		if _, err := concord(1, append([]string{"inspect", "other", "--dataset", "pool"}, args...)...); !strings.Contains(err, want) {
			t.Errorf("%v: %s, want %q", args, err, want)
		}
	}
	if _, err := concord(1, "inspect", "first", "--dataset", "pool", "--run", "1"); !strings.Contains(err, "inspection 1 has the name") {
		t.Error(err)
	}
	if _, err := concord(1, "report", "inspectors", "--inspection", "other"); !strings.Contains(err, "inspection other") {
		t.Error(err)
	}
	refuse("it was shown the images", "--run", "1,9")
	refuse("it was not shown the images", "--run", "1", "--sighted", "2")
	refuse("use run 1 twice", "--run", "1,1")
	refuse("find a run of vlm1 without the image", "--model", "vlm1")
	refuse("grade by run 9: it (vlm1) has not decided 100 of 600 samples that the coarse filter keeps: s500, s501, s502, s503, s504, ... (the imported file has no answer)",
		"--model", models(8, "lm"), "--keep", "3/8", "--sighted", "9")
	concord(2, "inspect", "other", "--dataset", "pool")
	concord(2, "inspect", "other", "--dataset", "pool", "--run", "1", "--keep", "9/8")
}

// opened demands that the inspection is as it was made, and that each figure
// opens the samples that it counts.
func opened(t *testing.T, path string) {
	t.Helper()
	st, err := store.Open(path, store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	in, err := st.Inspections().Inspection("first")
	if err != nil || in.Settings != curation.MMStarSettings() || len(in.Candidates()) != 500 || in.Graders[15].Run != 24 {
		t.Errorf("%+v, %v", in.Settings, err)
	}
	strict := func(s *curation.Settings) {
		s.Keep, s.Doubtful = curation.Share{K: 3, Of: 8}, curation.Share{K: 3, Of: 16}
	}
	r, err := quality.ReportInspectors(t.Context(), facts.NewSource(st), quality.InspectorOptions{Change: strict})
	if err != nil || len(r.Rows) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	check := func(s report.Selection, want int, run eval.RunID) {
		t.Helper()
		n := 0
		for k, err := range r.Rows[0].KeysBehind(t.Context(), facts.NewSource(st), s) {
			if n++; err != nil || k.Run != run {
				t.Fatalf("%+v: %v, %v", s, k, err)
			}
		}
		if n != want {
			t.Errorf("%+v: %d samples, want %d", s, n, want)
		}
	}
	check(report.Selection{Which: quality.Hits, Part: quality.FigurePart{Hits: 3}}, 100, 1)
	check(report.Selection{Which: quality.Hits, Part: quality.FigurePart{Hits: 3, Source: "SEED"}}, 50, 1)
	check(report.Selection{Which: quality.Abnormal}, 200, 1)
	check(report.Selection{Which: quality.ByMajority}, 300, 1)
	check(report.Selection{Which: quality.Passed}, 600, 1)
	check(report.Selection{Which: quality.Answerable}, 400, 1)
	check(report.Selection{Which: quality.SightedHits, Part: quality.FigurePart{Hits: 11}}, 100, 9)
	check(report.Selection{Which: quality.OfDifficulty, Part: quality.FigurePart{Difficulty: curation.Moderate}}, 150, 9)
	check(report.Selection{Which: quality.Ungraded}, 100, 9)
	check(report.Selection{Which: quality.Doubtful}, 90, 9)
	check(report.Selection{Which: quality.Candidates}, 510, 9)
	check(report.Selection{Which: quality.Accepted}, 0, 9)
}
