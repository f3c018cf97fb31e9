package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/profile"
)

// folderOf writes files into a new folder and returns it.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The release: a folder for each subtask, in both of its forms, with and
// without the pictures.
func TestMMERelease(t *testing.T) {
	files := map[string]string{
		"MME_Benchmark/existence/0001.txt":                         "Is it?\tYes\nIs it not?\tNo\n",
		"MME_Benchmark/existence/0001.jpg":                         "jpg 1",
		"MME_Benchmark/artwork/questions_answers_YN/0001.txt":      "Is it art?\tYes\nIs it none?\tno",
		"MME_Benchmark/artwork/images/0001.png":                    "png 1",
		"MME_Benchmark/code_reasoning/questions_answers_YN/02.txt": "Is it code?\tYes\n\nIs it\n",
	}
	m := newMemory(t)
	sum, err := Import(t.Context(), m, folderOf(t, files), Options{Name: "mme"})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Format != profile.MME || sum.Added != 5 || sum.Skipped != 1 || sum.Pictures != 2 || sum.MissingPictures != 1 {
		t.Errorf("%+v", sum)
	}
	if p := sum.Problems[0]; !strings.HasSuffix(p.File, "MME_Benchmark/code_reasoning/questions_answers_YN/02.txt") || p.Line != 3 ||
		p.Reason != "want question, tab, yes or no" {
		t.Errorf("%v", p)
	}
	first, last := m.samples["mme"][0], m.samples["mme"][4]
	if first.ID != "artwork/0001.png/1" || first.Kind != eval.KindYesNo || first.Answer != eval.Yes || eval.JoinPath(first.Taxonomy) != "perception / artwork" ||
		string(m.pictures[first.Pictures[0].Hash]) != "png 1" || first.Pictures[0].Name != "artwork/0001.png" {
		t.Errorf("%+v", first)
	}
	if last.ID != "existence/0001.jpg/2" || last.Answer != eval.No || string(m.pictures[last.Pictures[0].Hash]) != "jpg 1" {
		t.Errorf("%+v", last)
	}
}

// Pictures stand beside results in folders of the subtasks, whose base names
// repeat; a folder named beside a table is searched by the same paths.
func TestMMEPicturesBesideResults(t *testing.T) {
	root := folderOf(t, map[string]string{
		"count.txt": "2.jpg\tOne?\tNo\tno\n", "count/2.jpg": "jpg count",
		"color.txt": "2.jpg\tRed?\tNo\tno\n", "color/2.jpg": "jpg color",
		"table/mme.tsv": "index\tcategory\timage_path\tquestion\tanswer\n0\tcount\tcount/2.jpg\tOne?\tNo\n1\tcount\t../mme.tsv\tTwo?\tNo\n",
	})
	for _, c := range []struct {
		file, pictures string
		want           []string
	}{
		{root, "", []string{"jpg color", "jpg count"}},
		{filepath.Join(root, "table", "mme.tsv"), root, []string{"jpg count", ""}},
	} {
		m := newMemory(t)
		if _, err := Import(t.Context(), m, c.file, Options{Name: "mme", Pictures: c.pictures}); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := m.pictures[m.samples["mme"][eval.Ordinal(i)].Pictures[0].Hash]; string(got) != want {
				t.Errorf("%s: sample %d has image %q, want %q", c.file, i, got, want)
			}
		}
	}
}

// Results find their questions in a dataset that numbers them differently;
// what is no line of MME is named by file and line.
func TestMMEResults(t *testing.T) {
	m := newMemory(t)
	kit := filepath.Join(folderOf(t, map[string]string{"mme.tsv": "index\tcategory\timage_path\tquestion\tanswer\n" +
		"0\tcount\tcount/2.jpg\tTwo? Please answer yes or no.\tYes\n1\tcount\tcount/2.jpg\tOne? Please answer yes or no.\tNo\n" +
		"2\tcolor\tcolor/2.jpg\tOne? Please answer yes or no.\tNo\n"}), "mme.tsv")
	if _, err := Import(t.Context(), m, kit, Options{}); err != nil {
		t.Fatal(err)
	}
	root := folderOf(t, map[string]string{
		"count.txt": "2.jpg\tOne? Please answer yes or no.\tNo\tno, there are\ttwo\n2.jpg\tTwo? Please answer yes or no.\tYes\t\n" +
			"2.jpg\tTwo?\tPerhaps\tyes\n2.jpg\tThree?\tYes\tyes\n2.jpg\tFour?\tYes\n",
		"color.txt": strings.Repeat("x", 1<<20+1) + "\n2.jpg\tOne?\tNo\tyes\n",
		"notes.txt": "not a subtask",
	})
	sum, err := ImportPredictions(t.Context(), m, root, PredictionOptions{Dataset: "mme", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range sum.Problems {
		got = append(got, p.File[strings.IndexByte(p.File, '/')+1:]+strings.TrimPrefix(p.String(), p.File))
	}
	want := "color.txt:1: the line is over the limit of 1 MB|" +
		"count.txt:3: the ground truth is \"Perhaps\", want yes or no|" +
		"count.txt:5: the row has no prediction|" +
		"count.txt:4: the dataset mme has no sample count/2.jpg/3"
	if strings.Join(got, "|") != want || sum.Added != 3 {
		t.Errorf("%s\n%+v", strings.Join(got, "|"), sum)
	}
	for o, text := range []string{"", "no, there are\ttwo", "yes"} {
		if f := m.facts[eval.Key{Run: sum.Run, Sample: eval.Ordinal(o)}]; f.Prediction.Text != text || f.Prediction.Shown != nil {
			t.Errorf("sample %d: %+v", o, f.Prediction)
		}
	}
}
