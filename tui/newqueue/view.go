package newqueue

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// View draws the form in exactly the size that Resize gave.
func (m *Model) View() string { return widget.DrawScreen(m.width, m.height, m.drawLines) }

func (m *Model) drawLines() []string {
	t := m.theme
	lines := []string{t.DrawSection("New queue to label", "predictions, one key each", true, m.width)}
	switch {
	case m.whyEmpty() != "":
		lines = append(lines, "")
		lines = append(lines, m.wrapText(t.Text.Render, "No answers are in this project yet, so there is nothing to label.")...)
		lines = append(lines, "")
		lines = append(lines, m.wrapText(t.Faint.Render, m.SpellText("On the screen of runs {n@runs} asks a model, and {i@runs} imports predictions that you have already. esc goes back."))...)
	case m.loaded:
		lines = append(lines, form.DrawFields(t, m.formFields(), m.at, m.width)...)
		lines = append(lines, m.drawRemarks()...)
	case m.trouble != "":
		lines = append(lines, m.wrapText(t.Bad.Render, "✗ "+m.trouble)...)
	default:
		lines = append(lines, t.Faint.Render("  loading what there is…"))
	}
	return t.AddLegendBelow(lines, m.width, m.height)
}

func (m *Model) wrapText(style func(...string) string, text string) []string {
	return form.WrapIndented(m.width, style, text)
}

// drawRemarks draws what the form has to say: what the fields mean, and what would be drawn.
func (m *Model) drawRemarks() []string {
	t := m.theme
	out := append([]string{""}, m.wrapText(t.Faint.Render, populationTexts[populations[m.from]])...)
	out = append(out, "")
	switch {
	case m.trouble != "":
		return append(out, m.wrapText(t.Bad.Render, "✗ "+m.trouble)...)
	case m.making:
		return append(out, m.wrapText(t.Accent.Render, "drawing…")...)
	case !m.drawing.HasCurrentEstimate():
		return append(out, m.wrapText(t.Faint.Render, "counting what this would draw…")...)
	case m.drawing.Err != nil:
		return append(out, m.wrapText(t.Bad.Render, "✗ "+m.drawing.Err.Error())...)
	}
	d := &m.drawing.Latest
	text := fmt.Sprintf("This draws %s of %s. enter makes the queue, and opens it.", widget.FormatPlural(d.Items, "prediction"), widget.FormatCount(d.Population))
	style := t.Accent.Render
	switch {
	case d.Growing:
		text = fmt.Sprintf("This draws %s of %s now, and more while the run continues. enter makes the queue, and opens it.", widget.FormatPlural(d.Items, "prediction"), widget.FormatCount(d.Population))
	case d.Items == 0:
		style, text = t.Warn.Render, fmt.Sprintf("This draws nothing: %s. Choose others under “which”.", m.whyNothingDrawn(populations[m.from], d.Population))
	}
	out = append(out, m.wrapText(style, text)...)
	if d.Note != "" {
		out = append(out, m.wrapText(t.Warn.Render, d.Note)...)
	}
	return out
}

var populationTexts = map[annotate.From]string{
	annotate.FromUnparsable:    "Answers in which the rules found no choice: what they chose is for people to say.",
	annotate.FromDisagreements: "Responses on which the rules and a judge, or two judges, disagree.",
	annotate.FromAll:           "Every answer, also those that the rules read: their labels tell how far the rules can be trusted.",
	annotate.FromWrong:         "Answers that are not the ground truth, or hold none: what went wrong in them is for people to say.",
}

// whyNothingDrawn says why nothing is drawn.
func (m *Model) whyNothingDrawn(f annotate.From, population int) string {
	switch {
	case population > 0:
		return "none of " + widget.FormatCount(population) + " was chosen"
	case f == annotate.FromUnparsable:
		return "the rules read every answer"
	case f == annotate.FromDisagreements:
		return m.SpellText("no disagreement ({J@runs} on the screen of runs runs a judge)")
	}
	return eval.Either(f == annotate.FromWrong, "no answer is known to be wrong", "there is no answer yet")
}

// Source draws queues. Its methods are called beside the screen.
type Source interface {
	// LoadFormChoices is what there is to draw from.
	LoadFormChoices(ctx context.Context) (Stock, error)
	// PreviewDraw is what an order would draw now; nothing is written.
	PreviewDraw(ctx context.Context, o Order) (Drawn, error)
	// CreateQueue draws the queue and says what came of it.
	CreateQueue(ctx context.Context, o Order) (said string, err error)
}

// Stock is what queues can be drawn from.
type Stock struct {
	Pools []DatasetPool
	Taken []annotate.QueueName // names that queues have
}

// DatasetPool is a dataset with the runs that answered it, each by a name of its own.
type DatasetPool struct {
	Dataset eval.DatasetName
	Runs    []Run
}

// Run is one of them.
type Run struct {
	ID   eval.RunID
	Name string
}

// Order is a queue as it is wanted.
type Order struct {
	Name      annotate.QueueName
	Dataset   eval.DatasetName
	Run       eval.RunID // 0: all of the dataset
	From      annotate.From
	Sample    string // as queue create's --sample: a share like 10%, or a number; "": all
	Overlap   int
	Guideline string // a text file; "": none
	By        annotate.Annotator
}

// Drawn is what an order would draw.
type Drawn struct {
	Items      int // that people would label
	Population int // that they are drawn from
	Growing    bool
	Note       string // what is worth knowing beside it; "" when nothing is
}

// Made is the message that a queue was made.
type Made struct {
	Queue annotate.QueueName
	Said  string
}

// Deps is what the form is made of. Theme and Source are needed.
type Deps struct {
	Theme   *widget.Theme
	Source  Source
	Who     annotate.Annotator
	Dataset eval.DatasetName // to begin with; "": the first
	Run     eval.RunID       // to begin with; 0: all
}
