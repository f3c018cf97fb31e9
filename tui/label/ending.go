package label

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/annotation"
	"concord/tui/widget"
)

// queueEnd is what is shown at the end of the queue.
type queueEnd struct {
	*annotation.QueueSession[itemPage]
	deps    Deps
	summary queueSummary
}

// formatCounts gives what the annotator has said, in numbers.
func (e *queueEnd) formatCounts() string {
	c := e.Session.Tally()
	var parts []string
	if own := e.Session.Own.Queue().Labels; own.Name != "" {
		said := make(map[eval.Choice]int)
		for _, l := range e.Session.Own.State().Labels {
			said[l.Reading.Choice]++
		}
		return eval.List(own.Options, func(o eval.Option) string {
			return widget.CleanLine(o.Text) + " " + widget.FormatCount(said[o.Letter])
		})
	}
	for _, v := range []annotate.ReadingKind{
		annotate.PickedOption, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused,
	} {
		name := v.String()
		if v == annotate.PickedOption {
			name = "one option"
		}
		parts = append(parts, fmt.Sprintf("%s %s", name, widget.FormatCount(c.Verdicts[v])))
	}
	if n := c.Verdicts[annotate.Graded]; n > 0 {
		return "graded " + widget.FormatPlural(n, "response")
	}
	if n := c.Verdicts[annotate.Scored]; n > 0 {
		return "scored " + widget.FormatCount(n)
	}
	return strings.Join(parts, ", ")
}

// drawJudgeAgreement draws how often each judge reads what the annotator does.
func (e *queueEnd) drawJudgeAgreement() []string {
	t := e.Theme
	out := []string{" " + t.Strong.Render("The judges' extracted answers and yours")}
	switch {
	case e.summary.err != nil:
		return append(out, " "+t.Bad.Render(widget.CleanLine(e.summary.err.Error())))
	case !e.summary.done:
		return append(out, " "+t.Faint.Render("comparing…"))
	case len(e.summary.against) == 0:
		on := " --dataset " + widget.CleanLine(string(e.Session.Own.Queue().Rule.Dataset))
		if e.Session.Tally().Verdicts[annotate.Scored] > 0 {
			out = append(out, " "+t.Faint.Render("No judge has scored these answers yet. Its scores come by"))
			return append(out, " "+t.Faint.Render("  concord judge scores"+on+" --judge NAME"))
		}
		out = append(out, " "+t.Faint.Render("No judge has read these answers yet: on the runs (h) J has one read them."))
		return append(out, " "+t.Faint.Render("  or concord import judgments FILE"+on))
	}
	against := slices.Clone(e.summary.against)
	slices.SortFunc(against, func(a, b agreement) int { return strings.Compare(a.extractor, b.extractor) })
	wide := 0
	for _, a := range against {
		wide = max(wide, min(28, widget.TextWidth(widget.CleanLine(a.extractor))))
	}
	for _, a := range against {
		r := stat.NewRate(a.agree, a.n)
		line := fmt.Sprintf(" %s  %s of %s agree  %s  [%.1f, %.1f]", widget.FitWidth(widget.CleanLine(a.extractor), wide),
			widget.FormatCount(a.agree), widget.FormatCount(a.n), widget.FormatPercent(r.Value), 100*r.Low, 100*r.High)
		if left := len(e.Session.Own.State().Labels) - a.n; left > 0 {
			line += t.Faint.Render(fmt.Sprintf("  %s not read", widget.FormatCount(left)))
		}
		out = append(out, line)
	}
	return out
}

// revealReadings reveals the judges' readings of all that was answered, once the
// queue is done and its end is in front. How the rules do on what they mostly
// cannot read takes that report to say.
func (e *queueEnd) revealReadings() tea.Cmd {
	s := e.Session
	if e.Growing || s.Own.Queue().Rule.From == annotate.FromCriteria || s.Walk.Len() == 0 || s.Walk.CountOpen() > 0 || e.FrontIndex() >= 0 || e.summary.asked && e.summary.acts == e.Acts {
		return nil
	}
	e.summary = queueSummary{asked: true, acts: e.Acts}
	ctx, d := e.Context(), e.deps
	st := annotate.State{Labels: maps.Clone(s.Own.State().Labels)}
	return func() tea.Msg {
		out := compared{of: e}
		at := make(map[string]int)
		for k := range st.Labels {
			r, err := blind.Reveal(st, k, func() (blind.Revealed, error) {
				return d.Revealer.Totals(ctx, d.Queue, k)
			})
			if err != nil {
				out.err = err
				break
			}
			for _, x := range r.Readings {
				i, ok := at[x.Extractor]
				if !x.Judge {
					continue
				}
				if !ok {
					i = len(out.against)
					at[x.Extractor] = i
					out.against = append(out.against, agreement{extractor: x.Extractor})
				}
				out.against[i].n++
				if x.Agrees {
					out.against[i].agree++
				}
			}
		}
		return out
	}
}

// toggleReveal opens and closes the machine's readings.
func (m keyActions) toggleReveal(string) tea.Cmd {
	ctx, d := m.Context(), m.deps
	m.item.top[panelPane] = 0
	return m.item.reveal.ToggleReveal(func(k annotate.ItemKey) (annotate.Act, func() (blind.Revealed, error), error) {
		return m.Session.Reveal(k, func(truth bool) (blind.Revealed, error) {
			return d.Revealer.Reveal(ctx, d.Queue, k, truth)
		})
	})
}

// agreement is how often a judge reads what the annotator does.
type agreement struct {
	extractor string
	agree, n  int
}

// queueSummary is what is shown when a queue is done.
type queueSummary struct {
	asked   bool
	acts    int // made when it was asked for
	done    bool
	against []agreement
	err     error
}

type compared struct {
	of      *queueEnd
	against []agreement
	err     error
}
