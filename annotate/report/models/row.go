package models

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"strconv"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// Row is two sides on the samples that both have decided: the share of A less
// that of B, with its interval, and a test of whether there is a difference.
type Row struct {
	report.ForEveryone
	Dataset    eval.DatasetName `json:"dataset"`
	Split      string           `json:"split"`
	Path       []string         `json:"path,omitempty"`
	Strategy   string           `json:"strategy"`
	Synthetic  bool             `json:"synthetic,omitempty"`
	A          Side             `json:"a"`
	B          Side             `json:"b"`
	N          int              `json:"n"`        // samples
	Left       [2]int           `json:"left_out"` // decided by A alone, by B alone
	Clusters   int              `json:"clusters,omitempty"`
	Target     string           `json:"target"`
	Difference Difference       `json:"difference"`
	// Simultaneous holds for all rows of the report at once.
	Simultaneous *Bounds    `json:"simultaneous,omitempty"`
	P            *float64   `json:"p_value"`
	Mid          *float64   `json:"p_mid,omitempty"`
	Adjusted     *float64   `json:"p_adjusted"` // Holm, over the rows of the report
	Test         string     `json:"test,omitempty"`
	OnlyA        int        `json:"only_a"` // samples that A has right and B wrong; of repeats: A more often
	OnlyB        int        `json:"only_b"`
	Separable    bool       `json:"separable"` // Adjusted is below 1 - stat.Confidence
	Detectable   *float64   `json:"detectable,omitempty"`
	Needed       *int       `json:"needed_n,omitempty"`
	Corrected    *Corrected `json:"corrected,omitempty"` // where it was asked for

	a, b    *decidedSide
	paired  *stat.Paired
	members *memberSamples
}

// Side is one of the two.
type Side struct {
	Run     eval.RunID   `json:"run"`
	Repeats []eval.RunID `json:"repeats,omitempty"` // all runs of the side, where there are several
	report.Named
	Dataset   eval.DatasetName `json:"dataset,omitempty"` // where it is not the row's
	Modality  string           `json:"modality"`
	Extractor string           `json:"extractor"`
	Accuracy  stat.Rate        `json:"accuracy"` // over the N samples

	readBy string
}

// Difference is the share of A less that of B.
type Difference struct {
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	N         int      `json:"n"`
	Method    string   `json:"method,omitempty"`
	Interval  string   `json:"interval,omitempty"` // that of a corrected one holds for one look, or while people label
	Undefined string   `json:"undefined,omitempty"`

	estimate stat.Estimate
}

// Bounds are an interval.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// What a row speaks of.
const (
	TargetRuns   = "runs"   // the answers that these runs gave
	TargetModels = "models" // the models: repeats show how answers vary from run to run
)

// The samples behind a row.
const (
	OnlyA   report.Which = "only_a"
	OnlyB   report.Which = "only_b"
	Both    report.Which = "both"
	Neither report.Which = "neither"
)

// KeysBehind yields the samples behind a figure. Each comes as the side answered it
// that is behind: by OnlyA as B did.
func (r *Row) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return report.SelectKeys(report.EachOrdinal(max(r.a.countOrdinals(), r.b.countOrdinals())), func(o eval.Ordinal) (eval.Key, bool) {
		a, b := r.a.scoreOn(o), r.b.scoreOn(o)
		show := eval.Either(a.share() < b.share(), r.a, r.b)
		return show.keyToShow(o), a.isDecided() && b.isDecided() && r.members.has(o) && isShareBehind(s.Which, a.share(), b.share())
	})
}

// isShareBehind reports whether a sample with these shares is behind a figure.
func isShareBehind(w report.Which, a, b float64) bool {
	switch w {
	case OnlyA:
		return a > b
	case OnlyB:
		return b > a
	case Both:
		return a == b && a > 0
	case Neither:
		return a == 0 && b == 0
	default:
		return w == report.Every
	}
}

// keyToShow is the answer to look at first, of the side's first run.
func (p *decidedSide) keyToShow(o eval.Ordinal) eval.Key {
	a := p.answers[0]
	o, _ = p.ownSample(o)
	return eval.Key{Run: a.run.ID, Sample: o, Pass: a.decided.PassToShow(o)}
}

func (r *Row) nameFigure(s *report.Selection) string {
	a, b := r.a.distinctName(), r.b.distinctName()
	return map[report.Which]string{
		OnlyA: a + " right, " + b + " wrong", OnlyB: b + " right, " + a + " wrong", Both: "both right", Neither: "both wrong",
	}[s.Which]
}

func (r *Row) newLayout(people bool) *report.Layout {
	const sides = "a:text b:text accuracy_a:rate accuracy_b:rate difference:points only_a:count only_b:count "
	names := "dataset split category:text strategy " + sides + "p_value:number p_adjusted:number separable:text detectable:number needed_n:number "
	if people { // numbers are written as people read them
		names = "category:text " + sides + "p_value:text p_adjusted:text separable:text detectable:text needed_n:text "
	}
	if r.Corrected != nil {
		names += "corrected_a:score corrected_b:score corrected_difference:points labels:count"
	}
	return report.NewLayout(names, r)
}

// TableLines gives one line.
func (r *Row) TableLines() [][]table.Cell {
	return [][]table.Cell{r.newLayout(false).MakeRowLine(r, r.makeCells(table.NewNumber, table.NewNumber, eval.JoinPath(r.Path)))}
}

// readableCells is the line as people read it.
func (r *Row) readableCells() []table.Cell {
	number := func(v *float64) table.Cell {
		if v == nil {
			return table.NewBlank()
		}
		return table.NewText(strconv.FormatFloat(math.Ceil(*v*10)/10, 'f', -1, 64))
	}
	return r.newLayout(true).MakeRowLine(r, r.makeCells(pValueCell, number, cmp.Or(eval.JoinPath(r.Path), "all")))
}

func pValueCell(p *float64) table.Cell {
	switch {
	case p == nil:
		return table.NewBlank()
	case *p < 0.0001:
		return table.NewText("< 0.0001")
	}
	return table.NewText(strconv.FormatFloat(*p, 'f', 4, 64))
}

// makeCells makes the two sides, their difference and what is behind it, what came of the
// test, and what more samples would find.
func (r *Row) makeCells(p, number func(*float64) table.Cell, category string) report.Cells {
	o := report.Opener{Row: r, Extractor: r.A.readBy, Names: r.nameFigure}
	detectable := r.Detectable
	if detectable != nil {
		detectable = new(100 * *detectable)
	}
	var needed *float64
	if r.Needed != nil {
		needed = new(float64(*r.Needed))
	}
	out := report.Cells{
		"category": table.NewText(category), "a": table.NewText(r.A.title()), "b": table.NewText(r.B.title()), "accuracy_a": table.NewRate(r.A.Accuracy), "accuracy_b": table.NewRate(r.B.Accuracy),
		"difference": report.AttachPicks(table.NewPoints(r.Difference.estimate), o, OnlyA, OnlyB, Both, Neither),
		"only_a":     report.AttachPicks(table.NewCount(r.OnlyA), o, OnlyA), "only_b": report.AttachPicks(table.NewCount(r.OnlyB), o, OnlyB),
		"p_value": p(r.P), "p_adjusted": p(r.Adjusted), "separable": table.NewText(r.describeVerdict()), "detectable": number(detectable), "needed_n": number(needed),
	}
	if c := r.Corrected; c != nil {
		out["corrected_a"], out["corrected_b"], out["corrected_difference"] = table.NewComputed(c.A), table.NewComputed(c.B), table.NewPoints(c.Difference.estimate)
		out["labels"] = table.NewCount(c.Labels.Counting)
	}
	return out
}

// describeVerdict says in a word whether the two can be told apart.
func (r *Row) describeVerdict() string {
	switch {
	case r.Adjusted == nil:
		return "undefined"
	case r.Separable:
		return "yes"
	}
	return "no"
}

func (s *Side) title() string {
	return eval.Either(len(s.Repeats) > 1, fmt.Sprintf("%s (%d runs)", s.ModelName(), len(s.Repeats)), fmt.Sprintf("%s #%d", s.ModelName(), s.Run)) +
		eval.Either(s.Dataset != "", " on "+string(s.Dataset), "")
}

// Corrected is a row once people's labels are taken into account: each side's score over the N
// samples of the row, and their difference by one estimator (correct.EstimateDifference).
// Samples of which both answers are labelled count as pairs, the others as independent.
type Corrected struct {
	A          stat.Estimate        `json:"a"`
	B          stat.Estimate        `json:"b"`
	Difference Difference           `json:"difference"` // N is samples of which both answers are labelled
	Labels     report.CountedLabels `json:"labels"`     // of both sides
	Missing    int                  `json:"missing,omitempty"`

	queues []annotate.QueueName
}

// methodCorrected is how a corrected difference comes about.
const methodCorrected = "ppi++ difference"

// labelledRun is what labels make of a run's samples.
type labelledRun struct {
	answers []report.CorrectedAnswer
	of      *report.CorrectedRun
	refused string // why there are no labels
}

// labelCorrector finds what people say of runs, each once.
type labelCorrector struct {
	framing *report.FrameReader
	runs    map[eval.RunID]*labelledRun
}

func (c *labelCorrector) correctRun(ctx context.Context, a *runAnswers) (*labelledRun, error) {
	if out := c.runs[a.run.ID]; out != nil {
		return out, nil
	}
	l, err := c.framing.FramesOfDataset(ctx, a.run.Config.Dataset)
	if err != nil {
		return nil, err
	}
	out := &labelledRun{}
	c.runs[a.run.ID] = out
	drawn, reason := l.FramesOf(a.run.ID)
	if out.refused = reason; reason != "" {
		return out, nil
	}
	out.answers = make([]report.CorrectedAnswer, 0, len(a.decided.Marks))
	out.of, err = report.EachCorrectedQuestion(ctx, c.framing, a.run, &a.decided.Source.ReadAs, a.strategy == eval.Circular, drawn,
		func(*eval.Sample) bool { return true }, func(a *report.CorrectedAnswer) { out.answers = append(out.answers, *a) })
	return out, err
}

func (c *labelCorrector) correctRow(ctx context.Context, r *Row) error {
	refuse := func(reason string) {
		none := stat.NewUndefinedEstimate(reason)
		r.Corrected = &Corrected{A: none, B: none, Difference: newDifference(none, methodCorrected)}
	}
	var scores [2]correct.Score
	out := &Corrected{}
	for i, p := range []*decidedSide{r.a, r.b} {
		if len(p.runs) > 1 {
			refuse(fmt.Sprintf("%s is several runs: name one by its number", p.distinctName()))
			return nil
		}
		l, err := c.correctRun(ctx, p.answers[0])
		if err != nil {
			return fmt.Errorf("correct %s: %w", p.distinctName(), err)
		}
		if l.refused != "" {
			refuse(p.distinctName() + ": " + l.refused)
			return nil
		}
		scores[i] = r.correctedScore(l, c.framing.Correcting)
		if reason := l.of.WhyRefused(scores[i].Corrected.WhyUndefined()); reason != "" {
			refuse(p.distinctName() + ": " + reason)
			return nil
		}
		out.Missing += scores[i].Missing
		out.queues = append(out.queues, eval.Map(l.of.Frames, func(fr *report.RowFrame) annotate.QueueName { return fr.Queue.Name })...)
		out.Labels.Counting += l.of.Labels.Counting
		out.Labels.Waiting += l.of.Labels.Waiting
		out.Labels.More += l.of.Labels.More
	}
	out.A, out.B = scores[0].Corrected, scores[1].Corrected
	out.Difference = newDifference(correct.EstimateDifference(&scores[0], &scores[1]), methodCorrected)
	out.Difference.Interval = eval.Either(out.Difference.estimate.Sequence, stat.IntervalSequence, stat.IntervalPointwise)
	r.Corrected = out
	return nil
}

// correctedScore is a side's corrected score over the samples of the row.
func (r *Row) correctedScore(l *labelledRun, o *report.Correcting) correct.Score {
	strata := report.NewStrata()
	for _, a := range l.answers {
		if !r.a.scoreOn(a.Sample).isDecided() || !r.b.scoreOn(a.Sample).isDecided() || !r.members.has(a.Sample) {
			continue
		}
		if a.Cluster == 0 {
			a.Cluster = uint64(a.Sample) + 1 // what both sides say of a sample stands together
		}
		strata.AddAnswer(&a)
	}
	return report.ComputeStrataScore(o, strata.ListStrata(), correct.Options{High: 1, Confidence: stat.Confidence}, l.of.Labels)
}

// CorrectedNote says what a corrected difference is.
const CorrectedNote = "Corrected: prediction-powered (PPI++), each side by its own labels. Of their difference, samples of which both answers are labelled are pairs, and the others independent. Tests and ranks are of the machine's word alone."

// NamedCorrections are the row's corrected difference, for whoever asks whether any row has one.
func (r *Row) NamedCorrections() []report.NamedCorrection {
	if r.Corrected == nil {
		return nil
	}
	of := fmt.Sprintf("%s less %s, %s, split %s %s", r.a.distinctName(), r.b.distinctName(), r.Strategy, r.Split, eval.JoinPath(r.Path))
	return []report.NamedCorrection{{Of: of, Correction: &report.Correction{
		Corrected: report.Corrected{Estimate: r.Corrected.Difference.estimate}, Queues: r.Corrected.queues,
	}}}
}
