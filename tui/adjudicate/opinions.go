package adjudicate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// itemOpinions is what everybody said of the item in front.
type itemOpinions struct {
	*annotation.SessionState
	deps      Deps
	policy    annotate.Policy
	extractor string // that is looked at
	exhibit   exhibit
	whole     bool // a long response is not folded
}

// ownRuling is the adjudicator's own on the item in front.
func (y *itemOpinions) ownRuling() (annotate.Ruling, bool) {
	if y.Session == nil {
		return annotate.Ruling{}, false
	}
	_, k, _ := y.Session.Walk.Current()
	r, ok := y.Session.Own.State().Rulings[k]
	return r, ok
}

// causeByRuling is who was right by the final choice, between people's consensus and
// the extractor that is looked at; false where one of them said nothing.
func (y *itemOpinions) causeByRuling() (annotate.Cause, bool) {
	r, ok := y.ownRuling()
	people, machine, both := y.comparedSides()
	if !ok || !both {
		return annotate.CauseUnset, false
	}
	r.Cause = annotate.CauseUnset
	return r.CauseFor(people, machine), true
}

// comparedSides are what people agreed on and what the extractor read; false where one of them is missing.
func (y *itemOpinions) comparedSides() (people annotate.Reading, machine eval.Extraction, ok bool) {
	if !y.exhibit.done || y.exhibit.err != nil {
		return people, machine, false
	}
	counted := eval.Select(y.exhibit.what.Labels, func(l annotate.Label) bool { return l.Queue == y.deps.Queue && !l.Informed })
	c, agreed := annotate.ResolveReadings(eval.Map(counted, func(l annotate.Label) annotate.Reading { return l.Reading }), y.policy)
	i := slices.IndexFunc(y.exhibit.what.Readings, func(r blind.MachineReading) bool { return r.Extractor == y.extractor })
	if !agreed || i < 0 {
		return people, machine, false
	}
	return c.Reading, y.exhibit.what.Readings[i].Extraction, true
}

// drawResponse draws what the model answered, under its title.
func (y *itemOpinions) drawResponse(pg *page, width int) []string {
	t := y.Theme
	out := []string{t.DrawSection("Model response", "", true, width)}
	answer := annotation.Response{Raw: annotation.CutLongText(pg.Item.Prediction)}
	lines := annotation.DrawQuoted(t, t.Text, t.Title.Render("┃")+" ", cmp.Or(answer.DescribeBlank(), answer.Raw), y.matchedRanges(), width)
	if n := len(lines); !y.whole && n > y.foldedHeight()*3/2 {
		lines = annotation.FoldLines(t, n, y.foldedHeight(), y.SpellKey("open"), func(from, k int) []string { return lines[from : from+k] })
	}
	out = append(out, lines...)
	if pg.Item.Truncated {
		out = append(out, t.Warn.Render("cut off by the endpoint"))
	}
	return out
}

// matchedRanges are the parts of the response out of which rules read an option, once what
// everybody made of it is shown.
func (y *itemOpinions) matchedRanges() []widget.Range {
	return eval.FilterMap(y.exhibit.what.Readings, func(r blind.MachineReading) (widget.Range, bool) {
		return widget.Range{From: r.From, To: r.From + len(r.Matched)}, r.Matched != ""
	})
}

// foldedHeight is how many lines a response has whose head and tail alone are shown, so that
// what is said of it stands below.
func (y *itemOpinions) foldedHeight() int { return max(4, y.MainHeight()/2) }

// drawOpinions draws the response, and below it what everybody made of it: after the adjudicator's own reading.
func (y *itemOpinions) drawOpinions(pg *page, width int) []string {
	t := y.Theme
	out := append(y.drawResponse(pg, width), "")
	switch x := &y.exhibit; {
	case !x.asked:
		out = append(out, t.Faint.WrapStyled("", "What did it choose? Say so first: what people and machines said is shown then.", width)...)
	case x.err != nil:
		out = append(out, t.Bad.WrapStyled("", x.err.Error(), width)...)
	case !x.done:
		out = append(out, t.Faint.Render("reading…"))
	default:
		out = append(out, y.drawPeople(width)...)
		out = append(out, y.drawMachines(width)...)
		out = append(out, y.drawPasses(width)...)
	}
	return out
}

// drawPeople draws the labels and rulings with what was said beside them.
func (y *itemOpinions) drawPeople(width int) []string {
	t, x := y.Theme, &y.exhibit.what
	out := []string{t.DrawSection("People", y.describeSource(), false, width)}
	if len(x.Labels)+len(x.Rulings) == 0 {
		out = append(out, t.Faint.Render("nobody has labelled it"))
	}
	say := func(who annotate.Annotator, said string, more ...string) {
		head := widget.FitWidth(t.Strong.Render(widget.CleanLine(string(who))), 12) + " "
		rest := said
		for _, m := range more {
			rest += eval.Either(m != "", " · "+m, "")
		}
		for i, l := range widget.WrapText(rest, max(1, width-13)) {
			if i > 0 {
				head = strings.Repeat(" ", 13)
			}
			out = append(out, head+l)
		}
	}
	for i := range x.Labels {
		l := &x.Labels[i]
		sure := eval.Either(l.Confidence > 0, fmt.Sprintf("%.0f %% sure", 100*l.Confidence), "")
		informed := eval.Either(l.Informed, "after the reveal", "")
		flagged := eval.Either(l.Flagged, "flagged", "")
		queue := eval.Either(l.Queue != y.deps.Queue, "queue "+string(l.Queue), "")
		say(l.Annotator, labeloption.ReadingText(l.Reading), sure, l.Reason, formatNote(l.Note), flagged, informed, queue)
	}
	for i := range x.Rulings {
		r := &x.Rulings[i]
		say(r.Annotator, "adjudicated: "+labeloption.ReadingText(r.Reading), causeWord(r.Cause), formatNote(r.Note))
	}
	return append(out, "")
}

// describeSource describes whose answer it is, and what would have been right.
func (y *itemOpinions) describeSource() string {
	x := &y.exhibit.what
	var parts []string
	if x.Model != "" {
		parts = append(parts, "on an answer of "+widget.CleanLine(x.Model))
	}
	switch {
	case x.Truth != "":
		parts = append(parts, "ground truth "+widget.CleanLine(string(x.Truth)))
	case x.Withheld:
		parts = append(parts, "ground truth withheld: another item is open to you")
	}
	return strings.Join(parts, ", ")
}

// drawMachines draws what extractors read, with the judges' own words.
func (y *itemOpinions) drawMachines(width int) []string {
	t := y.Theme
	final, settled := y.ownRuling()
	out := []string{t.DrawSection("Machines", "", false, width)}
	for _, r := range y.exhibit.what.Readings {
		sign := eval.Either(settled, eval.Either(agreesWithRuling(final.Reading, r.Extraction), t.Good.Render("= "), t.Bad.Render("≠ ")), "  ")
		looked := eval.Either(r.Extractor == y.extractor, t.Accent.Render(" ◂"), "")
		out = append(out, widget.CutWidth(sign+widget.FitWidth(formatMachineReading(r.Extraction), 10)+" "+widget.CleanLine(r.Extractor)+looked, width))
		if r.Raw == "" {
			continue
		}
		out = append(out, t.Faint.WrapStyled("   "+t.Faint.Render("│ "), annotation.CutLongText(r.Raw), width)...)
	}
	return append(out, "")
}

// drawPasses draws the answers to the question with its options turned, side by side where there is room.
func (y *itemOpinions) drawPasses(width int) []string {
	t, all := y.Theme, y.exhibit.what.Passes
	if len(all) < 2 {
		return nil
	}
	out := []string{t.DrawSection("Passes", "", false, width)}
	const least = 22
	cols := max(1, min(len(all), (width+3)/(least+3)))
	each := (width - 3*(cols-1)) / cols
	for from := 0; from < len(all); from += cols {
		var block []string
		at, high := 0, 0
		for i := from; i < min(from+cols, len(all)); i++ {
			one := y.drawPass(&all[i], each)
			if high = max(high, len(one)); at == 0 {
				block, at = one, each
				continue
			}
			block, at = t.DrawBeside(block, one, at, at+3+each, high), at+3+each
		}
		out = append(out, widget.FitBox(block, at, high)...)
		out = append(out, "")
	}
	return out
}

func (y *itemOpinions) drawPass(p *Pass, width int) []string {
	t := y.Theme
	head := fmt.Sprintf("pass %d", p.Pass)
	if p.Blind {
		return append([]string{t.Strong.Render(head)}, widget.WrapText("blind until you have answered", width)...)
	}
	head += "  " + formatMachineReading(p.Reading)
	if p.Truth != "" {
		verdict := eval.Either(p.Reading.IsFound() && p.Reading.Choice == p.Truth, t.Good.Render(" ✓"), t.Bad.Render(" ✗"))
		head += verdict + t.Faint.Render(" ground truth "+widget.CleanLine(string(p.Truth)))
	}
	out := []string{widget.CutWidth(t.Strong.Render(head), width)}
	if p.Failure != "" {
		return append(out, t.Bad.Render(widget.CutWidth("✗ "+widget.CleanLine(p.Failure), width)))
	}
	const most = 12
	lines := widget.WrapText(annotation.CutLongText(p.Text), width)
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], t.Faint.Render(fmt.Sprintf("… %d more lines", len(lines)-most+1)))
	}
	return append(out, lines...)
}

// Source is where a queue and what was made of it is read. It is called in commands.
type Source interface {
	report.Facts
	// LegiblePredictions tells which predictions a person may see what was made of, as
	// far as queues other than this one go.
	LegiblePredictions(ctx context.Context, who annotate.Annotator, q annotate.QueueName) (alignment.Legible, error)
	// RecordCompared records that a person is about to be shown what everybody made
	// of the items of a comparison that it shows.
	RecordCompared(ctx context.Context, who annotate.Annotator, c *alignment.QueueComparison) error
	// LoadExhibit is what everybody made of an item that the person has answered.
	LoadExhibit(ctx context.Context, who annotate.Annotator, k annotate.ItemKey) (Exhibit, error)
}

// Exhibit is what everybody made of an item.
type Exhibit struct {
	Model    string      // "" while it is withheld
	Truth    eval.Choice // as shown in the item's pass; "" without one
	Withheld bool        // the truth is: another item on the sample is open to the person
	Labels   []annotate.Label
	Rulings  []annotate.Ruling
	Readings []blind.MachineReading
	Passes   []Pass // of the question, in their order: those that may be shown
}

// Pass is the answer to the question with its options turned.
type Pass struct {
	Pass          eval.Pass
	Blind         bool // the person is still to answer an item about it
	Text, Failure string
	Truth         eval.Choice // as shown in this pass
	Reading       eval.Extraction
}

// Deps is what the screen is made of; all of it is needed but Claim and Curated. With
// an empty Queue only what experts differ on is compared.
type Deps struct {
	annotation.Deps
	Source Source

	// Claim takes a claim among those who adjudicate a queue now, so that no two get
	// the same item; nil: nobody else does.
	Claim func(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (*assign.Claim, error)

	// Curated counts what experts differ on among candidates, dataset by
	// dataset, for one who may settle it; nil: nothing is curated.
	Curated func(ctx context.Context, who annotate.Annotator) ([]Curated, error)
}

// pickedQueue is a queue of which some items are worked on, in their order.
type pickedQueue struct {
	annotation.Items
	places []int // indices in the queue
	claim  func(context.Context, annotate.QueueName, annotate.Annotator) (*assign.Claim, error)
}

// Open opens a session of rulings over the picked items.
func (p pickedQueue) Open(ctx context.Context, q annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	o, err := p.Items.Open(ctx, q, who)
	if err != nil {
		return o, err
	}
	at := eval.IndexBy(o.Items, func(it annotate.QueueItem) (int, annotate.QueueItem) { return it.Index, it })
	o.Items = eval.FilterMap(p.places, func(i int) (annotate.QueueItem, bool) {
		it, ok := at[i]
		return it, ok
	})
	o.Adjudicating, o.Queue.Growing = true, false
	if p.claim != nil {
		o.Rulings, err = p.claim(ctx, q, who)
	}
	return o, err
}
