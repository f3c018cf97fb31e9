package dataset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/eval"
)

// A dataset that predictions made gets what they lacked from the benchmark's
// own file, whole or not at all, and nothing that it has changes.
func TestFill(t *testing.T) {
	const answers = "index;question;A;B;C;answer;prediction\n1;q1;x;y;;A;A\n2;q2;;y;z;B;B\n3;q3;x;y;;;A\n"
	const whole = "index;question;hint;A;B;C;answer;category;l2_category;split;source;image\n"
	made := func() *memory {
		m := newMemory(t)
		if _, err := ImportPredictions(t.Context(), m, tsv(t, "p.tsv", answers), PredictionOptions{Dataset: "d", Model: "m"}); err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := made()
	file := whole + "3;q3;h;x;y;;B;c;f;dev;S;" + picture("p") + "\n2;q2;;None;y;z;B;c;f;dev;S;3\n1; q1 ;;x;y;;A;c;g;dev;S;\n"
	sum := load(t, m, tsv(t, "full.tsv", file), Options{})
	if sum.Filled != 3 || sum.Added != 0 || sum.Warnings != 1 || sum.Pictures != 1 || m.datasets["d"].NoTruth != 0 || strings.Contains(sum.String(), "nothing") {
		t.Errorf("%+v, %+v", sum, m.datasets["d"])
	}
	one, two, three := m.samples["d"][0], m.samples["d"][1], m.samples["d"][2]
	if one.Question != "q1" || eval.JoinPath(one.Taxonomy) != "c / g" || one.Source != "S" || one.Split != "dev" {
		t.Errorf("%+v", one)
	}
	if len(two.Options) != 2 || two.Answer != "B" || len(two.Pictures) != 1 || two.Pictures[0] != three.Pictures[0] {
		t.Errorf("%+v", two)
	}
	if three.Answer != "B" || three.Hint != "h" || m.pictures[three.Pictures[0].Hash] == nil {
		t.Errorf("%+v", three)
	}
	for _, again := range []string{file, strings.ReplaceAll(answers, "prediction", "note")} {
		if sum := load(t, m, tsv(t, "again.tsv", again), Options{}); sum.Filled+sum.Added != 0 || sum.Unchanged != 3 {
			t.Errorf("again: %+v", sum)
		}
	}

	refuse := func(rows, want string) {
		t.Helper()
		m := made()
		before := m.samples["d"][0]
		_, err := Import(context.Background(), m, tsv(t, "other.tsv", whole+rows), Options{Name: "d"})
		if !errors.Is(err, ErrOtherContent) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if !sameSample(&before, new(m.samples["d"][0])) {
			t.Errorf("%+v was changed", before)
		}
	}
	const good = "1;q1;;x;y;;A;c;f;dev;S;\n2;q2;;;y;z;B;c;f;dev;S;\n"
	refuse(good, "the file has 2 of its samples")
	refuse(good+"3;q3;;x;y;;A;c;;;;\n4;q4;;x;y;;A;c;;;;\n", "it has no sample 4")
	refuse(good+"3;q4;;x;y;;A;c;;;;\n", `sample 3 has the question "q3", and the file's "q4"`)
	refuse(good+"3;q3;;x;n;;A;c;;;;\n", "sample 3 has the options")
	refuse(good+"3;q3;;;;;yes;c;;;;\n", "sample 3 has the kind")
	refuse(strings.Replace(good, "A;c", "B;c", 1)+"3;q3;;x;y;;A;c;;;;\n", `sample 1 has the answer "A", and the file's "B"`)
}

// MME's files number the same questions differently: pictures and abilities
// find them by subtask, picture and question.
// The truth may be the option that the file of predictions lost: the sample
// gets it back, else no answer could be read as right.
func TestFillAnswersWithAnOption(t *testing.T) {
	have := eval.Sample{ID: "1", Kind: eval.KindChoice, Question: "q", Options: []eval.Option{{Letter: "A", Text: "x"}, {Letter: "B", Text: "y"}}}
	file := have
	file.Options, file.Answer = append(slices.Clone(have.Options), eval.Option{Letter: "C", Text: "None"}), "C"
	out, _, err := FillMissingFields(&have, &file)
	if err != nil || len(out.Options) != 3 || out.Answer != "C" {
		t.Errorf("%+v %v", out, err)
	}
	have.Options = append(have.Options, eval.Option{Letter: "D", Text: "z"})
	file.Options = append(slices.Clone(file.Options[:2]), eval.Option{Letter: "C", Text: "None"}, eval.Option{Letter: "D", Text: "z"})
	if out, _, err := FillMissingFields(&have, &file); err != nil || len(out.Options) != 4 {
		t.Errorf("%+v %v", out, err)
	}
}

// A filling that was killed before it was noted is noted the next time.
func TestFillingThatWasCutOff(t *testing.T) {
	m := newMemory(t)
	if _, err := ImportPredictions(t.Context(), m, tsv(t, "p.tsv", "index;question;A;B;prediction\n1;q1;x;y;A\n"), PredictionOptions{Dataset: "d", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	file := tsv(t, "full.tsv", "index;question;A;B;answer\n1;q1;x;y;A\n")
	before := m.datasets["d"]
	load(t, m, file, Options{})
	after := m.datasets["d"]
	m.datasets["d"] = before // the samples are filled, the dataset is not
	load(t, m, file, Options{})
	if got := m.datasets["d"]; got != after || got.NoTruth != 0 {
		t.Errorf("%+v, want %+v", got, after)
	}
}

func TestFillMME(t *testing.T) {
	m := newMemory(t)
	const answers = "index;category;image_path;question;answer;prediction\n0;color;color/a.png;Is it red? Please answer yes or no.;Yes;Yes\n1;color;color/a.png;Is it blue? Please answer yes or no.;No;No\n"
	if _, err := ImportPredictions(t.Context(), m, tsv(t, "p.tsv", answers), PredictionOptions{Dataset: "d", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	file := "index;category;image_path;question;answer;image\n1;color;a.png;Is it red?;Yes;" + picture("a") + "\n0;color;a.png;Is it blue?;No;1\n"
	sum := load(t, m, tsv(t, "full.tsv", file), Options{})
	for _, s := range m.samples["d"] {
		if len(s.Pictures) != 1 || s.Pictures[0].Hash == "" || s.Pictures[0].Name != "color/a.png" || !strings.HasSuffix(s.Question, "yes or no.") {
			t.Errorf("%+v", s)
		}
	}
	if sum.Filled != 2 {
		t.Errorf("%+v", sum)
	}
}

// POPE's labels stand in three files that number their questions each from 1;
// LLaVA's file of the same questions numbers all of them.
func TestLabelsOfSeveralFilesFillOneOfQuestions(t *testing.T) {
	m := newMemory(t)
	questions := write(t, "llava_pope_test.jsonl", `{"question_id": 1, "image": "a.jpg", "text": "Is there a cat?\nAnswer the question using a single word or phrase.", "category": "adversarial"}
{"question_id": 2, "image": "a.jpg", "text": "Is there a cat?\nAnswer the question using a single word or phrase.", "category": "random"}
`)
	if sum := load(t, m, questions, Options{}); sum.Added != 2 || sum.NoTruth != 2 {
		t.Errorf("%+v", sum)
	}
	folder := t.TempDir()
	for category, label := range map[string]string{"adversarial": "no", "random": "yes"} {
		row := `{"question_id": 1, "image": "a.jpg", "text": "Is there a cat?", "label": "` + label + `"}` + "\n"
		if err := os.WriteFile(filepath.Join(folder, "coco_pope_"+category+".json"), []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if sum := load(t, m, folder, Options{}); sum.Filled != 2 || sum.NoTruth != 0 {
		t.Errorf("%+v", sum)
	}
	if got := m.list("d"); got[0].Answer != eval.No || got[1].Answer != eval.Yes || got[1].ID != "2" {
		t.Errorf("%+v", got)
	}
	// Its questions alone do not tell which rows of another numbering answer them.
	if sum := load(t, m, folder, Options{Name: "files"}); sum.Added != 2 {
		t.Errorf("%+v", sum)
	}
	answers := write(t, "llava.jsonl", `{"question_id": 7, "prompt": "Is there a cat?", "text": "Yes", "model_id": "m", "answer_id": "x"}
{"question_id": 8, "prompt": "Is there a cat?", "text": "No", "model_id": "m", "answer_id": "y"}
`)
	if sum, err := ImportPredictions(t.Context(), m, answers, PredictionOptions{Dataset: "files"}); err != nil || sum.Added != 0 || sum.Skipped != 2 ||
		!strings.Contains(sum.Problems[len(sum.Problems)-1].Reason, "import that file and then the one of the ground truth") {
		t.Errorf("%+v, %v", sum, err)
	}
	// Answers that made a dataset have no truth, and the files' ids are others.
	if _, err := ImportPredictions(t.Context(), m, answers, PredictionOptions{Dataset: "made"}); err != nil {
		t.Error(err)
	}
	if _, err := Import(t.Context(), m, folder, Options{Name: "made"}); !errors.Is(err, ErrOtherContent) || !strings.Contains(err.Error(), "it has no sample ") {
		t.Error(err)
	}
}

// VQA's questions and annotations are two files, and images have COCO's names.
func TestQuestionsAndAnnotations(t *testing.T) {
	m := newMemory(t)
	folder := folderOf(t, map[string]string{
		"questions.json":                       `{"task_type":"Open-Ended","questions":[{"image_id":9,"question":"Where?","question_id":90},{"image_id":8,"question":"Who?","question_id":80}]}`,
		"annotations.json":                     `{"annotations":[{"question_id":90,"image_id":9,"multiple_choice_answer":"down","answer_type":"other","answers":[{"answer":"down","answer_id":1},{"answer":"up","answer_id":2}]},{"question_id":80,"image_id":8,"multiple_choice_answer":"he","answer_type":"other","answers":[{"answer":"he","answer_id":1}]}]}`,
		"results.json":                         `[{"question_id":90,"answer":"up"},{"question_id":80,"answer":"he"}]`,
		"images/COCO_val2014_000000000009.jpg": "picture",
	})
	if sum := load(t, m, filepath.Join(folder, "questions.json"), Options{}); sum.Added != 2 || sum.NoTruth != 2 || sum.Pictures != 1 || sum.MissingPictures != 1 {
		t.Errorf("%+v", sum)
	}
	if sum := load(t, m, filepath.Join(folder, "annotations.json"), Options{}); sum.Filled != 2 || sum.NoTruth != 0 {
		t.Errorf("%+v", sum)
	}
	if s := m.list("d")[0]; s.Question != "Where?" || s.Reference != "down" || len(s.References) != 2 || s.Metric != "vqa" || s.Pictures[0].Hash == "" {
		t.Errorf("%+v", s)
	}
	if sum, err := ImportPredictions(t.Context(), m, filepath.Join(folder, "results.json"), PredictionOptions{Dataset: "d", Model: "m"}); err != nil || sum.Added != 2 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// An open question has a ground truth where its file gives a reference.
func TestReferencesAreGroundTruth(t *testing.T) {
	m := newMemory(t)
	sum := load(t, m, write(t, "open.jsonl", `{"id": 1, "question": "What?", "answer": "a net"}
{"id": 2, "question": "Where?", "answer": ""}
`), Options{})
	if sum.NoTruth != 1 || m.datasets["d"].NoTruth != 1 {
		t.Errorf("%+v", sum)
	}
}

// A byte order mark before one object that is a whole table is no part of it.
func TestObjectWithByteOrderMark(t *testing.T) {
	m := newMemory(t)
	path := write(t, "problems.json", "\xef\xbb\xbf{\r\n\"1\": {\"question\": \"What?\", \"answer\": \"net\"},\r\n\"2\": {\"question\": \"Who?\", \"answer\": \"man\"}\r\n}\r\n")
	if sum := load(t, m, path, Options{}); sum.Added != 2 || sum.NoTruth != 0 {
		t.Errorf("%+v", sum)
	}
}
