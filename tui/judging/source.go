package judging

import (
	"context"
	"fmt"
	"strings"
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

	Results     Results
	WinRate     stat.Rate
	Same        stat.Rate // positions, of the pairs with a vote in both orders
	First       stat.Rate
	Second      stat.Rate
	Other       stat.Rate
	Unparsed    []Reply // in the order of samples
	Failures    []Reply
	MoreReplies int // unparsed ones beyond those that are given
	MoreFails   int
}

// Results are questions by what the votes come to for the model; they sum to
// N.
type Results struct {
	Win, Lose, Tie, SituationOne, SituationTwo, Unable int
	N                                                  int
	Incomplete                                         int // questions with a vote in one of two orders
}

// Source reads what the page shows. It is called in commands.
type Source interface {
	job.Source
	// Look reads the votes of a comparison, and up to n of the replies of each kind
	// that hold none, as far as the person may know of them. Who has no name has
	// answered nothing.
	Look(ctx context.Context, who annotate.Annotator, c eval.Comparison, n int) (Look, error)
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
	Pictures   int        // samples with a picture that the project holds
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

// JudgeChoice is a model that is configured to be asked.
type JudgeChoice struct {
	Name     string
	Endpoint string // base URL, without credentials
	Price    eval.Price
	Why      string // why it cannot be asked and what to do about it; "" when it can
}

// Choices are what a judging can be made of.
type Choices struct {
	Datasets []DatasetChoice
	Judges   []JudgeChoice
	Defaults Spec   // concurrency and budget
	Trouble  string // what is wrong with the configuration as a whole; "" when nothing is
}

// LeftOut is how many votes cannot be asked for, for one reason, or are asked
// for although something is missing.
type LeftOut struct {
	Why   string
	Votes int
	Asked bool // asked all the same
}

// Estimate is what a judging will take, beyond what is stored of it.
type Estimate struct {
	Tally            eval.Tally
	Calls            int
	PromptTokens     int
	CompletionTokens int
	Cost             float64
	Priced           bool
	Time             time.Duration // at the endpoint's limits; 0: not known
	LeftOut          []LeftOut
	Stale            int      // votes that were made under older criteria
	Live             bool     // it is at work: starting changes its budget, and goes on
	Unfinished       []string // runs whose answers are not all there yet
	Assumed          []string // what the figures rest on
}

// Scheduler starts judgings. It is called in commands; it calls no endpoint
// before Start.
type Scheduler interface {
	// Choices are what a judging can be made of now.
	Choices(ctx context.Context) (Choices, error)
	// Estimate is what it would take; an error says why it cannot be.
	Estimate(ctx context.Context, s Spec) (Estimate, error)
	// Start begins in the background, or goes on, and names the first job.
	Start(ctx context.Context, s Spec) (job.ID, error)
}

// Started tells that a judging has begun, or goes on: its first job.
type Started struct{ Job job.ID }

// sizes are how much is asked, what that takes, and what is not asked.
func sizes(d *widget.Sheet, e *Estimate, keys *keymap.Spelling) {
	k := &e.Tally
	if e.Calls == 0 {
		d.Field("calls", "none: every vote that can be asked for is there")
	} else {
		d.Field("calls", widget.Count(e.Calls)+" of "+widget.Plural(k.Wanted, "vote"))
	}
	if n := k.Done(); n > 0 {
		text := widget.Count(n)
		if k.Unparsed > 0 {
			text += ", " + widget.Count(k.Unparsed) + " of them unparsed"
		}
		if k.Failed > 0 {
			text += ", " + widget.Count(k.Failed) + keys.Keyed(" failed ({t} on the job asks again)")
		}
		d.Field("are there", text)
	}
	if e.Calls > 0 {
		d.Field("tokens", "about "+widget.Short(e.PromptTokens)+" prompt · "+widget.Short(e.CompletionTokens)+" completion")
		d.Field("cost", price(e))
	}
	if e.Time > 0 {
		d.Field("time", "at least "+widget.Span(e.Time)+" at the endpoint's limits")
	}
	for _, l := range e.LeftOut {
		name := "left out"
		if l.Asked {
			name = "asked"
		}
		d.Field(name, widget.Plural(l.Votes, "vote")+": "+l.Why)
	}
}

// warnings are what weakens the votes, or keeps them from their end.
func warnings(d *widget.Sheet, f *voteForm, e *Estimate) {
	for _, why := range e.Unfinished {
		d.Warn(why)
	}
	if e.Stale > 0 {
		d.Warn(widget.Plural(e.Stale, "vote") + " made under older criteria: concord judge votes --stale asks them again")
	}
	switch b := f.in.budget.Value(); {
	case b <= 0 || e.Calls == 0:
	case !e.Priced:
		d.Warn("without a price the budget cannot be kept")
	case e.Cost > b:
		d.Warn("pauses at " + widget.Money(b) + ", perhaps before its end")
	}
	if e.Live {
		d.Say("it is at work: enter sets its budget, and it continues")
	}
}

// price is what a judging may cost.
func price(e *Estimate) string {
	if e.Priced {
		return "about " + widget.Money(e.Cost)
	}
	return "not known: no price is configured"
}

// part is what the page shows of a job.
type part uint8

const (
	results part = iota
	unparsed
	failed
	parts // how many there are
)

// beside is the width from which on the replies stand right of the results.
const beside = 140

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.shown.width, m.shown.height = width, height
	m.shown.settle()
}

// Deep reports whether a reply takes the whole screen.
func (m *Model) Deep() bool { return m.shown.opened != nil }

// View draws the screen, width by height cells.
func (m *Model) View() string {
	if m.shown.width <= 0 || m.shown.height <= 0 {
		return ""
	}
	return strings.Join(widget.Block(m.lines(), m.shown.width, m.shown.height), "\n")
}

func (m *Model) lines() []string {
	t := m.theme
	switch {
	case m.ending != nil:
		return m.ending.Lines(t, m.shown.width, m.shown.height)
	case m.form != nil:
		return m.form.lines(m.shown.width, m.shown.height)
	case m.shown.opened != nil:
		return m.shown.readLines()
	case m.shown.id == "":
		return nil
	case !m.shown.known && m.shown.seen.IsZero():
		return []string{"", t.Faint.Render("  loading the votes…")}
	case !m.shown.known:
		return []string{"", t.Faint.Render("  there are no votes yet")}
	}
	out, at := []string{m.shown.head(), m.shown.tabs()}, m.shown.resultWidth()
	if at == 0 || !m.shown.wide() && m.shown.part != results {
		return append(out, m.shown.replyLines(m.shown.width, m.shown.height-2)...)
	}
	lines := m.shown.resultLines(at)
	lines = lines[min(m.shown.top, len(lines)):]
	if more := len(lines) - (m.shown.height - 2); more > 0 {
		out[1] = widget.Ends(out[1], t.Faint.Render(widget.Plural(more, "line")+" more ↓"), at)
	}
	if at < m.shown.width {
		return append(out, t.Beside(lines, m.shown.replyLines(m.shown.width-at-3, m.shown.height-2), at, m.shown.width, m.shown.height-2)...)
	}
	return append(out, lines...)
}

// figures draw what votes come to.
type figures struct {
	t     *widget.Theme
	width int
	out   []string
}

func (d *figures) say(name, text string) {
	d.out = append(d.out, widget.Cut(d.t.Field(name, text, job.NameWidth), d.width))
}

func (d *figures) single(l *Look) {
	d.say("each vote", fmt.Sprintf("model %s · anchor %s · unable %s", widget.Count(l.Model), widget.Count(l.Anchor), widget.Count(l.Unable)))
}

// bar draws one of several counts that sum to n.
func (d *figures) bar(name string, k, n int, style widget.CachedStyle, rate *stat.Rate) {
	text := fmt.Sprintf("%7s", widget.Count(k))
	if n > 0 {
		text += fmt.Sprintf(" %8s", widget.Share(k, n))
	}
	if rate != nil && rate.Undefined == "" {
		text += d.t.Faint.Render(fmt.Sprintf(" [%.1f, %.1f]", 100*rate.Low, 100*rate.High))
	}
	share := 0.0
	if n > 0 {
		share = float64(k) / float64(n)
	}
	d.say("  "+name, d.t.BarOf(style, max(6, min(40, d.width-job.NameWidth-36)), share)+" "+text)
}

// merged are the results so far: the rule of MLLM-Bench where both orders are
// asked.
func (d *figures) merged(l *Look) {
	r := &l.Results
	of := "of the " + widget.Plural(r.N, "question") + " with a vote in both orders, merged as MLLM-Bench does"
	if l.Orders == 1 {
		of = "of the " + widget.Plural(r.N, "question") + " with a vote, each in one order"
	}
	if r.Incomplete > 0 {
		of += "; " + widget.Count(r.Incomplete) + " incomplete"
	}
	d.out = append(d.out, "")
	d.say("results", d.t.Faint.Render(of))
	if r.N == 0 {
		return
	}
	t := d.t
	d.bar("win", r.Win, r.N, t.Good, &l.WinRate)
	d.bar("lose", r.Lose, r.N, t.Bad, nil)
	d.bar("tie", r.Tie, r.N, t.BarFull, nil)
	d.bar("situ. one", r.SituationOne, r.N, t.BarFull, nil)
	d.bar("situ. two", r.SituationTwo, r.N, t.BarFull, nil)
	d.bar("unable", r.Unable, r.N, t.BarFull, nil)
}

// positions are how far the place of an answer decides, of the pairs with a
// vote in both orders; the four sum to 1 (MLLM-Bench, Fig. 5).
func (d *figures) positions(l *Look) {
	d.out = append(d.out, "")
	n := l.Same.N
	if n == 0 {
		d.say("positions", d.t.Faint.Render("no pair has a vote in both orders"))
		return
	}
	d.say("positions", d.t.Faint.Render("of the "+widget.Plural(n, "pair")+" with a vote in both orders"))
	for _, p := range []struct {
		name string
		rate *stat.Rate
	}{{"same", &l.Same}, {"first", &l.First}, {"second", &l.Second}, {"other", &l.Other}} {
		d.bar(p.name, p.rate.K, n, d.t.BarFull, p.rate)
	}
}
