package judging

import (
	"context"
	"fmt"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// Reply is a call of a comparison that gave no vote. It holds no more than Visibility
// allows: of a blind one only which it is.
type Reply struct {
	Sample     eval.SampleID
	Visibility blind.Visibility
	Swapped    bool     // the anchor's answer was shown first
	Raw        string   // the last reply; "" of a call that failed
	Earlier    []string // replies before it that held no vote either, in their order
	Failure    string   // why there is no reply; "" otherwise

	Kind eval.FailureKind // of Failure
}

// Look is a comparison as its votes stand. The results are of the questions with
// a vote in both orders, or in the one order in which they are asked.
type Look struct {
	Of eval.Comparison
	At time.Time

	Model, Anchor, Unable int // single votes, whatever the order
	Orders                int // in which pairs are asked: 2, 1, or 0 when that is not known

	Results              Results
	WinRate              stat.Rate
	Same                 stat.Rate // positions, of the pairs with a vote in both orders
	First, Second, Other stat.Rate
	Unparsed             []Reply // in the order of samples
	Failures             []Reply
	MoreReplies          int // unparsed ones beyond those that are given
	MoreFails            int
}

// Results are questions by what the votes come to for the model; they sum to N.
type Results struct {
	Win, Lose, Tie, SituationOne, SituationTwo, Unable, N int
	Incomplete                                            int // questions with a vote in one of two orders
}

// Source reads what the page shows. It is called in commands.
type Source interface {
	job.Source
	// ReadComparison reads the votes of a comparison, and up to n of the replies of each kind that hold
	// none, as far as the person may know of them. Who has no name has answered nothing.
	ReadComparison(ctx context.Context, who annotate.Annotator, c eval.Comparison, n int) (Look, error)
}

// Spec is a judging that somebody wants.
type Spec struct {
	Dataset     eval.DatasetName
	Models      []eval.RunID // whose answers are set against the anchor's
	Anchor      eval.RunID
	Judge       string
	Criteria    bool
	Input       eval.Input
	Shuffled    bool // one order of each pair, drawn; else both
	Repeats     int  // how often all is asked, from 1
	Concurrency int
	Budget      float64 // the cost at which it pauses; 0: none
}

// DatasetChoice is a dataset whose answers can be compared.
type DatasetChoice struct {
	Name       eval.DatasetName
	Samples    int
	Models     []ModelChoice
	Anchor     eval.RunID // of the comparisons that there are; 0 without any
	Criteria   int        // samples with criteria
	Captions   int        // samples with a caption
	Detections int        // samples whose picture a detector saw
	Captioners int        // models that made captions
	Why        string     // why nothing of it can be compared; "" when it can
}

// ModelChoice is a run whose answers can be compared.
type ModelChoice struct {
	Run     eval.RunID
	Name    string // of the model; with the run's number where it has several
	Model   string
	Answers int // predictions of it that are no failures
}

// Choices are what a judging can be made of.
type Choices struct {
	Datasets []DatasetChoice
	Judges   []job.ModelChoice
	Defaults Spec   // concurrency and budget
	Trouble  string // what is wrong with the configuration as a whole; "" when nothing is
}

// LeftOut is how many votes cannot be asked for, for one reason, or are asked for with something missing.
type LeftOut struct {
	Why   string
	Votes int
	Asked bool // asked all the same
}

// Estimate is what a judging will take, beyond what is stored of it.
type Estimate struct {
	Tally                                 eval.Tally
	Calls, PromptTokens, CompletionTokens int
	Cost                                  float64
	Priced                                bool
	Time                                  time.Duration // at the endpoint's limits; 0: not known
	LeftOut                               []LeftOut
	Stale                                 int      // votes that were made under older criteria
	Live                                  bool     // it is at work: starting changes its budget, and goes on
	Unfinished                            []string // runs whose answers are not all there yet
	Assumed                               []string // what the figures rest on
}

// Scheduler starts judgings. It is called in commands; it calls no endpoint before Start.
type Scheduler interface {
	// FormChoices are what a judging can be made of now.
	FormChoices(ctx context.Context) (Choices, error)
	// Estimate is what it would take; an error says why it cannot be.
	Estimate(ctx context.Context, s Spec) (Estimate, error)
	// Start begins in the background, or goes on, and names the first job.
	Start(ctx context.Context, s Spec) (job.ID, error)
}

// Started tells that a judging has begun, or goes on: its first job.
type Started struct{ Job job.ID }

// drawCallEstimate draws how much is asked, what that takes, and what is not asked.
func drawCallEstimate(d *widget.Sheet, e *Estimate, keys *keymap.Spelling) {
	k := &e.Tally
	d.AddField("calls", eval.Either(e.Calls == 0, "none: every vote that can be asked for is there", widget.FormatCount(e.Calls)+" of "+widget.FormatPlural(k.Wanted, "vote")))
	if n := k.CountStored(); n > 0 {
		text := widget.FormatCount(n)
		text += eval.Either(k.Unparsed > 0, ", "+widget.FormatCount(k.Unparsed)+" of them unparsed", "")
		text += eval.Either(k.Failed > 0, ", "+widget.FormatCount(k.Failed)+keys.SpellText(" failed ({t} on the job asks again)"), "")
		d.AddField("are there", text)
	}
	if e.Calls > 0 {
		d.AddField("tokens", "about "+widget.FormatAbbreviated(e.PromptTokens)+" prompt · "+widget.FormatAbbreviated(e.CompletionTokens)+" completion")
		d.AddField("cost", formatEstimatedCost(e))
	}
	if e.Time > 0 {
		d.AddField("time", "at least "+widget.FormatDuration(e.Time)+" at the endpoint's limits")
	}
	for _, l := range e.LeftOut {
		name := eval.Either(l.Asked, "asked", "left out")
		d.AddField(name, widget.FormatPlural(l.Votes, "vote")+": "+l.Why)
	}
}

// drawWarnings draws what weakens the votes, or keeps them from their end.
func drawWarnings(d *widget.Sheet, f *voteForm, e *Estimate) {
	for _, why := range e.Unfinished {
		d.AddWarning(why)
	}
	if e.Stale > 0 {
		d.AddWarning(widget.FormatPlural(e.Stale, "vote") + " made under older criteria: concord judge votes --stale asks them again")
	}
	switch b := f.in.budget.Value(); {
	case b <= 0 || e.Calls == 0:
	case !e.Priced:
		d.AddWarning("without a price the budget cannot be kept")
	case e.Cost > b:
		d.AddWarning("pauses at " + widget.FormatMoney(b) + ", perhaps before its end")
	}
	if e.Live {
		d.AddNote("it is at work: enter sets its budget, and it continues")
	}
}

// formatEstimatedCost gives what a judging may cost.
func formatEstimatedCost(e *Estimate) string {
	return eval.Either(e.Priced, "about "+widget.FormatMoney(e.Cost), "not known: no price is configured")
}

// pagePart is what the page shows of a job.
type pagePart uint8

const (
	results pagePart = iota
	unparsed
	failed
	parts // how many there are
)

// beside is the width from which on the replies stand right of the results.
const beside = 140

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.shown.width, m.shown.height = width, height
	m.shown.clampCursors()
}

// IsDeep reports whether a reply takes the whole screen.
func (m *Model) IsDeep() bool { return m.shown.opened != nil }

// View draws the screen, width by height cells.
func (m *Model) View() string { return widget.DrawScreen(m.shown.width, m.shown.height, m.drawLines) }

func (m *Model) drawLines() []string {
	t := m.theme
	switch {
	case m.ending != nil:
		return m.ending.DrawLines(t, m.shown.width, m.shown.height)
	case m.form != nil:
		return m.form.drawForm(m.shown.width, m.shown.height)
	case m.shown.opened != nil:
		return m.shown.drawOpenedReply()
	case m.shown.id == "":
		return nil
	case !m.shown.known && m.shown.seen.IsZero():
		return []string{"", t.Faint.Render("  loading the votes…")}
	case !m.shown.known:
		return []string{"", t.Faint.Render("  there are no votes yet")}
	}
	out, at := []string{m.shown.drawHead(), m.shown.formatTabs()}, m.shown.resultWidth()
	if at == 0 || !m.shown.isWide() && m.shown.part != results {
		return append(out, m.shown.drawReplies(m.shown.width, m.shown.height-2)...)
	}
	lines := m.shown.drawResults(at)
	lines = lines[min(m.shown.top, len(lines)):]
	if more := len(lines) - (m.shown.height - 2); more > 0 {
		out[1] = widget.JoinEnds(out[1], t.Faint.Render(widget.FormatPlural(more, "line")+" more ↓"), at)
	}
	if at < m.shown.width {
		return append(out, t.DrawBeside(lines, m.shown.drawReplies(m.shown.width-at-3, m.shown.height-2), at, m.shown.width, m.shown.height-2)...)
	}
	return append(out, lines...)
}

// resultDrawer draw what votes come to.
type resultDrawer struct {
	t     *widget.Theme
	width int
	out   []string
}

func (d *resultDrawer) addField(name, text string) {
	d.out = append(d.out, widget.CutWidth(d.t.DrawField(name, text, job.NameWidth), d.width))
}

// addBar draws one of several counts that sum to n.
func (d *resultDrawer) addBar(name string, k, n int, style widget.CachedStyle, rate *stat.Rate) {
	text := fmt.Sprintf("%7s", widget.FormatCount(k))
	text += eval.Either(n > 0, fmt.Sprintf(" %8s", widget.FormatShare(k, n)), "")
	if rate != nil && rate.Undefined == "" {
		text += d.t.Faint.Render(fmt.Sprintf(" [%.1f, %.1f]", 100*rate.Low, 100*rate.High))
	}
	d.addField("  "+name, d.t.DrawStyledBar(style, max(6, min(40, d.width-job.NameWidth-36)), widget.ShareOf(k, n))+" "+text)
}

// addMergedResults adds the results so far: the rule of MLLM-Bench where both orders are asked.
func (d *resultDrawer) addMergedResults(l *Look) {
	r := &l.Results
	of := eval.Either(l.Orders == 1, "of the "+widget.FormatPlural(r.N, "question")+" with a vote, each in one order",
		"of the "+widget.FormatPlural(r.N, "question")+" with a vote in both orders, merged as MLLM-Bench does")
	of += eval.Either(r.Incomplete > 0, "; "+widget.FormatCount(r.Incomplete)+" incomplete", "")
	d.out = append(d.out, "")
	d.addField("results", d.t.Faint.Render(of))
	if r.N == 0 {
		return
	}
	t := d.t
	d.addBar("win", r.Win, r.N, t.Good, &l.WinRate)
	d.addBar("lose", r.Lose, r.N, t.Bad, nil)
	d.addBar("tie", r.Tie, r.N, t.BarFull, nil)
	d.addBar("situ. one", r.SituationOne, r.N, t.BarFull, nil)
	d.addBar("situ. two", r.SituationTwo, r.N, t.BarFull, nil)
	d.addBar("unable", r.Unable, r.N, t.BarFull, nil)
}

// addPositionBias adds how far the place of an answer decides, of the pairs with a
// vote in both orders; the four sum to 1 (MLLM-Bench, Fig. 5).
func (d *resultDrawer) addPositionBias(l *Look) {
	d.out = append(d.out, "")
	n := l.Same.N
	if n == 0 {
		d.addField("positions", d.t.Faint.Render("no pair has a vote in both orders"))
		return
	}
	d.addField("positions", d.t.Faint.Render("of the "+widget.FormatPlural(n, "pair")+" with a vote in both orders"))
	for _, p := range []struct {
		name string
		rate *stat.Rate
	}{{"same", &l.Same}, {"first", &l.First}, {"second", &l.Second}, {"other", &l.Other}} {
		d.addBar(p.name, p.rate.K, n, d.t.BarFull, p.rate)
	}
}
