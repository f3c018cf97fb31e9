package accuracy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"concord/annotate/report"
	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// GainRow is what a model gains by seeing the pictures, S_v - S_wv, and how far it answers beyond its language base
// without them, max(0, S_wv - S_t) (MMStar, Sec. 4.3, Tables 5 and 6): each over the samples that both runs have
// decided, which must be the same. A difference that is not there is nil, and Missing says what it needs.
type GainRow struct {
	report.ForEveryone
	report.Head
	report.Source
	Strategy string         `json:"strategy"`
	Card     *CardInfo      `json:"card,omitempty"`
	Visual   GainSide       `json:"visual"` // S_v
	Text     GainSide       `json:"text"`   // S_wv
	Base     GainSide       `json:"base"`   // S_t
	Gain     *stat.Estimate `json:"gain,omitempty"`
	Leakage  *stat.Estimate `json:"leakage,omitempty"`
	Signed   *stat.Estimate `json:"leakage_signed,omitempty"` // S_wv - S_t, not cut off at 0
	External string         `json:"external,omitempty"`       // partly or wholly: what of the three was measured elsewhere
	Missing  []string       `json:"missing,omitempty"`

	gain, leakage sideDifference
	asking        string // Config.AskingKey of the run
}

// What of a row was measured elsewhere.
const (
	PartlyExternal = "partly"
	WhollyExternal = "wholly"
)

// GainSide is one of the three accuracies, and the run that it is of.
type GainSide struct {
	Rate            stat.Rate
	Run             eval.RunID // 0: none, or measured elsewhere
	Model, Modality string
	Shots           int
	Extractor       string
	External        *eval.ExternalScore // it was measured elsewhere; nil: here

	source   report.Source
	marks    metric.Marks
	passes   []eval.Pass // to look at first, by sample
	clusters []int32     // what samples share, by ordinal
}

// MarshalJSON writes the rate with what it is of. A figure measured elsewhere has no k and no interval.
func (s GainSide) MarshalJSON() ([]byte, error) {
	var rate any = s.Rate
	source := ""
	if s.External != nil {
		source = s.External.Source
		rate = struct {
			K     *int     `json:"k"`
			N     *int     `json:"n"`
			Value float64  `json:"value"`
			Low   *float64 `json:"low"`
			High  *float64 `json:"high"`
		}{N: eval.Either(s.External.N == 0, nil, &s.External.N), Value: s.accuracyValue()} // nil where the source does not tell it
	}
	figure, err := json.Marshal(rate)
	if err != nil {
		return nil, err
	}
	of, err := json.Marshal(struct {
		Run       eval.RunID `json:"run,omitzero"`
		Model     string     `json:"model,omitempty"`
		Modality  string     `json:"modality,omitempty"`
		Shots     int        `json:"shots"`
		Extractor string     `json:"extractor,omitempty"`
		External  bool       `json:"external,omitempty"`
		Source    string     `json:"source,omitempty"`
	}{s.Run, s.Model, s.Modality, s.Shots, s.Extractor, s.External != nil, source})
	if err != nil {
		return nil, err
	}
	return slices.Concat(figure[:len(figure)-1], []byte(","), of[1:]), nil
}

func (s *GainSide) hasFigure() bool { return s.External != nil || s.Run != 0 }

// ReportGains reports multi-modal gain and leakage of every run with pictures.
func ReportGains(ctx context.Context, facts report.Facts, o report.Options) (report.Report, error) {
	g, err := newGainBuilder(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	for _, run := range g.chosenRuns(func(r *eval.Run) bool { return r.Config.Modality == eval.WithImage }) {
		if err := g.addRowsOfRun(ctx, run); err != nil {
			return report.Report{}, fmt.Errorf("report run %d: %w", run.ID, err)
		}
	}
	g.meter.FinishProgress()
	g.addExternalRows()
	if len(g.rows) == 0 {
		return report.Report{}, fmt.Errorf("find runs with images (ask one with --modality image, or import predictions): %w", eval.ErrNotFound)
	}
	for _, r := range g.rows {
		r.fillDifferences(func(o eval.Ordinal) string { return g.sampleName(r.Dataset, o) })
	}
	out := report.Report{Name: "gain", Layout: gainLayout, Confidence: stat.Confidence, Draw: drawGains, Notes: g.listNotes()}
	slices.SortStableFunc(g.rows, func(a, b *GainRow) int { return compareBySize(a.Card, b.Card) })
	means := computeGainMeans(g.rows)
	out.Rows, out.Overall = report.ToRows(g.rows), report.ToRows(means)
	out.Sheets = makeGainTables(g.rows, means)
	return out, nil
}

// listNotes say how the figures came about.
func (g *gainBuilder) listNotes() []string {
	out := []string{"Gain and leakage are paired by sample; samples that share an image are one cluster. Leakage is at least 0, so that a mean of leakages tends to be too high: leakage_signed is the difference itself, and its mean."}
	var ext []*ExternalScoreRow
	for _, r := range g.rows {
		for _, s := range []*GainSide{&r.Visual, &r.Text, &r.Base} {
			if s.External != nil {
				ext = append(ext, &ExternalScoreRow{ExternalScore: eval.ExternalScore{Source: s.External.Source}})
			}
		}
	}
	if len(ext) > 0 {
		out = append(out, formatExternalNote(ext), "Where one side was measured elsewhere, the interval is of the other; where both were, there is none.")
	}
	return out
}

const gapNames = " gain:points leakage:points leakage_signed:points"

var (
	gainLayout = report.NewLayout(report.HeadNames+cardNames+"extractor strategy average:text visual:rate text_run:text text:rate base_run:text shots:text base:rate"+gapNames+" external over:count", GainRow{})
	gainTable  = report.NewLayout(report.SheetNames+cardNames+"extractor strategy visual:rate text:rate base:rate shots:text"+gapNames, GainRow{})
)

// LayoutParts are the card of the row's model.
func (r *GainRow) LayoutParts() []any { return []any{r.Card} }

// ExtraCells has the three sides and their differences: what was measured elsewhere has no run.
func (r *GainRow) ExtraCells() report.Cells {
	out := report.Cells{
		"visual": r.attachSidePicks(&r.Visual, r.Visual.newCell(), report.Right, report.Wrong), "text": r.Text.newCell(), "base": r.Base.newCell(), "shots": eval.Either(r.Base.Run == 0, table.NewBlank(), table.NewText(fmt.Sprint(r.Base.Shots))),
		"text_run": table.NewText(r.Text.runName()), "base_run": table.NewText(r.Base.runName()), "gain": r.gainCell(), "leakage": r.leakageCell(), "leakage_signed": r.leakageCellOf(r.leakage.signed),
	}
	if r.Run == 0 {
		out["run"] = table.NewBlank()
	}
	return out
}

func (s *GainSide) newCell() table.Cell {
	if s.External != nil {
		return table.NewExternal(s.External.Value, s.External.N).AsPercentage()
	}
	return table.NewRate(s.Rate)
}

func (s *GainSide) runName() string {
	switch {
	case s.External != nil:
		return "external"
	case s.Run == 0:
		return ""
	}
	return fmt.Sprintf("%s (run %d, %s)", s.Model, s.Run, s.Modality)
}

// drawGains draws gain and leakage of every model, in points (MMStar, Tables 5 and 6).
func drawGains(rep *report.Report) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(report.SelectRows[*GainRow](rep.Rows), (*GainRow).PlaceTitle) {
		var bars []chart.Bar
		for i, name := range []string{"multi-modal gain", "leakage"} {
			for _, r := range group {
				label := eval.Either(r.Run != 0, r.RunLabel(), r.ModelName())
				b := newGapBar(label, []*sideDifference{&r.gain, &r.leakage}[i])
				b.Group, b.Series = name, i
				bars = append(bars, b)
			}
		}
		if slices.ContainsFunc(bars, func(b chart.Bar) bool { return b.Missing == "" }) {
			out = append(out, chart.DrawDivergingBars("Gain and leakage in points, "+group[0].PlaceTitle(), 0, "", bars))
		}
	}
	return out
}

func newGapBar(label string, g *sideDifference) chart.Bar {
	c := g.newCell()
	if g.WhyUndefined() != "" {
		return chart.Bar{Label: label, Missing: c.String()}
	}
	figure := table.FormatSigned(g.Value)
	if g.marked {
		figure += table.Dagger
	}
	return chart.Bar{
		Label: label, Value: report.Percent * g.Value, Low: report.Percent * g.Low, High: report.Percent * g.High, Interval: !g.Exact,
		Figure: figure, Tip: c.String(),
	}
}
