package view

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
	"concord/tui/home"
	"concord/tui/samples"
)

// veiledWorld is a random project. What is secret in it may be told apart
// from the rest: two worlds of one seed differ in their secrets only.
type veiledWorld struct {
	t       *testing.T
	st      *store.Store
	r       *rand.Rand // what everybody may know
	secret  *rand.Rand // the truth, what judges and other people read, text yet to be read
	other   bool       // it is the second of two worlds
	growing bool
	runs    []eval.Run
	samples []eval.Sample
	items   map[eval.Key]bool // that ada has yet to answer
	asked   map[eval.Key]bool // items at all
	keys    []eval.Key
}

var veilClock = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

func (w *veiledWorld) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func newVeiledWorld(t *testing.T, seed uint64, other bool) *veiledWorld {
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"), store.Options{Now: func() time.Time { return veilClock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	w := &veiledWorld{
		t: t, st: st, r: rand.New(rand.NewPCG(seed, 1)), secret: rand.New(rand.NewPCG(seed, 2)), other: other,
		items: make(map[eval.Key]bool), asked: make(map[eval.Key]bool),
	}
	if other {
		w.secret = rand.New(rand.NewPCG(seed, 3))
	}
	w.growing = seed%4 == 0
	w.dataset()
	w.queue()
	w.act()
	w.predict()
	return w
}

func (w *veiledWorld) choice(r *rand.Rand) eval.Choice {
	i := r.IntN(4)
	return eval.Choice("ABCD"[i : i+1])
}

func (w *veiledWorld) dataset() {
	d := eval.Dataset{Name: "d", Samples: 6, Hash: "h"}
	w.must(w.st.Datasets().BeginDataset(w.t.Context(), d))
	var items []dataset.Item
	for i := range d.Samples {
		s := eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint("s", i)), Kind: eval.KindChoice, Question: "What?",
			Answer: w.choice(w.secret),
		}
		for _, l := range "ABCD" {
			s.Options = append(s.Options, eval.Option{Letter: eval.Choice(l), Text: fmt.Sprintf("thing %c", l+32)})
		}
		w.samples = append(w.samples, s)
		items = append(items, dataset.Item{Sample: s})
	}
	w.must(w.st.Datasets().PutSamples(w.t.Context(), "d", items))
	w.must(w.st.Datasets().FinishDataset(w.t.Context(), d))
	for _, m := range []string{"one", "two"} {
		run, err := w.st.Runs().CreateRun(w.t.Context(), eval.Config{
			Dataset: "d", Model: m, Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Replayed, Rules: "concord",
		})
		w.must(err)
		w.runs = append(w.runs, run)
	}
}

func (w *veiledWorld) text(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return fmt.Sprintf("Hard to tell %d.", r.IntN(100))
	}
	return fmt.Sprintf("The answer is %s.", w.choice(r))
}

// queue decides which predictions are items.
func (w *veiledWorld) queue() {
	rules, err := facts.FindRules("concord")
	w.must(err)
	q := annotate.Queue{
		Name: "q", Stratum: annotate.Random, Overlap: 2, Growing: w.growing,
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromUnparsable, Rules: eval.ReaderID(rules), Rate: 0.5, Seed: 3},
	}
	var items []annotate.QueueItem
	for _, run := range w.runs {
		for _, s := range w.samples {
			for pass := range eval.Pass(4) {
				if w.r.IntN(8) == 0 {
					k := eval.Key{Run: run.ID, Sample: s.Ordinal, Pass: pass}
					items = append(items, annotate.QueueItem{Key: annotate.NewItemKey(k), Inclusion: 0.5})
					w.asked[k], w.items[k] = true, true
				}
			}
		}
	}
	w.must(w.st.Queues().CreateQueue(w.t.Context(), q, items))
}

// predict records what the models said. In the second world questions are
// asked another number of times, as another truth would have it, and what ada
// has yet to read says something else.
func (w *veiledWorld) predict() {
	for _, run := range w.runs {
		for _, s := range w.samples {
			for pass := range eval.Pass(4) {
				k := eval.Key{Run: run.ID, Sample: s.Ordinal, Pass: pass}
				text := w.text(w.r)
				if w.items[k] {
					text = w.text(w.secret)
				}
				if pass > 0 && !w.asked[k] && w.secret.IntN(2) == 0 {
					continue
				}
				w.keys = append(w.keys, k)
				_, err := w.st.Runs().RecordAll(w.t.Context(), []eval.Fact{{
					Prediction: eval.Prediction{Key: k, Text: text, At: veilClock}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1",
				}})
				w.must(err)
				_, err = w.st.Judgments().Put(w.t.Context(), []eval.Judgment{{
					Key: k, Judge: "judge", Extraction: eval.Extraction{Choice: w.choice(w.secret), Status: eval.Found}, Raw: fmt.Sprint(w.secret.Int()),
				}})
				w.must(err)
			}
		}
	}
}

// act has ada and bo label some items.
func (w *veiledWorld) act() {
	var keys []eval.Key
	for k := range w.asked {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	n := map[annotate.Annotator]uint32{}
	for _, who := range []annotate.Annotator{"ada", "bo"} {
		for _, k := range keys {
			if w.r.IntN(2) == 0 {
				continue
			}
			n[who]++
			reading := annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}
			if who == "bo" {
				reading.Choice = w.choice(w.secret)
			} else {
				delete(w.items, k)
			}
			w.must(w.st.Acts().Append(w.t.Context(), []annotate.Act{{
				Queue: "q", Annotator: who, N: n[who], Item: annotate.NewItemKey(k), Kind: annotate.Labelled, Reading: reading, At: veilClock,
			}}))
		}
	}
}

func compareKeys(a, b eval.Key) int {
	return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Sample, b.Sample), cmp.Compare(a.Pass, b.Pass))
}

// sealed reports whether the truth about a sample would answer something.
func (w *veiledWorld) sealed(o eval.Ordinal) bool {
	for k := range w.items {
		if k.Sample == o {
			return true
		}
	}
	return w.growing
}

// handed is all that ada is handed of what is not open to her.
type handed struct {
	ofRun, of []samples.Row
	leftOut   []int
	details   []samples.Detail
	latest    []home.Answer
	open      int // how much of it is open
}

func (w *veiledWorld) handed() handed {
	ctx, policies := w.t.Context(), NewPolicies(w.st)
	src := Samples{facts.NewSource(w.st), policies, func() time.Time { return veilClock }, curating.Settings{}}
	var out handed
	rows := func(seq iter.Seq2[samples.Row, error]) (hidden []samples.Row, left int) {
		for r, err := range seq {
			w.must(err)
			if !r.LeftOut && w.sealed(r.Key.Sample) != (r.Visibility != blind.AllVisible) {
				w.t.Errorf("%s is %s, and sealed is %v", r.Key, r.Visibility, w.sealed(r.Key.Sample))
			}
			switch {
			case r.LeftOut:
				left++
			case r.Visibility == blind.AllVisible:
				out.open++
			default:
				hidden = append(hidden, r)
			}
		}
		return hidden, left
	}
	for _, run := range w.runs {
		hidden, _ := rows(src.RowsOfRun(ctx, "ada", run.ID, nil))
		out.ofRun = append(out.ofRun, hidden...)
		for _, l := range samples.NewRunQuery(src, run.ID, "").Lists[1:] {
			shown, left := rows(l.Rows(ctx, "ada"))
			if len(shown) > 0 {
				w.t.Errorf("list %s shows %+v", l.Name, shown)
			}
			out.leftOut = append(out.leftOut, left)
		}
		for _, s := range w.samples {
			d, err := src.DetailInRun(ctx, "ada", run.ID, s.Ordinal)
			w.must(err)
			if d.Blinded != w.sealed(s.Ordinal) {
				w.t.Errorf("sample %s of run %d: sealed is %v", s.ID, run.ID, d.Blinded)
			}
			alone, err := src.SampleDetail(ctx, "ada", run.Config.Dataset, s.Ordinal)
			w.must(err)
			if alone.Blinded != d.Blinded || alone.Truth != d.Truth {
				w.t.Errorf("sample %s alone: sealed is %v, ground truth %q", s.ID, alone.Blinded, alone.Truth)
			}
			if d.Blinded {
				out.details = append(out.details, w.public(run.ID, s.Ordinal, d))
			}
		}
		home := Overview{Store: w.st, Policy: policies}
		last, err := home.LatestAnswers(ctx, "ada", run.ID, 100)
		w.must(err)
		for _, a := range last {
			if a.Visibility != blind.AllVisible {
				out.latest = append(out.latest, a)
			}
		}
	}
	keys := func(yield func(eval.Key, error) bool) {
		for _, k := range w.keys { // of each question the pass that a figure chose
			if (k.Pass == 0) != w.other && !yield(k, nil) {
				return
			}
		}
		for _, k := range w.keys {
			if (k.Pass == 0) == w.other && !yield(k, nil) {
				return
			}
		}
	}
	out.of, _ = rows(src.RowsOfKeys(ctx, samples.Ask{Who: "ada", Extractor: "rules:concord"}, keys))
	slices.SortFunc(out.of, func(a, b samples.Row) int { return compareKeys(a.Key, b.Key) })
	for i := range out.of {
		out.of[i].Said = "" // of her own items she is told
	}
	shown, _ := rows(src.RowsOfKeys(ctx, samples.Ask{Who: "ada", Extractor: "judge", Tells: true}, keys))
	if len(shown) > 0 {
		w.t.Errorf("a list that tells shows %+v", shown)
	}
	return out
}

// public is a detail without what ada may see although it is secret: of what
// she has yet to answer nothing, of the rest judges and other people.
func (w *veiledWorld) public(run eval.RunID, o eval.Ordinal, d samples.Detail) samples.Detail {
	for i := range d.Passes {
		p := &d.Passes[i]
		k := eval.Key{Run: run, Sample: o, Pass: p.Pass}
		if w.items[k] && p.Visibility != blind.TextHidden {
			w.t.Errorf("%s is yet to be answered, and is %s", k, p.Visibility)
		}
		if w.asked[k] && !w.items[k] && len(p.Labels) == 0 {
			w.t.Errorf("%s is answered, and shows no labels", k)
		}
		if !w.asked[k] && len(p.Labels) > 0 || w.items[k] && len(p.Labels) > 0 {
			w.t.Errorf("%s shows labels", k)
		}
		if !p.Visibility.ShowsText() {
			continue
		}
		p.Readings = slices.DeleteFunc(p.Readings, func(r blind.MachineReading) bool { return r.Extractor == "judge" })
		p.Labels = nil
	}
	return d
}

// What a person is handed before answering is the same whatever the truth is,
// whatever judges and other people read, and however far a question was asked
// for it.
func TestHandedBeforeAnsweringIsIndependentOfTheAnswer(t *testing.T) {
	open, sealed, worlds := 0, 0, uint64(16)
	if testing.Short() {
		worlds = 4
	}
	for seed := range worlds {
		a, b := newVeiledWorld(t, seed, false), newVeiledWorld(t, seed, true)
		x, y := a.handed(), b.handed()
		for name, pair := range map[string][2]any{
			"samples of a run":        {x.ofRun, y.ofRun},
			"samples left out":        {x.leftOut, y.leftOut},
			"samples behind a figure": {x.of, y.of},
			"details":                 {x.details, y.details},
			"latest answers":          {x.latest, y.latest},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("seed %d: %s depend on the answer:\n%+v\n%+v", seed, name, pair[0], pair[1])
			}
		}
		open, sealed = open+x.open, sealed+len(x.details)
	}
	if open == 0 || sealed == 0 {
		t.Errorf("%d open and %d sealed: nothing was tried", open, sealed)
	}
}

func TestRevealWithholdsTheTruthForOtherQueues(t *testing.T) {
	w := newVeiledWorld(t, 1, false)
	k := annotate.NewItemKey(w.keys[0])
	reveal := func() blind.Revealed {
		t.Helper()
		out, err := Reveal{w.st, NewPolicies(w.st), "ada"}.Reveal(t.Context(), "q", k, true)
		w.must(err)
		return out
	}
	if out := reveal(); out.Truth == "" || out.Withheld || len(out.Readings) == 0 {
		t.Errorf("without another queue: %+v", out)
	}
	w.must(w.st.Queues().CreateQueue(t.Context(), annotate.Queue{
		Name: "second", Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}, Stratum: annotate.Random, Overlap: 1,
	}, []annotate.QueueItem{{Key: annotate.NewItemKey(eval.Key{Run: w.runs[1].ID, Sample: k.Sample}), Inclusion: 1}}))
	if out := reveal(); out.Truth != "" || !out.Withheld || len(out.Readings) == 0 {
		t.Errorf("with an open item of another queue on the sample: %+v", out)
	}
}
