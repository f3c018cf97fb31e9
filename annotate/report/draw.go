package report

import (
	"slices"
	"strconv"
	"strings"

	"concord/annotate/report/chart"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// drawings are the report's figures as charts: none where a table says it all.
func (r Report) drawings() []chart.Drawing {
	var out []chart.Drawing
	out = append(out, drawAccuracy(rowsOf[*AccuracyRow](r.Rows))...)
	out = append(out, drawAbilities(rowsOf[*AbilitiesRow](r.Rows))...)
	out = append(out, drawMME(rowsOf[*MMERow](r.Rows))...)
	out = append(out, drawPositions(rowsOf[*PositionsRow](r.Rows))...)
	out = append(out, drawGains(rowsOf[*GainRow](r.Rows))...)
	out = append(out, drawVotes(rowsOf[*VotesRow](r.Rows))...)
	out = append(out, drawBias(rowsOf[*BiasRow](slices.Concat(r.Overall, r.Rows)))...)
	out = append(out, drawRanks(rowsOf[*RanksRow](r.Rows))...)
	return append(out, drawAlignment(rowsOf[*AlignmentRow](r.Overall), rowsOf[*AlignmentRow](r.Rows))...)
}

// drawBars is a chart of bars; none where no figure is there to draw.
func drawBars(title string, most float64, unit string, bars []chart.Bar) []chart.Drawing {
	if !slices.ContainsFunc(bars, func(b chart.Bar) bool { return b.Missing == "" }) {
		return nil
	}
	return []chart.Drawing{chart.Bars(title, most, unit, bars)}
}

// rowsOf are the rows of one kind.
func rowsOf[T Row](rows []Row) []T {
	var out []T
	for _, r := range rows {
		if t, ok := r.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

const hundred = 100 // percent

// rateBar is a rate in percent.
func rateBar(label string, r stat.Rate) chart.Bar {
	c := table.Rate(r)
	if r.N == 0 {
		return chart.Bar{Label: label, Missing: c.String()}
	}
	return chart.Bar{
		Label: label, Value: hundred * r.Value, Low: hundred * r.Low, High: hundred * r.High, Interval: true,
		Figure: table.Percent(r.Value) + "%  " + table.Grouped(r.K) + "/" + table.Grouped(r.N), Tip: c.String(),
	}
}

// scoreBar is a score as it is.
func scoreBar(label string, e stat.Estimate) chart.Bar {
	if e.Reason() != "" {
		return chart.Bar{Label: label, Missing: table.Score(e).String()}
	}
	return chart.Bar{
		Label: label, Value: e.Value, Low: e.Low, High: e.High, Interval: !e.Exact,
		Figure: strconv.FormatFloat(e.Value, 'f', 1, 64) + "  n " + table.Grouped(e.N), Tip: table.Score(e).String(),
	}
}

// contender names a row's run in a chart.
func (h *Head) contender() string {
	out := h.named() + " #" + strconv.Itoa(int(h.Run))
	if h.Modality != "" && h.Modality != eval.WithImage.String() {
		out += " (" + h.Modality + ")"
	}
	return out
}

// series numbers names in the order in which they come.
type series []string

func (s *series) of(name string) int {
	if i := slices.Index(*s, name); i >= 0 {
		return i
	}
	*s = append(*s, name)
	return len(*s) - 1
}

func drawAccuracy(rows []*AccuracyRow) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *AccuracyRow) string { return r.place() }) {
		var bars []chart.Bar
		for _, r := range group {
			b := rateBar(r.contender(), r.Accuracy)
			b.Group, b.Series = r.Strategy+", read by "+r.Extractor, 0
			if r.Strategy == eval.Circular.String() {
				b.Series = 1
			}
			bars = append(bars, b)
		}
		slices.SortStableFunc(bars, func(a, b chart.Bar) int { return strings.Compare(b.Group, a.Group) })
		out = append(out, drawBars("Accuracy, "+group[0].place(), hundred, "%", bars)...)
	}
	return out
}

func drawAbilities(rows []*AbilitiesRow) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *AbilitiesRow) string { return r.place() + r.Strategy }) {
		var names series
		var bars []chart.Bar
		for _, path := range abilityPaths(group) {
			for _, r := range group {
				b := rateBar(r.contender(), scoreOf(r.Abilities, path).Accuracy)
				b.Group, b.Series = eval.Path(path), names.of(b.Label)
				bars = append(bars, b)
			}
		}
		out = append(out, drawBars("Models by ability, "+group[0].place()+", "+group[0].Strategy, hundred, "%", bars)...)
	}
	return out
}

func drawMME(rows []*MMERow) []chart.Drawing {
	var out []chart.Drawing
	for _, group := range table.GroupBy(rows, func(r *MMERow) string { return r.place() }) {
		var names series
		var bars []chart.Bar
		for _, ability := range []string{eval.Perception, eval.Cognition} {
			for _, subtask := range subtaskNames(group, ability) {
				for _, r := range group {
					if s := r.find(subtask); s != nil {
						b := scoreBar(r.contender(), s.Score)
						b.Group, b.Series = subtask, names.of(b.Label)
						bars = append(bars, b)
					}
				}
			}
		}
		const most = 200 // of a subtask
		out = append(out, drawBars("MME, score per subtask, "+group[0].place(), most, "", bars)...)
	}
	return out
}
