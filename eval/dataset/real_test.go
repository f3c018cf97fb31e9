package dataset

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"concord/eval"
)

// real returns the path of a file of real data, which is not part of the
// project.
func real(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("../../../shared/data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("real data is absent: ", err)
	}
	return path
}

func predict(t testing.TB, m *memory, name string, o PredictionOptions) Summary {
	t.Helper()
	if o.Model == "" {
		o.Model = "m"
	}
	sum, err := ImportPredictions(context.Background(), m, real(t, name), o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return sum
}

func TestRealDatasets(t *testing.T) {
	m := newMemory(t)
	hashes := map[string][]eval.PictureHash{}
	for _, c := range []struct {
		name     string
		samples  int
		pictures int
		path     []string
	}{
		{"MMBench_EN_samples", 20, 20, []string{"reasoning", "Logic Reasoning", "Structuralized Imagetext Understanding"}},
		{"MMBench_CN_samples", 20, 20, []string{"reasoning", "Logic Reasoning", "Structuralized Imagetext Understanding"}},
		{"CCBench_samples", 14, 14, []string{"风景与建筑 (Scenery Building)"}},
	} {
		path := real(t, "mmbench/"+c.name+".tsv")
		sum, err := Import(context.Background(), m, path, Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Added != c.samples || sum.Pictures != c.pictures || sum.Skipped+sum.Warnings+sum.MissingPictures+sum.NoTruth != 0 {
			t.Errorf("%s: %+v", c.name, sum)
		}
		first := m.samples[eval.DatasetName(c.name)][0]
		if !slices.Equal(first.Taxonomy, c.path) {
			t.Errorf("%s: taxonomy %q, want %q", c.name, first.Taxonomy, c.path)
		}
		for _, o := range slices.Sorted(maps.Keys(m.samples[eval.DatasetName(c.name)])) {
			s := m.samples[eval.DatasetName(c.name)][o]
			if s.Kind != eval.KindChoice || s.Taxonomy[0] == "" || len(s.Pictures) != 1 {
				t.Errorf("%s: sample %s: %+v", c.name, s.ID, s)
			}
			hashes[c.name] = append(hashes[c.name], s.Pictures[0].Hash)
		}
		again, err := Import(context.Background(), m, path, Options{})
		if err != nil || again.Added != 0 || again.Unchanged != c.samples {
			t.Errorf("%s again: %+v, %v", c.name, again, err)
		}
	}
	if !slices.Equal(hashes["MMBench_EN_samples"], hashes["MMBench_CN_samples"]) {
		t.Error("the English and the Chinese samples have other images")
	}
}

func TestRealPredictions(t *testing.T) {
	worlds := map[string]*memory{}
	for _, c := range []struct {
		name                       string
		rows, questions, irregular int
		circular                   bool
		kind                       eval.Kind
		warnings                   int
	}{
		{"mmbench/mmbench_dev_20230712_llava-v1.5-13b.xlsx", 4377, 1176, 53, true, eval.KindChoice, 0},
		{"mmbench/vila_8b_CCBench.xlsx", 2040, 510, 0, true, eval.KindChoice, 0},
		{"mmstar/llava_next_yi_34b_MMStar.xlsx", 1500, 1500, 0, false, eval.KindChoice, 0},
		{"mmstar/vila_8b_MMStar.xlsx", 1500, 1500, 0, false, eval.KindChoice, 2},
		{"mme/vila_8b_MME.xlsx", 2374, 2374, 0, false, eval.KindYesNo, 0},
		{"mme/LaVIN", 2374, 2374, 0, false, eval.KindYesNo, 0},
		{"logs/lmms-eval/20260923_232421_samples_mme.jsonl", 8, 8, 0, false, eval.KindYesNo, 0},
	} {
		m := newMemory(t)
		worlds[c.name] = m
		sum := predict(t, m, c.name, PredictionOptions{Dataset: "d", Options: Options{Strict: true}})
		if sum.Read != c.rows || sum.Added != c.rows || sum.Questions != c.questions || sum.Irregular != c.irregular ||
			sum.Circular != c.circular || sum.Skipped != 0 || sum.NoTruth != 0 || !sum.Made || sum.Warnings != c.warnings {
			t.Errorf("%s: %+v", c.name, sum)
		}
		if len(m.samples["d"]) != c.questions || len(m.facts) != c.rows {
			t.Errorf("%s: %d samples, %d facts", c.name, len(m.samples["d"]), len(m.facts))
		}
		closed := 0
		for _, f := range m.facts {
			if f.Closes {
				closed++
			}
		}
		if closed != c.questions {
			t.Errorf("%s: %d questions are closed", c.name, closed)
		}
		for _, s := range m.samples["d"] {
			if s.Kind != c.kind || s.Question == "" {
				t.Fatalf("%s: %+v", c.name, s)
			}
		}
		if c.rows > 2040 {
			continue // unpacking a workbook is slow
		}
		again := predict(t, m, c.name, PredictionOptions{Dataset: "d"})
		if again.Added != 0 || again.Unchanged != c.rows || again.Run != sum.Run || again.Made || again.Irregular != c.irregular {
			t.Errorf("%s again: %+v", c.name, again)
		}
	}
	for _, name := range []string{"mme/LaVIN", "logs/lmms-eval/20260923_232421_samples_mme.jsonl"} {
		sum := predict(t, worlds["mme/vila_8b_MME.xlsx"], name, PredictionOptions{Dataset: "d", Model: "other", Options: Options{Strict: true}})
		if sum.Added != sum.Read || sum.Warnings != 0 || sum.Made {
			t.Errorf("%s of the questions of the kit's file: %+v", name, sum)
		}
	}
	checkInline(t, worlds["mmstar/llava_next_yi_34b_MMStar.xlsx"], worlds["mmstar/vila_8b_MMStar.xlsx"])
	checkShown(t, worlds["mmbench/mmbench_dev_20230712_llava-v1.5-13b.xlsx"])
}

// The older layout of MMStar holds the options inside the question; the
// newer file is the truth, less what pandas emptied in it.
func checkInline(t *testing.T, older, newer *memory) {
	t.Helper()
	lost := map[eval.SampleID]bool{
		"268": true, "273": true, "391": true, // an option "None": nan in the one, emptied in the other
		"1199": true, // "(D)8": the newer file has no D
	}
	for o, s := range older.samples["d"] {
		want := newer.samples["d"][o]
		if lost[s.ID] {
			if len(s.Options) != 4 || sameOptions(s.Options, want.Options) {
				t.Errorf("%s: %q, newer %q", s.ID, s.Options, want.Options)
			}
			continue
		}
		if !sameOptions(s.Options, want.Options) || collapseSpace(s.Question) != collapseSpace(want.Question) || s.Answer != want.Answer {
			t.Errorf("%s: %q %q, want %q %q", s.ID, s.Question, s.Options, want.Question, want.Options)
		}
		if !slices.Equal(s.Taxonomy, want.Taxonomy) || len(s.Taxonomy) != 2 || s.Source == "" {
			t.Errorf("%s: taxonomy %q, want %q, source %q", s.ID, s.Taxonomy, want.Taxonomy, s.Source)
		}
	}
}

// Of the LLaVA file, 53 questions rotate only their first three options.
func checkShown(t *testing.T, m *memory) {
	t.Helper()
	shown := 0
	for k, f := range m.facts {
		if f.Prediction.Shown == nil {
			continue
		}
		shown++
		if k.Pass == 0 || len(f.Prediction.Shown.Options) != 4 || f.Prediction.Shown.Answer == "" {
			t.Errorf("%v: %+v", k, f.Prediction.Shown)
		}
	}
	if shown != 106 {
		t.Errorf("%d predictions with other options, want 106", shown)
	}
	if r := m.runs[0].Config; r.Strategy != eval.Circular || !r.AllPasses || r.Origin != eval.Imported {
		t.Errorf("configuration %+v", r)
	}
}
