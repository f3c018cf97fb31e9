package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/metric"
	"concord/store/file"
)

// firstLetter reads the first letter of a text.
type firstLetter struct{ version string }

func (firstLetter) Name() string      { return "first" }
func (r firstLetter) Version() string { return r.version }
func (firstLetter) Read(_ eval.Kind, _ []eval.Option, text string) eval.Extraction {
	if text == "" {
		return eval.Extraction{Status: eval.Missing}
	}
	return eval.Extraction{Status: eval.Found, Choice: eval.Choice(strings.ToUpper(text[:1])), Method: "first"}
}

// readable is a project with questions of two kinds, passes, a failure, other
// options than the sample's, and samples without an answer.
func readable(t *testing.T, o Options) (*Store, eval.Run) {
	t.Helper()
	s := openTest(t, o)
	items := samples(600)
	for i := range items {
		one := &items[i].Sample
		if i%3 == 0 {
			one.Kind, one.Options, one.Answer = eval.KindYesNo, nil, eval.Yes
		}
		one.Split = []string{"dev", "test"}[i%2]
		one.Pictures = []eval.Picture{{Name: "n" + string(one.ID[0])}}
	}
	addDataset(t, s, "d", items)
	run := addRun(t, s, "m")
	var facts []eval.Fact
	for i := range 599 {
		f := fact(key(run.ID, i, 0), []string{"Yes, it is", "b, a dog", "no", "a"}[i%4], eval.Found)
		switch {
		case i%50 == 7:
			f.Prediction.Text, f.Prediction.Failure = "", &eval.Failure{Kind: eval.FailureSample, Message: "refused", Status: 400}
		case i%7 == 1:
			facts = append(facts, fact(key(run.ID, i, 1), "a", eval.Found))
		case i%11 == 1:
			f.Prediction.Shown = &eval.Shown{Options: []eval.Option{{Letter: "A", Text: "x"}}, Answer: "A"}
		}
		facts = append(facts, f)
	}
	if _, err := s.Runs().RecordAll(context.Background(), facts); err != nil {
		t.Fatal(err)
	}
	return s, run
}

// figures are what a report makes of questions, and how many came without a text.
func figures(t *testing.T, s *Store, run eval.Run, r eval.Reader, columns bool) (out []metric.Outcome, follows []bool, bare int) {
	t.Helper()
	questions := s.Runs().Questions(context.Background(), run)
	if columns {
		questions = s.Runs().Readings(context.Background(), run, r)
	}
	scheme := metric.Scheme{Run: run, Rules: r}
	for _, q := range all(t, questions) {
		o := scheme.Decide(&q)
		out = append(out, o)
		for i := range q.Predictions {
			p := &q.Predictions[i]
			if p.Extracted != nil && p.Extracted.Bare {
				bare++
			}
			follows = append(follows, q.Sample.Kind == eval.KindYesNo && metric.BeginsWithYesNo(p.Text))
		}
	}
	return out, follows, bare
}

// Columns give the figures that texts give, are built anew once predictions or
// rules are other ones or their file is damaged, and are missed by nobody.
func TestReadingsAreTheQuestions(t *testing.T) {
	cache := t.TempDir()
	s, run := readable(t, Options{Cache: cache})
	rules := firstLetter{"1"}
	check := func(rules eval.Reader, wantBare bool) {
		t.Helper()
		want, begins, _ := figures(t, s, run, rules, false)
		have, follows, bare := figures(t, s, run, rules, true)
		same(t, have, want)
		same(t, follows, begins)
		if (bare > 0) != wantBare {
			t.Errorf("%d predictions came out of columns, want some: %v", bare, wantBare)
		}
	}
	check(rules, false)
	check(rules, true)
	check(firstLetter{"2"}, false)
	check(firstLetter{"2"}, true)
	must(t, s.Runs().Record(context.Background(), fact(key(run.ID, 599, 0), "b", eval.Found)))
	check(firstLetter{"2"}, false)
	check(firstLetter{"2"}, true)

	files := got[[]string](t)(filepath.Glob(filepath.Join(cache, "columns", "*", "*")))
	if len(files) != 2 {
		t.Fatalf("columns of the samples and of the run: %v", files)
	}
	s.samples = sampleColumns{}
	for _, f := range files {
		raw := got[[]byte](t)(os.ReadFile(f))
		raw[len(raw)/2] ^= 1
		must(t, os.WriteFile(f, raw, 0o600))
	}
	check(firstLetter{"2"}, false)
	check(firstLetter{"2"}, true)

	check(firstLetter{"4"}, false)
	if len(s.samples.options) != 600 {
		t.Errorf("options of %d samples are at hand for the next run", len(s.samples.options))
	}
	check(firstLetter{"5"}, false)
	check(firstLetter{"5"}, true)
	if s.samples.options != nil {
		t.Error("options are kept though nothing is built")
	}

	must(t, os.RemoveAll(filepath.Join(cache, "columns")))
	must(t, os.WriteFile(filepath.Join(cache, "columns"), nil, 0o400))
	check(firstLetter{"3"}, false)
	check(firstLetter{"3"}, false)
}

// What several rule sets read is known together, whichever of them were there already.
func TestReadingsOfSeveralRuleSets(t *testing.T) {
	s, run := readable(t, Options{Cache: t.TempDir()})
	texts := all(t, s.Runs().Questions(t.Context(), run))
	first, last, upper := firstLetter{"1"}, lastLetter{}, renamed{firstLetter{"1"}}
	for _, rules := range [][]eval.Reader{{last}, {first, last, upper, first}, {first, last, upper}, {upper, first}} {
		for _, q := range all(t, s.Runs().Readings(t.Context(), run, rules...)) {
			for i := range q.Predictions {
				for _, r := range rules {
					same(t, eval.ReadPrediction(r, &q.Sample, &q.Predictions[i]), eval.ReadPrediction(r, &texts[q.Sample.Ordinal].Sample, &texts[q.Sample.Ordinal].Predictions[i]))
				}
			}
		}
	}
	_, _, bare := figures(t, s, run, upper, true)
	if bare == 0 {
		t.Error("what was read together is not kept")
	}
}

// lastLetter reads the last letter of a text.
type lastLetter struct{}

func (lastLetter) Name() string    { return "last" }
func (lastLetter) Version() string { return "1" }
func (lastLetter) Read(_ eval.Kind, _ []eval.Option, text string) eval.Extraction {
	if text == "" {
		return eval.Extraction{Status: eval.Refused}
	}
	return eval.Extraction{Status: eval.Found, Choice: eval.Choice(strings.ToUpper(text[len(text)-1:])), Method: "last"}
}

// renamed is a rule set under another name.
type renamed struct{ eval.Reader }

func (renamed) Name() string { return "another" }

// Whoever stops in the middle keeps nothing, and answers that need a reference
// keep their texts.
func TestReadingsThatAreNotKept(t *testing.T) {
	cache := t.TempDir()
	s, run := readable(t, Options{Cache: cache})
	for _, err := range s.Runs().Readings(context.Background(), run, firstLetter{"1"}) {
		must(t, err)
		break
	}
	if files := got[[]string](t)(filepath.Glob(filepath.Join(cache, "columns", "*", "*"))); len(files) > 0 {
		t.Errorf("kept: %v", files)
	}
	open := []dataset.Item{{Sample: eval.Sample{ID: "o", Kind: eval.KindOpen, Question: "q", Reference: "r"}}}
	addDataset(t, s, "open", open)
	about := got[eval.Run](t)(s.Runs().CreateRun(context.Background(), eval.Config{Dataset: "open", Model: "m", Origin: eval.Imported}))
	must(t, s.Runs().Record(context.Background(), fact(key(about.ID, 0, 0), "words", eval.StatusUnset)))
	for range 2 {
		for _, q := range all(t, s.Runs().Readings(context.Background(), about, firstLetter{"1"})) {
			same(t, q.Predictions[0].Text, "words")
		}
	}
}

// Whoever is interrupted while columns are built is told: what came until then is not all.
func TestInterruptedReadingsSaySo(t *testing.T) {
	s, run := readable(t, Options{Cache: t.TempDir()})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 30 {
		if _, err := file.Collect(s.Runs().Readings(ctx, run, firstLetter{"1"})); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted: %v", err)
		}
	}
}

// Options at hand are those of the dataset that is read, also where two are read at once.
func TestOptionsAtHandAreOfTheirDataset(t *testing.T) {
	s, run := readable(t, Options{Cache: t.TempDir()})
	ctx, other := t.Context(), samples(600)
	for i := range other {
		other[i].Sample.Answer, other[i].Sample.Options = "Z", []eval.Option{{Letter: "Z", Text: "z"}}
	}
	addDataset(t, s, "other", other)
	about := got[eval.Run](t)(s.Runs().CreateRun(ctx, eval.Config{Dataset: "other", Model: "m", Origin: eval.Imported}))
	must(t, s.Runs().Record(ctx, fact(key(about.ID, 0, 0), "words", eval.Found)))
	all(t, s.Runs().Readings(ctx, run, firstOption{"1"}))
	for q, err := range s.Runs().Readings(ctx, run, firstOption{"2"}) {
		if must(t, err); q.Sample.Ordinal == 599 {
			all(t, s.Runs().Readings(ctx, about, firstOption{"1"}))
		}
	}
	for range 2 {
		for _, q := range all(t, s.Runs().Readings(ctx, about, firstOption{"2"}))[:1] {
			same(t, eval.ReadPrediction(firstOption{"2"}, &q.Sample, &q.Predictions[0]).Choice, eval.Choice("Z"))
		}
	}
}

// firstOption reads the letter of the first option, whatever the text is.
type firstOption struct{ version string }

func (firstOption) Name() string      { return "option" }
func (r firstOption) Version() string { return r.version }
func (firstOption) Read(_ eval.Kind, options []eval.Option, _ string) eval.Extraction {
	if len(options) == 0 {
		return eval.Extraction{Status: eval.Missing}
	}
	return eval.Extraction{Status: eval.Found, Choice: options[0].Letter, Method: "option"}
}
