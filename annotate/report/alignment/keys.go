package alignment

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

// KeysBehind yields the items of the queue as they stand now, also for a saved row.
func (r *Row) KeysBehind(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	policy, err := annotate.ParsePolicy(r.Policy)
	if err != nil {
		return report.YieldError(err)
	}
	undecided, err := annotate.ParseUndecided(r.Undecided)
	if err != nil {
		return report.YieldError(err)
	}
	part := FigureParamsOf(&s)
	o := Options{Queue: r.Queue, Policy: policy, Undecided: undecided, Reader: r.ReadAs.Reader}
	for _, name := range []string{r.Extractor, part.With} {
		if rules, ok := strings.CutPrefix(name, report.RulesPrefix); ok {
			o.Rules = append(o.Rules, rules)
		}
	}
	if r.Part != "" {
		if o.Part, err = ParsePart(r.Part); err != nil {
			return report.YieldError(err)
		}
	}
	o.judgesOnly = o.Rules == nil
	rv, err := newReviewedQueue(ctx, facts, &o)
	if err != nil {
		return report.YieldError(err)
	}
	p := itemPicker{Which: s.Which, FigureParams: part, Basis: rv.basis}
	if part.Person != "" && policy == annotate.DawidSkene {
		p.Policy = annotate.Majority // of one person's word
	}
	all := rv.listExtractors(&o)
	for name, to := range map[string]**annotate.Extractor{r.Extractor: &p.x, part.With: &p.with} {
		if name == "" {
			continue
		}
		i := slices.IndexFunc(all, func(x extractor) bool { return x.Name == name })
		if i < 0 {
			return report.YieldError(fmt.Errorf("find extractor %s: %w", name, eval.ErrNotFound))
		}
		*to = &all[i].Extractor
	}
	return report.SelectKeys(slices.Values(rv.items), func(it annotate.AlignItem) (eval.Key, bool) {
		is := (r.Run == 0 || it.Key.Run == r.Run) && (part.Model == "" || it.Model == part.Model) && report.PathHasPrefix(it.Taxonomy, s.Level)
		return it.Key.Key, is && p.isBehind(&it)
	})
}

// itemPicker finds the items behind a figure of an extractor, and of another one that it is set beside.
type itemPicker struct {
	report.Which
	FigureParams
	annotate.Basis
	x, with *annotate.Extractor
}

// isBehind reports whether an item is behind the figure. Those that were added since their
// answer is known are behind none: who looks at them may be labelling them.
func (p *itemPicker) isBehind(it *annotate.AlignItem) bool {
	if it.Gold {
		return false
	}
	switch p.Which {
	case OnlyFirst, OnlySecond:
		a, b := p.CompareItem(it, p.x), p.CompareItem(it, p.with)
		first, second := a.Alignment == annotate.Aligned, b.Alignment == annotate.Aligned
		return a.LeftOut == "" && b.LeftOut == "" && first != second && first == (p.Which == OnlyFirst)
	case Adjudicated:
		return it.Ruling != nil
	case CausedBy:
		c := p.WithoutRulings().CompareItem(it, p.x)
		cause, _ := p.FindCause(it, p.x)
		return c.Alignment == annotate.CaseTwo && cause == p.Cause
	default: // of people's consensus, or of one person's word
	}
	if p.Person == "" {
		return p.isWanted(p.CompareItem(it, p.x))
	}
	own, ok := it.OnlyByAnnotator(p.Person)
	if !ok {
		return false
	}
	c := p.CompareItem(&own, p.x)
	return c.LeftOut == "" && p.isWanted(c)
}

// isWanted reports whether a compared item is behind the figure.
func (p *itemPicker) isWanted(c annotate.ComparedReading) bool {
	if p.Which == Excluded || c.LeftOut != "" {
		return p.Which == Excluded && c.LeftOut != "" && (p.Reason == "" || p.Reason == c.LeftOut)
	}
	switch p.Which {
	case Aligned:
		return c.Alignment == annotate.Aligned
	case Misaligned:
		return c.Alignment != annotate.Aligned
	case CaseOne:
		return c.Alignment == annotate.CaseOne
	case CaseTwo:
		return c.Alignment == annotate.CaseTwo
	case Confused:
		return c.PeopleClassName() == p.People && c.MachineClassName() == p.Machine
	default:
		return false
	}
}

// The figures of a queue's items that can be opened.
const (
	Aligned     report.Which = "aligned" // items of a queue from here on
	Misaligned  report.Which = "misaligned"
	CaseOne     report.Which = "case_one"
	CaseTwo     report.Which = "case_two"
	Excluded    report.Which = "excluded"  // with Part.Reason, or for any reason
	Confused    report.Which = "confusion" // with Part.People and Machine
	Adjudicated report.Which = "settled"   // an adjudicator has ruled
	CausedBy    report.Which = "cause"     // Case II items by who was right: with Part.Cause, unset for those that nobody settled
	OnlyFirst   report.Which = "first_only"
	OnlySecond  report.Which = "second_only" // only the one of Part.With reads as people do
)

// FigureParams tells figures apart that have one name.
type FigureParams struct {
	Model           string // of the items; "": all
	Reason          string // for Excluded
	People, Machine string // for Confused, as a row's Confusion names them

	With  string         // the extractor that the row's is set beside
	Cause annotate.Cause // for CausedBy

	Person, Other annotate.Annotator // whose labels, "" for people's consensus; and of an AnnotatorsRow beside whose, "" for the others' word
}

// FigureParamsOf is that of a selection; the zero value without one.
func FigureParamsOf(s *report.Selection) FigureParams {
	p, _ := s.Part.(FigureParams)
	return p
}

// newOpener opens the row's figures. A part without items, and the zero opener, open nothing.
func (r *Row) newOpener() report.Opener {
	return report.Opener{Row: r, Extractor: r.Extractor, People: true, Whole: true, Names: r.nameFigure}
}

// attachPicks gives a cell with the items that it counts. Those of a saved report are the
// items as they stand now, so it opens none.
func (r *Row) attachPicks(c table.Cell, by report.Opener, which ...report.Which) table.Cell {
	if r.Saved != 0 || by.Row == nil {
		return c
	}
	return report.AttachPicks(c, by, which...)
}

// rateCell is an alignment rate, with the items by how they came out; of a person's
// own labels without those that are left out, which are of everybody.
func (r *Row) rateCell(rate stat.Rate, by report.Opener, person bool) table.Cell {
	parts := eval.Either(r.CaseOpen > 0, []report.Which{Aligned, Misaligned}, []report.Which{Aligned, CaseOne, CaseTwo})
	c := r.attachPicks(table.NewRate(rate), by, parts...)
	if r.CaseOpen > 0 {
		c = report.AttachFurtherPicks(c, by, CaseOne, CaseTwo)
	}
	if !person {
		c = report.AttachFurtherPicks(c, by, Excluded)
	}
	return c
}

// leftOutCell are the items that are not compared, by reason. Those that were added since their
// answer is known are not opened: who looks at them may be labelling them.
func (r *Row) leftOutCell() table.Cell {
	var c table.Cell
	for _, reason := range slices.Sorted(maps.Keys(r.Excluded)) {
		by := r.newOpener().WithPart(FigureParams{Reason: reason})
		switch {
		case reason == annotate.LeftGold:
		case report.BehindOf(&c) == nil:
			c = r.attachPicks(table.NewCount(r.Excluded[reason]), by, Excluded)
		default:
			c = report.AttachFurtherPicks(c, by, Excluded)
		}
	}
	return report.CopyPicks(table.NewText(formatLeftOut(r.Excluded)), c)
}

// nameFigure are how the figures are called that are opened.
func (r *Row) nameFigure(s *report.Selection) string {
	part := FigureParamsOf(s)
	switch s.Which {
	case Aligned:
		return "as people"
	case Misaligned:
		return "not as people"
	case CaseOne:
		return "no option (case I)"
	case CaseTwo:
		return "other option (case II)"
	case Excluded:
		return cmp.Or(part.Reason, "left out")
	case CausedBy:
		for _, c := range countCauses(annotate.CaseTwoCauses{}) {
			if c.cause == part.Cause {
				return c.name
			}
		}
	case OnlyFirst:
		return "only " + r.Extractor + " as people"
	case OnlySecond:
		return "only " + part.With + " as people"
	default: // its own name says it
	}
	return ""
}

const unseen = "hidden until you have answered all"

// Audience is everybody, without what tells of two people or of single items.
func (r *AnnotatorsRow) Audience() report.Audience { return report.InPart }

// PublicPart is the row without what may tell how single items were labelled: every
// two people, each beside the others, and items by name. Work and time stay.
func (r *AnnotatorsRow) PublicPart() report.Row {
	out := *r
	out.Pairs, out.Slowest, out.Contested, out.work = []AnnotatorPair{}, []ItemLine{}, []ItemLine{}, nil
	out.Outliers = []Outlier{}
	out.Outliers = append(out.Outliers, eval.Select(r.Outliers, func(p Outlier) bool { return p.Kind == Hurries })...)
	out.People = make([]AnnotatorLine, len(r.People))
	for i, l := range r.People {
		l.Others, l.Without, l.LeftOut = stat.UndefinedRate(unseen), stat.UndefinedRate(unseen), map[string]int{}
		l.Kappa.Undefined, l.AC1.Undefined = unseen, unseen
		l.Kappa.N, l.AC1.N = 0, 0
		if l.Known != nil {
			hidden := stat.UndefinedRate(unseen)
			l.Known, l.ErrorRate = &hidden, nil
		}
		out.People[i] = l
	}
	return &out
}

// eachItemBehind yields the items behind a figure: Agree, Disagree or Excluded of a
// Person beside the others, or beside one Other; of nobody, those on which
// people differ (Disagree) or all who are compared agree.
func (r *AnnotatorsRow) eachItemBehind(s report.Selection) iter.Seq[annotate.ItemKey] {
	return func(yield func(annotate.ItemKey) bool) {
		if r.work == nil {
			return
		}
		part := FigureParamsOf(&s)
		for i := range r.work.items {
			t := &r.work.items[i]
			which, why := r.work.figureOf(t, part.Person, part.Other)
			if which == "" || which != s.Which || which == Excluded && part.Reason != "" && part.Reason != why {
				continue
			}
			if !yield(t.key) {
				return
			}
		}
	}
}

func (c *queueWork) figureOf(t *itemLabels, person, other annotate.Annotator) (report.Which, string) {
	if person == "" {
		l := t.newItemLine()
		switch {
		case l.Agreement.N == 0:
			return "", ""
		case l.Agreement.Value < 1:
			return report.Disagree, ""
		}
		return report.Agree, ""
	}
	a, b := c.labelOf(t, person), c.labelOf(t, other)
	if a == nil || other != "" && b == nil {
		return "", ""
	}
	var class, why string
	if other == "" {
		class, why = c.othersWord(t, a)
	} else if why = cmp.Or(a.whyExcluded(), b.whyExcluded()); why == "" {
		class = b.class
	}
	switch {
	case why != "":
		return Excluded, why
	case class == a.class:
		return report.Agree, ""
	}
	return report.Disagree, ""
}

func (c *queueWork) labelOf(t *itemLabels, who annotate.Annotator) *personLabel {
	return eval.Find(t.said, func(l *personLabel) bool { return c.people[l.who].who == who })
}

// KeysBehind lists the predictions that a selection counts.
func (r *AnnotatorsRow) KeysBehind(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return report.SelectKeys(r.eachItemBehind(s), func(k annotate.ItemKey) (eval.Key, bool) { return k.Key, true })
}

// PairsBehind lists the pairs of responses that a selection counts.
func (r *AnnotatorsRow) PairsBehind(s report.Selection) iter.Seq[eval.Pair] {
	return func(yield func(eval.Pair) bool) {
		for k := range r.eachItemBehind(s) {
			if k.Against != 0 && !yield(eval.Pair{Sample: k.Sample, First: k.Run, Second: k.Against}) {
				return
			}
		}
	}
}

func (r *AnnotatorsRow) listNotes() []string {
	classes := "one option, or none of them"
	switch {
	case r.Votes:
		classes = "the answer that is preferred, or neither"
	case r.work.scored:
		classes = "the score"
	}
	notes := []string{
		fmt.Sprintf("What people say of an item is %s. Labels of excluded items, and those given after the reveal, are left out of agreement and counted.", classes),
		fmt.Sprintf("With others: a person's label beside the word of the others on the item (%s), their own left aside. "+
			"Others among themselves: the same of all labels of the others, as if the person had labelled nothing.", annotate.DescribePolicies(r.Policy, r.Undecided)),
		fmt.Sprintf("Who differs is named when the upper end of the interval with the others lies below the rate of the others among themselves, by %s points or more between the two rates, from %d items on. "+
			"About one of forty people who are like the others comes out so by chance, and who differs may be the one who reads the guideline right.", table.FormatPercent(outlierGap), outlierItems),
		fmt.Sprintf("Time is the longest of a person's labels on an item, pauses beyond two minutes cut. Who hurries is named when their median is below half of the others' on the same items, from %d items on; "+
			"of each item the others' time is the median of theirs.", outlierItems),
	}
	if r.work.ongoing {
		notes = append(notes, table.SequenceNote)
	}
	notes = append(notes, report.DescribeAddedItems(&r.work.queue, r.work.added)...)
	if r.work.queue.Extra > 0 {
		notes = append(notes, fmt.Sprintf("Agreement of two people or of all together is between those who labelled an item first: who was %s is beside others on contested items alone, and is left out of it.", leftAsked))
	}
	return notes
}
