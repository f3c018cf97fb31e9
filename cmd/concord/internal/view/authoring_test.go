package view

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval"
)

// desk stores acts on samples that are written, as the screen does.
type desk struct {
	*testing.T
	Authoring
}

func (d desk) do(set authoring.Set, kind criteria.Kind, who annotate.Annotator, text string) (authoring.Set, error) {
	act := set.NewAct(kind, who, time.Unix(1, 0))
	act.Dataset, act.Text, act.Image = "mine", text, set.Image
	return d.Append(d.Context(), act)
}

func (d desk) refuses(want string, set authoring.Set, who annotate.Annotator, text string) {
	d.Helper()
	if _, err := d.do(set, criteria.Submitted, who, text); err == nil || !strings.Contains(err.Error(), want) {
		d.Errorf("%v, want %q", err, want)
	}
}

func written(question, image string) string {
	return fmt.Sprintf("Question: %s\nA: a cat\nB: a dog\nAnswer: B\nImage: %s", question, image)
}

// An image is refused that no model could be shown, and one is found however its path was put in.
func TestImagesOfWrittenSamples(t *testing.T) {
	d := desk{t, Authoring{Store: projecttest.New(t), Local: true}}
	dir := filepath.Join(t.TempDir(), "im gs")
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 30, 30))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Replace(b.Bytes(), []byte{0, 0, 0, 30, 0, 0, 0, 30}, []byte{0, 1, 0, 0, 0, 1, 0, 0}, 1)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a cat.png": b.Bytes(), "cut.png": b.Bytes()[:60], "huge.png": huge, "words.png": []byte("words")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"cut.png": "cut.png: png: invalid format: not enough pixel data; name another file, or none", "huge.png": "huge.png: ", "words.png": "neither PNG", "gone.png": "no such file",
	} {
		d.refuses(want, authoring.Set{}, "ann", written("What?", filepath.Join(dir, name)))
	}
	for i, path := range []string{dir + "/a cat.png", "file://" + strings.ReplaceAll(dir, " ", "%20") + "/a%20cat.png", "'" + dir + "/a cat.png'", strings.ReplaceAll(dir+"/a cat.png", " ", `\ `)} {
		set, err := d.do(authoring.Set{}, criteria.Submitted, "ann", written(fmt.Sprintf("What is %d?", i), path))
		if err != nil || set.Image.Name != "a cat.png" || set.Image.Hash == "" {
			t.Errorf("%s: %+v %v", path, set.Image, err)
		}
	}
}

// What was translated and accepted is out of date once its original is accepted anew.
func TestTranslationsThatAreOutOfDate(t *testing.T) {
	d := desk{t, Authoring{Store: projecttest.New(t), Local: true}}
	accept := func(set authoring.Set, text string) authoring.Set {
		t.Helper()
		set, err := d.do(set, criteria.Submitted, "ann", text)
		if err == nil {
			set, err = d.do(set, criteria.Accepted, "bob", "")
		}
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	original := accept(authoring.Set{}, written("What?", ""))
	s, err := d.Store.Datasets().SampleByID("mine", "1")
	if err != nil {
		t.Fatal(err)
	}
	translate := func(text string) error {
		_, err := d.Append(t.Context(), authoring.Act{
			Dataset: "mine-chinese", Sample: s.Ordinal, N: 1, Kind: criteria.Submitted, Who: "ann", Model: "m", Original: "mine", ID: "1", Of: authoring.HashOriginal(&s), Text: text,
		})
		return err
	}
	if err := translate(strings.Replace(written("什么？", ""), "Answer: B", "Answer: A", 1)); err == nil || !strings.Contains(err.Error(), "the answer is B in the original") {
		t.Errorf("another answer: %v", err)
	}
	if err := translate(written("什么？", "")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Store.Datasets().Dataset("mine-chinese"); err == nil || !strings.Contains(err.Error(), "no sample of dataset mine-chinese is accepted yet: 0 in draft, 1 in review") {
		t.Errorf("%v", err)
	}
	row := func() (authoring.Set, string) {
		t.Helper()
		rows, err := d.Rows(t.Context(), "mine-chinese")
		if err != nil || len(rows) != 1 {
			t.Fatalf("%+v %v", rows, err)
		}
		return rows[0].Set, rows[0].SourceHash
	}
	again := func() {
		t.Helper()
		set, now := row()
		act := set.NewAct(criteria.Accepted, "cid", time.Unix(2, 0))
		act.Of = now
		if _, err := d.Append(t.Context(), act); err != nil {
			t.Fatal(err)
		}
	}
	stale := func(want string) {
		t.Helper()
		if got, err := d.Store.Authoring().DescribeStale(t.Context(), "mine-chinese"); err != nil || !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q %v, want %q", got, err, want)
		}
	}
	again()
	stale("")
	original = accept(original, written("Which?", ""))
	stale("accepted translations whose original changed since: 1;")
	run, err := d.Store.Runs().CreateRun(t.Context(), eval.Config{Dataset: "mine-chinese", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage})
	if err == nil {
		err = d.Store.Runs().Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: run.ID}, Text: "B"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	again() // it stays as the run has answered it, and is true
	stale("")
	accept(original, strings.Replace(written("Which?", ""), "Answer: B", "Answer: A", 1))
	set, now := row()
	act := set.NewAct(criteria.Accepted, "cid", time.Unix(2, 0))
	act.Of = now
	if _, err := d.Append(t.Context(), act); err == nil || !strings.Contains(err.Error(), "the answer is A in the original, and B in the translation") {
		t.Errorf("with another answer than the original's: %v", err)
	}
}
