package coverage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/alignment"
	"concord/annotate/report/reporttest"
	"concord/annotate/sample"
	"concord/eval"
	"concord/eval/extract"
)

// uncertainSettings are rates by queues that take uncertain answers more often,
// labelled to the end or in part: how far a rule set reads as people do, and
// corrected accuracy.
func uncertainSettings() []setting {
	var out []setting
	for _, c := range []struct {
		drawn, labels               int
		uncertain, misread, another float64 // share of answers; misread of these, and of the others
		uniform                     float64
	}{
		{200, 200, 0.34, 0.16, 0, 0.5}, {200, 200, 0.34, 0.16, 0.03, 0.5}, {200, 200, 0.1, 0.5, 0.03, 0.2}, {400, 150, 0.3, 0.3, 0.01, 0.5},
	} {
		what := fmt.Sprintf("%d of %d labelled of 1000, %g uncertain, %g misread, %g of the others, %g uniform", c.labels, c.drawn, c.uncertain, c.misread, c.another, c.uniform)
		method := "inverse probability"
		if c.labels < c.drawn {
			method += ", one look at a confidence sequence"
		}
		for _, figure := range []string{"alignment: uncertain more often", "corrected: uncertain more often"} {
			out = append(out, setting{
				figure: figure, what: what, method: method, other: "the items as they are", bound: c.labels < c.drawn,
				draw: func(r *rand.Rand) []look {
					p := newReadings("d")
					for o := range 1000 {
						uncertain := chance(r, c.uncertain)
						misread := chance(r, c.another)
						if uncertain {
							misread = chance(r, c.misread)
						}
						p.add(r, o, uncertain, misread)
					}
					p.drawn(r.Uint64(), c.drawn, c.uniform)
					p.label(c.labels)
					if figure[0] == 'a' {
						return p.aligned("letters", reporttest.NewReaders("1"), 1-c.uncertain*c.misread-(1-c.uncertain)*c.another)
					}
					return p.corrected()
				},
			})
		}
	}
	return out
}

// readings are answers of a run, with what people read in them, and a queue.
type readings struct {
	*reporttest.Memory
	people    []annotate.Reading
	uncertain []bool
	right     map[string]float64 // share of answers that a rule set reads as people do, where the file says so
}

func newReadings(on eval.DatasetName) *readings {
	p := &readings{Memory: reporttest.New(), right: make(map[string]float64)}
	p.AllDatasets = []eval.Dataset{{Name: on}}
	p.AddRun(eval.Config{Dataset: on, Model: "m", Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	p.AddQueue(annotate.FromAll, 0)
	return p
}

// add adds an answer, right in seven of ten cases, that the rules misread or not.
func (p *readings) add(r *rand.Rand, o int, uncertain, misread bool) {
	p.AllSamples["d"] = append(p.AllSamples["d"], reporttest.NewABCDSample(o, "A"))
	said := eval.Choice("C")
	if chance(r, 0.7) {
		said = "A"
	}
	text := string(said)
	if misread {
		text = map[eval.Choice]string{"A": "B", "C": "A"}[said]
	}
	p.AllSamples["d"][o].Ordinal = eval.Ordinal(o)
	p.AddResponse(1, eval.Ordinal(o), 0, text)
	p.people = append(p.people, annotate.Reading{Kind: annotate.PickedOption, Choice: said})
	p.uncertain = append(p.uncertain, uncertain)
	p.AllDatasets[0].Samples++
}

// drawn draws the queue: by uncertainty, or without a share of uniform at random.
func (p *readings) drawn(seed uint64, number int, uniform float64) {
	q := &p.AllQueues[0]
	q.Rule.Runs, q.Rule.Seed, q.Rule.Number, q.Rule.Order = []eval.RunID{1}, seed, number, annotate.ByHash
	candidates := func(yield func(sample.Candidate, error) bool) {
		for o := range p.people {
			if !yield(sample.Candidate{Key: eval.Key{Run: 1, Sample: eval.Ordinal(o)}, Uncertain: p.uncertain[o]}, nil) {
				return
			}
		}
	}
	var err error
	if uniform > 0 {
		q.Rule.Order, q.Rule.Drawing.Uniform = annotate.ByUncertainty, uniform
		p.Items["q"], q.Population, err = sample.DrawUncertain(&q.Rule, candidates)
	} else {
		p.Items["q"], q.Population, err = sample.DrawItems(q.Rule, candidates)
	}
	if err != nil {
		panic(err)
	}
	q.Items = len(p.Items["q"])
	p.Acts["q"] = nil
}

// label has the first items labelled, in the order offered.
func (p *readings) label(n int) {
	for i, it := range p.Items["q"][:n] {
		p.Acts["q"] = append(p.Acts["q"], annotate.Act{
			Queue: "q", Annotator: "ann", N: uint32(i + 1), Item: it.Key, Kind: annotate.Labelled, Reading: p.people[it.Key.Sample],
		})
	}
}

// row is what the report on alignment says of a rule set.
func (p *readings) row(rules string, reader func(string) (eval.Reader, error)) *alignment.Row {
	r, err := alignment.ReportAlignment(context.Background(), p, alignment.Options{Queue: "q", Rules: []string{rules}, Reader: reader})
	if err != nil {
		panic(err)
	}
	return r.Rows[0].(*alignment.Row)
}

func (p *readings) aligned(rules string, reader func(string) (eval.Reader, error), truth float64) []look {
	row := p.row(rules, reader)
	if w := row.Weighted; w.WhyUndefined() == "" {
		return []look{{truth, w.Low, w.High}, {truth, row.Alignment.Low, row.Alignment.High}}
	}
	return nil
}

func (p *readings) corrected() []look {
	r, err := accuracy.ReportAccuracy(context.Background(), p, report.Options{Reader: reporttest.NewReaders("1"), Corrected: &report.Correcting{}})
	if err != nil {
		panic(err)
	}
	c := r.Rows[0].(*accuracy.Row).Corrected
	if c.WhyUndefined() != "" {
		return nil
	}
	return []look{{0.7, c.Low, c.High}}
}

// TestUncertainReadings draws 200 of the answers whose reading by a person is
// known, those more often on which the two versions of the kit differ or which one
// does not read, and holds the intervals against the rates over all of them: each
// time of as many answers like these, which are drawn from them. At the same width they take fewer labels than a uniform draw with its own interval.
func TestUncertainReadings(t *testing.T) {
	data, err := os.ReadFile("../../../../shared/data/extraction/choices.jsonl")
	if err != nil {
		t.Skipf("real data is not here: %v", err)
	}
	draws, err := strconv.Atoi(os.Getenv("CONCORD_COVERAGE"))
	if err != nil {
		draws = 60
		t.Logf("%d draws; CONCORD_COVERAGE=2000 makes so many", draws)
	}
	kits := []string{"vlmevalkit-2024", "vlmevalkit-2026"}
	p := newReadings("d")
	for line := range bytes.Lines(data) {
		p.read(t, line, kits)
	}
	n := len(p.people)
	if n != 1947 {
		t.Fatalf("%d answers", n)
	}
	reader := func(name string) (eval.Reader, error) { return extract.FindRules(name) }
	type tally struct{ covers, width, uniformCovers, uniformWidth, alike, effective float64 }
	all := make(map[string]*tally)
	for _, kit := range kits {
		p.right[kit] /= float64(n)
		all[kit] = new(tally)
	}
	rates := p.right
	for draw := range draws {
		p := p.like(rand.New(rand.NewPCG(uint64(draw), 1)))
		p.drawn(uint64(draw), 200, annotate.DefaultUniform)
		p.label(200)
		for _, kit := range kits {
			w, truth, of := p.row(kit, reader).Weighted, rates[kit], all[kit]
			of.covers += float64(report.OneIf(w.Low <= truth && truth <= w.High)) / float64(draws)
			of.width += (w.High - w.Low) / float64(draws)
			of.alike += float64(w.Alike) / float64(draws)
			of.effective += w.Effective / float64(draws)
		}
		p.drawn(uint64(draw), 200, 0)
		p.label(200)
		for _, kit := range kits {
			a, truth, of := p.row(kit, reader).Alignment, rates[kit], all[kit]
			of.uniformCovers += float64(report.OneIf(a.Low <= truth && truth <= a.High)) / float64(draws)
			of.uniformWidth += (a.High - a.Low) / float64(draws)
		}
	}
	for _, kit := range kits {
		of := all[kit]
		saved := 1 - of.width*of.width/(of.uniformWidth*of.uniformWidth)
		t.Logf("%s: %.4f; covers %.3f, half width %.4f, effective %.0f, as %.0f drawn alike; uniform: covers %.3f, half width %.4f; saves %.0f %% of the labels",
			kit, rates[kit], of.covers, of.width/2, of.effective, of.alike, of.uniformCovers, of.uniformWidth/2, 100*saved)
		least, most := 0.93-3*math.Sqrt(0.93*0.07/float64(draws)), 0.99+3*math.Sqrt(0.99*0.01/float64(draws))
		if of.covers < least || of.covers > most || saved < 0.25 {
			t.Errorf("%s: covers %.3f, saves %.2f", kit, of.covers, saved)
		}
	}
}

// like has as many answers, drawn from those of p with replacement.
func (p *readings) like(r *rand.Rand) *readings {
	out := newReadings("d")
	for o := range p.people {
		i := r.IntN(len(p.people))
		s := p.AllSamples["d"][i]
		s.ID, s.Ordinal = eval.SampleID(strconv.Itoa(o)), eval.Ordinal(o)
		out.AllSamples["d"] = append(out.AllSamples["d"], s)
		out.AddResponse(1, s.Ordinal, 0, p.AllPredictions[1][eval.Ordinal(i)][0].Text)
		out.people, out.uncertain = append(out.people, p.people[i]), append(out.uncertain, p.uncertain[i])
	}
	out.AllDatasets[0].Samples = len(out.people)
	return out
}

// read adds an answer of the file, where a person has read it.
func (p *readings) read(t *testing.T, line []byte, kits []string) {
	t.Helper()
	var row struct {
		ID, Prediction, Human string
		Options               map[string]string
		Kind                  string `json:"human_kind"`
	}
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatal(err)
	}
	said, known := map[string]annotate.Reading{
		"refused": {Kind: annotate.SaidRefused}, "no-correct-answer": {Kind: annotate.SaidNone}, "multiple": {Kind: annotate.SaidAmbiguous},
		"option": {Kind: annotate.PickedOption, Choice: eval.Choice(row.Human)}, "meta-option": {Kind: annotate.PickedOption, Choice: eval.Choice(row.Human)},
	}[row.Kind]
	if !known {
		return
	}
	o := eval.Ordinal(len(p.people))
	s := eval.Sample{ID: eval.SampleID(row.ID), Ordinal: o, Kind: eval.KindChoice}
	for _, letter := range slices.Sorted(maps.Keys(row.Options)) {
		s.Options = append(s.Options, eval.Option{Letter: eval.Choice(letter), Text: row.Options[letter]})
	}
	p.AllSamples["d"] = append(p.AllSamples["d"], s)
	p.AllDatasets[0].Samples++
	p.AddResponse(1, o, 0, row.Prediction)
	var classes []eval.Choice
	for _, kit := range kits {
		set, err := extract.FindRules(kit)
		if err != nil {
			t.Fatal(err)
		}
		class := set.Read(eval.KindChoice, s.Options, row.Prediction).AlignmentClass()
		classes = append(classes, class)
		person := eval.X
		if said.Kind == annotate.PickedOption {
			person = said.Choice
		}
		p.right[kit] += float64(report.OneIf(class == person))
	}
	p.people, p.uncertain = append(p.people, said), append(p.uncertain, annotate.IsUncertain(classes))
}
