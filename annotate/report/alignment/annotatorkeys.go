package alignment

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval"
	"concord/eval/stat"
)

const unseen = "hidden until you have answered all"

// Audience is everybody, without what tells of two people or of single items.
func (r *AnnotatorsRow) Audience() report.Audience { return report.InPart }

// Public is the row without what may tell how single items were labelled: every
// two people, each beside the others, and items by name. Work and time stay.
func (r *AnnotatorsRow) Public() report.Row {
	out := *r
	out.Pairs, out.Slowest, out.Contested, out.work = []AnnotatorPair{}, []ItemLine{}, []ItemLine{}, nil
	out.Outliers = []Outlier{}
	for _, p := range r.Outliers {
		if p.Kind == Hurries {
			out.Outliers = append(out.Outliers, p)
		}
	}
	out.People = make([]AnnotatorLine, len(r.People))
	for i, l := range r.People {
		l.Others, l.Without, l.LeftOut = stat.Undefined(unseen), stat.Undefined(unseen), map[string]int{}
		l.Kappa.Undefined, l.AC1.Undefined = unseen, unseen
		l.Kappa.N, l.AC1.N = 0, 0
		if l.Known != nil {
			hidden := stat.Undefined(unseen)
			l.Known, l.ErrorRate = &hidden, nil
		}
		out.People[i] = l
	}
	return &out
}

// pick yields the items behind a figure: Agree, Disagree or Excluded of a
// Person beside the others, or beside one Other; of nobody, those on which
// people differ (Disagree) or all who are compared agree.
func (r *AnnotatorsRow) pick(s report.Selection) iter.Seq[annotate.ItemKey] {
	return func(yield func(annotate.ItemKey) bool) {
		if r.work == nil {
			return
		}
		part := PartOf(&s)
		for i := range r.work.items {
			t := &r.work.items[i]
			which, why := r.work.came(t, part.Person, part.Other)
			if which == "" || which != s.Which || which == Excluded && part.Reason != "" && part.Reason != why {
				continue
			}
			if !yield(t.key) {
				return
			}
		}
	}
}

// came is which figure the item is behind, "" for none.
func (c *queueWork) came(t *task, person, other annotate.Annotator) (report.Which, string) {
	if person == "" {
		l := t.line()
		switch {
		case l.Agreement.N == 0:
			return "", ""
		case l.Agreement.Value < 1:
			return report.Disagree, ""
		}
		return report.Agree, ""
	}
	a, b := c.of(t, person), c.of(t, other)
	if a == nil || other != "" && b == nil {
		return "", ""
	}
	var class, why string
	if other == "" {
		class, why = c.beside(t, a)
	} else if why = cmp.Or(a.between(), b.between()); why == "" {
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

func (c *queueWork) of(t *task, who annotate.Annotator) *mention {
	for i := range t.said {
		if c.people[t.said[i].who].who == who {
			return &t.said[i]
		}
	}
	return nil
}

// Keys lists the predictions that a selection counts.
func (r *AnnotatorsRow) Keys(_ context.Context, _ report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	return func(yield func(eval.Key, error) bool) {
		for k := range r.pick(s) {
			if !yield(k.Key, nil) {
				return
			}
		}
	}
}

// PairsBehind lists the pairs of responses that a selection counts.
func (r *AnnotatorsRow) PairsBehind(s report.Selection) iter.Seq[eval.Pair] {
	return func(yield func(eval.Pair) bool) {
		for k := range r.pick(s) {
			if k.Against != 0 && !yield(eval.Pair{Sample: k.Sample, First: k.Run, Second: k.Against}) {
				return
			}
		}
	}
}

// notes define the figures.
func (r *AnnotatorsRow) notes() []string {
	classes := "one option, or none of them"
	switch {
	case r.Votes:
		classes = "the answer that is preferred, or neither"
	case r.work.scored:
		classes = "the score"
	}
	notes := []string{
		fmt.Sprintf("What people say of an item is %s. Labels of excluded items, and those given after the reveal, are left out of agreement and counted.", classes),
		fmt.Sprintf("With others: a person's label beside the word of the others on the item (%s; without one: %s), their own left aside. "+
			"Others among themselves: the same of all labels of the others, as if the person had labelled nothing.", r.Policy, r.Undecided),
		fmt.Sprintf("Who differs is named when the upper end of the interval with the others lies below the rate of the others among themselves, by %s points or more between the two rates, from %d items on. "+
			"About one of forty people who are like the others comes out so by chance, and who differs may be the one who reads the guideline right.", table.Percent(outlierGap), outlierItems),
		fmt.Sprintf("Time is the longest of a person's labels on an item, pauses beyond two minutes cut. Who hurries is named when their median is below half of the others' on the same items, from %d items on; "+
			"of each item the others' time is the median of theirs.", outlierItems),
	}
	if r.work.ongoing {
		notes = append(notes, table.SequenceNote)
	}
	notes = append(notes, report.LearningNotes(&r.work.queue, r.work.added)...)
	if r.work.queue.Extra > 0 {
		notes = append(notes, fmt.Sprintf("Agreement of two people or of all together is between those who labelled an item first: who was %s is beside others on contested items alone, and is left out of it.", leftAsked))
	}
	return notes
}
