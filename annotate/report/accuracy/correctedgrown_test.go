package accuracy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/annotate/sample"
	"concord/eval"
)

// draws is how many projects a coverage test makes: few, or as many as
// CONCORD_COVERAGE says.
func draws(t *testing.T, short int) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("CONCORD_COVERAGE"))
	if err != nil {
		t.Logf("%d projects a setting; CONCORD_COVERAGE=2000 makes so many", short)
		return short
	}
	return n
}

// grown is a run over a sorted dataset of 20 categories, from easy to hard,
// with a queue of the answers that no rule reads, which grows with it.
type grown struct {
	*reporttest.Memory
	people  map[eval.Ordinal]bool // what people would say: right or not
	queue   *annotate.Queue
	waiting []eval.Ordinal // enrolled and not labelled
}

const grownQuestions = 800

func newGrown(seed uint64, rate float64) *grown {
	g := &grown{Memory: reporttest.New(), people: make(map[eval.Ordinal]bool)}
	samples := make([]eval.Sample, grownQuestions)
	for i := range samples {
		samples[i] = reporttest.NewABCDSample(i, "A", strconv.Itoa(i*20/grownQuestions))
	}
	g.AddDataset("d", samples...)
	run := g.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Asked, Rules: "letters"})
	g.AllQueues = []annotate.Queue{{
		Name: "q", Stratum: annotate.Random, Overlap: 1, Growing: true,
		Rule: annotate.Rule{Dataset: "d", Runs: []eval.RunID{run}, From: annotate.FromUnparsable, Rules: "letters@1", Rate: rate, Seed: seed},
	}}
	g.queue = &g.AllQueues[0]
	return g
}

// answer has the run go on to a question.
func (g *grown) answer(r *rand.Rand, o eval.Ordinal) {
	right := r.Float64() < 0.95-0.9*float64(o)/grownQuestions
	g.people[o] = right
	text := "B"
	switch {
	case r.Float64() < 0.4:
		text = "hm"
	case right:
		text = "A"
	}
	g.AddResponse(1, o, 0, text)
	if text != "hm" {
		return
	}
	g.queue.Population++
	if k := annotate.NewItemKey(eval.Key{Run: 1, Sample: o}); g.queue.Rule.DrawsByRate(k) {
		g.AddItem(k.Key, g.queue.Rule.Rate)
		g.waiting = append(g.waiting, o)
	}
}

// label has the annotator label so many items in the order in which they are
// offered.
func (g *grown) label(n int) {
	hash := func(o eval.Ordinal) uint64 {
		return g.queue.Rule.DrawHash(annotate.NewItemKey(eval.Key{Run: 1, Sample: o}))
	}
	slices.SortFunc(g.waiting, func(a, b eval.Ordinal) int { return cmp.Compare(hash(a), hash(b)) })
	n = min(n, len(g.waiting))
	for _, o := range g.waiting[:n] {
		said := annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}
		if !g.people[o] {
			said.Choice = "C"
		}
		g.Acts["q"] = append(g.Acts["q"], annotate.Act{
			Queue: "q", Annotator: "ann", N: uint32(len(g.Acts["q"]) + 1), Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: o}), Kind: annotate.Labelled, Reading: said,
		})
	}
	g.waiting = g.waiting[n:]
}

// share is what people would say of the answered questions.
func (g *grown) share() float64 {
	n := 0
	for _, right := range g.people {
		n += report.OneIf(right)
	}
	return float64(n) / float64(len(g.people))
}

// holding is how often something was printed, and how often it covered.
type holding struct{ printed, covered, bias float64 }

func (s *holding) look(t *testing.T, g *grown) *Row {
	t.Helper()
	row := corrected(t, g.Memory, report.Correcting{})[0]
	if c := row.Corrected; c.WhyUndefined() == "" {
		truth := g.share()
		s.printed++
		s.covered += float64(report.OneIf(c.Low <= truth && truth <= c.High))
		s.bias += c.Value - truth
	}
	return row
}

func (s *holding) holds(t *testing.T, what string, n int, printed float64) {
	t.Helper()
	if s.printed == 0 && printed == 0 {
		t.Logf("%s: nothing is printed", what)
		return
	}
	share := s.covered / s.printed
	t.Logf("%s: printed %.3f, covers %.3f, mean error %+.4f", what, s.printed/float64(n), share, s.bias/s.printed)
	if s.printed < printed*float64(n) {
		t.Errorf("%s: printed in %.0f of %d projects", what, s.printed, n)
	}
	if least := 0.93 - 2.6*math.Sqrt(0.93*0.07/max(1, s.printed)); s.printed > 0 && share < least {
		t.Errorf("%s: covers %.3f", what, share)
	}
}

// While a run goes on, the labels of an annotator who keeps pace with it say
// something of the questions answered so far, and nothing else is promised.
// After the run has ended, a quarter, a half and all of the queue cover the
// benchmark, whatever part of it was labelled while the run went on.
func TestCorrectedWhileItGrows(t *testing.T) {
	n := draws(t, 80)
	for _, pace := range []float64{0, 0.3, 1} { // of the run, with which the annotator keeps pace
		var during, quarter, half, whole holding
		for i := range n {
			r := rand.New(rand.NewPCG(uint64(i), 4))
			g := newGrown(uint64(i), 0.5)
			for o := range eval.Ordinal(grownQuestions) {
				g.answer(r, o)
				if float64(o) < pace*grownQuestions/2 {
					g.label(1)
				}
				if o != grownQuestions/2 {
					continue
				}
				row := during.look(t, g)
				if want := "questions like the 401 questions answered so far"; row.Target != want && row.Corrected.WhyUndefined() != report.NoLabels {
					t.Fatalf("target %q, want %q", row.Target, want)
				}
			}
			g.queue.Growing = false
			labelled := func(share float64) int { return max(0, int(share*float64(len(g.Items["q"])))-len(g.Acts["q"])) }
			if len(g.Acts["q"]) == 0 || pace < 1 {
				g.label(labelled(0.25))
				quarter.look(t, g)
			}
			g.label(labelled(0.5) + 15)
			if row := half.look(t, g); row.Target != "questions like these 800" || row.Labels.Counting+row.Labels.Waiting != len(g.Acts["q"]) {
				t.Fatalf("%+v", row.Correction)
			}
			g.label(len(g.waiting))
			whole.look(t, g)
		}
		name := "kept pace with " + strconv.FormatFloat(pace, 'g', 2, 64) + " of the first half"
		during.holds(t, name+", meanwhile", n, 0)
		if pace < 1 {
			quarter.holds(t, name+", a quarter", n, 0.95)
		}
		half.holds(t, name+", a half", n, 0.95)
		whole.holds(t, name+", all", n, 1)
	}
}

// An answer that the rule draws and that is not enrolled yet is open.
func TestCorrectedBeforeEnrolment(t *testing.T) {
	r, g := rand.New(rand.NewPCG(1, 2)), newGrown(1, 1)
	for o := range eval.Ordinal(200) {
		g.answer(r, o)
	}
	g.label(len(g.waiting))
	before := corrected(t, g.Memory, report.Correcting{})[0]
	items := slices.Clone(g.Items["q"])
	for o := range eval.Ordinal(5) {
		g.answer(r, 200+o*20)
	}
	lagging := g.Items["q"]
	g.Items["q"] = items // of the new ones nothing is enrolled yet
	after := corrected(t, g.Memory, report.Correcting{})[0]
	if len(lagging) == len(items) || before.Labels.Waiting > 0 || after.Labels.Waiting == 0 || after.Labels.More == 0 {
		t.Errorf("before %+v, after %+v", before.Labels, after.Labels)
	}
}

// Drawn per level and labelled in part, a group alone has no labels enough; up
// to the first open item all groups together are a random sample.
func TestCorrectedPerLevelInPart(t *testing.T) {
	n := draws(t, 80)
	var tenth, half, all holding
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		g := newGrown(uint64(i), 0)
		g.queue.Growing = false
		g.queue.Rule = annotate.Rule{Dataset: "d", From: annotate.FromAll, PerLevel: 15, Level: 1, Seed: uint64(i)}
		for o := range eval.Ordinal(grownQuestions) {
			g.answer(r, o)
		}
		g.queue.Population = grownQuestions
		items, _, err := sample.DrawItems(g.queue.Rule, func(yield func(sample.Candidate, error) bool) {
			for o := range eval.Ordinal(grownQuestions) {
				if !yield(sample.Candidate{Key: eval.Key{Run: 1, Sample: o}, Taxonomy: []string{strconv.Itoa(int(o) * 20 / grownQuestions)}}, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		g.Items["q"], g.waiting, g.queue.Items = items, nil, len(items)
		for _, it := range items {
			g.waiting = append(g.waiting, it.Key.Sample)
		}
		g.label(30)
		if row := tenth.look(t, g); len(row.Strata) != 1 || strings.Contains(row.Strata[0].Name, ",") {
			t.Fatalf("%+v", row.Strata)
		}
		g.label(120)
		half.look(t, g)
		g.label(len(g.waiting))
		if row := all.look(t, g); len(row.Strata) != 20 {
			t.Fatalf("%+v", row.Strata)
		}
	}
	tenth.holds(t, "a tenth of each category's items", n, 1)
	half.holds(t, "half of them", n, 0.9)
	all.holds(t, "all of them", n, 1)
}
