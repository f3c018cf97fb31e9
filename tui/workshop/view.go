package workshop

import (
	"context"
	"fmt"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/widget"
)

// beside is the width from which the prompt in front stands right of the list.
const beside = 140

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	return strings.Join(widget.FitBox(m.drawLines(), m.width, m.height), "\n")
}

func (m *Model) drawLines() []string {
	t := m.theme
	title := "Judge workshop"
	if m.bench.Queue != "" {
		title += "  queue " + widget.CutWidth(widget.CleanLine(string(m.bench.Queue)), max(8, m.width/4))
	}
	note := eval.Either(m.bench.Judge != "", "judge "+widget.CleanLine(m.bench.Judge), "")
	head := t.DrawSection(title, note, true, m.width)
	switch {
	case m.asking != nil:
		return m.asking.DrawLines(t, m.width, m.height)
	case m.err != nil:
		return append([]string{head, ""}, t.Bad.WrapStyled(" ", "✗ "+m.err.Error(), m.width-1)...)
	case !m.loaded:
		return []string{head, " " + t.Faint.Render("reading…")}
	case m.editor != nil:
		return append([]string{t.DrawSection("Prompt of "+widget.CleanLine(m.bench.Judge), "being written: {{examples 4}} shows labelled answers", true, m.width)}, m.editor.DrawAboveNote(t, m.textWidth(), m.height-1, false, "Saving shows what asking costs. Every prompt is kept, in the folder prompts beside the project.")...)
	case m.bench.Why != "":
		why := append([]string{head, ""}, t.Warn.WrapStyled(" ", m.SpellText(m.bench.Why), m.width-1)...)
		return t.AddLegendBelow(why, m.width, m.height)
	}
	list := append([]string{head}, t.DrawTable(makeTable(m), m.listWidth(), m.listHeight())...)
	looks := fmt.Sprintf(" Half of the samples are held out from the choice: %s at them saved.", widget.FormatPlural(m.bench.Looks, "look"))
	list = append(list, "", t.Faint.Render(widget.FitWidth(looks, m.listWidth())), "")
	list = append(list, drawChanges(m, m.listWidth())...)
	if m.width >= beside {
		list = t.AddLegendBelow(list, m.listWidth(), m.height)
		return append(list[:1], t.DrawBeside(list[1:], drawPrompt(m, m.width-m.listWidth()-3), m.listWidth(), m.width, m.height-1)...)
	}
	return append(list, append([]string{""}, drawPrompt(m, m.width)...)...)
}

func (m *Model) listWidth() int { return eval.Either(m.width >= beside, m.width*3/5, m.width) }

// listHeight is how many lines the table has.
func (m *Model) listHeight() int { return max(2, min(len(m.bench.Candidates)+1, m.height/3)) }

func (m *Model) textWidth() int { return max(8, min(m.width-4, 100)) }

func makeTable(m *Model) widget.Table {
	all := m.bench.Candidates
	return widget.Table{
		Columns: []widget.Column{
			{Title: "prompt", Width: 14},
			{Title: "agrees with people", Width: 20},
			{Title: "n", Width: 3, Right: true},
			{Title: "fixed", Width: 5, Right: true},
			{Title: "broken", Width: 6, Right: true},
			{Title: "held out", Width: 20},
		},
		Rows: len(all), Cursor: m.at, Focused: true,
		Empty: m.SpellText("No prompt was tried yet: {e} writes one."),
		Row:   func(i int) []string { return makeCells(m, &all[i]) },
	}
}

func makeCells(m *Model, c *Candidate) []string {
	name := m.shortName(c.Name) + eval.Either(c.Now, m.theme.Faint.Render(" (now)"), "")
	cells := []string{name, "", "", "", "", ""}
	switch {
	case c.Working != "":
		cells[1] = m.theme.Accent.Render(c.Working)
	case !c.Asked:
		cells[1] = m.theme.Faint.Render("not asked yet")
	default:
		cells[1], cells[2] = formatRate(c.Agreement), fmt.Sprint(c.Agreement.N)
	}
	if c.Before != "" {
		cells[3], cells[4] = fmt.Sprint(len(c.Changed[0])), fmt.Sprint(len(c.Changed[1]))
	}
	if c.Looked {
		cells[5] = formatRate(c.HeldOut)
	}
	return cells
}

// shortName is a candidate's name without the judge's.
func (m *Model) shortName(name string) string {
	return widget.CleanLine(strings.TrimPrefix(strings.TrimPrefix(name, m.bench.Judge), "~"))
}

func formatRate(r stat.Rate) string {
	if r.Undefined != "" {
		return "– (" + r.Undefined + ")"
	}
	return fmt.Sprintf("%.1f%% [%.1f, %.1f]", 100*r.Value, 100*r.Low, 100*r.High)
}

// drawChanges draws what the prompt in front changed, and where it differs from people.
func drawChanges(m *Model, width int) []string {
	c := m.currentCandidate()
	if c == nil || !c.Asked {
		return nil
	}
	s := widget.Sheet{Theme: m.theme, Width: width}
	if c.Before != "" {
		for i, name := range []string{"fixed", "broken"} {
			all := c.Changed[i]
			shown := strings.Join(all[:min(len(all), 5)], "; ") + eval.Either(len(all) > 5, "; …", "")
			s.AddField(name, fmt.Sprintf("%d beside %s", len(all), m.shortName(c.Before))+eval.Either(len(all) > 0, ": "+widget.CleanLine(shown), ""))
		}
	}
	s.AddField("cost", c.Spent)
	differ := eval.FilterMap(c.Confusion, func(x annotate.Confusion) (string, bool) {
		return fmt.Sprintf("%s → %s %d", widget.CleanLine(x.People), widget.CleanLine(x.Machine), x.N), x.People != x.Machine
	})
	if len(differ) > 0 {
		s.AddField("people → judge", strings.Join(differ, " · "))
	}
	return s.Out
}

// drawPrompt draws the beginning of the prompt in front.
func drawPrompt(m *Model, width int) []string {
	t, c := m.theme, m.currentCandidate()
	if c == nil {
		return nil
	}
	out := []string{t.DrawSection("Prompt "+m.shortName(c.Name), "", false, width)}
	if m.bench.Draft != "" {
		out = append(out, " "+t.Warn.Render(m.SpellText("Another one has been begun: {e} continues it.")))
	}
	return append(out, eval.Map(widget.WrapText(c.Text, width-2), func(l string) string { return " " + l })...)
}

// Order is a prompt of a judge on a part of a queue's labels.
type Order struct {
	Queue   annotate.QueueName
	Judge   string
	Prompt  string // its text
	HeldOut bool   // the held-out part; else the development part
}

// Candidate is a prompt that was written or tried.
type Candidate struct {
	Name          string // "mini~1a2b3c4d"
	Text          string // "" where it is not known any more
	Now           bool   // it is the judge's in the configuration
	Asked         bool   // it has readings of the development part
	Agreement     stat.Rate
	Confusion     []annotate.Confusion
	Fixed, Broken []eval.Key // beside the one tried before
	Changed       [2][]string
	Before        string    // that one; "" of the first
	Spent         string    // what its replies cost, and how long one took
	HeldOut       stat.Rate // at the last look at the held-out part that is saved
	Looked        bool      // there was one
	Working       string    // how far it is asked, while it is; "" else
}

// Bench is what there is of a judge and a queue.
type Bench struct {
	Queue      annotate.QueueName
	Judge      string
	Judges     []string    // of the configuration
	Candidates []Candidate // in the order in which they were tried, those not asked yet last
	Looks      int         // at the held-out part that are saved
	Draft      string      // what was being written when the page was left
	Why        string      // why nothing can be tried here; "" when it can
}

// Source reads what was tried, and tries. It is called in commands.
type Source interface {
	// ReadTrials reads what there is of a judge and a queue; "" takes the first judge, and
	// the queue with the newest labels.
	ReadTrials(ctx context.Context, q annotate.QueueName, judge string) (Bench, error)
	// KeepPrompt keeps a prompt in a file beside the project, and gives its candidate's
	// name; an error says what of it does not read.
	KeepPrompt(ctx context.Context, o Order) (name string, err error)
	// KeepDraft keeps what is not a prompt yet; "" drops it.
	KeepDraft(q annotate.QueueName, judge, text string) error
	// Estimate says in a line what is asked and what that costs; "" when nothing is left to ask.
	Estimate(ctx context.Context, o Order) (string, error)
	// Start begins to ask in the background.
	Start(ctx context.Context, o Order) error
	// MeasureHeldOut measures the prompt on the held-out part, and saves that it was looked at.
	MeasureHeldOut(ctx context.Context, o Order, who annotate.Annotator) error
	// Promote makes the prompt the judge's in the configuration, and says which file that is now.
	Promote(ctx context.Context, o Order, who annotate.Annotator) (file string, err error)
}

// Deps is what the page is made of. All of it is needed but Queue, Who and Now.
type Deps struct {
	Theme  *widget.Theme
	Source Source
	Queue  annotate.QueueName // "": the one with the newest labels
	Who    annotate.Annotator // "": nobody has said; then no look is saved
	Now    func() time.Time   // nil is time.Now
}

// OpenAnswers asks for the answers that a prompt fixed and broke.
type OpenAnswers struct {
	Title, Extractor string
	Fixed, Broken    []eval.Key
}
