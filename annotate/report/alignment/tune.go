package alignment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
)

// ListLabelledItems lists the items of a part on which people have come to a word that counts.
func ListLabelledItems(ctx context.Context, facts report.Facts, o Options) (out []Labelled, err error) {
	o.judgesOnly = true
	rv, err := newReviewedQueue(ctx, facts, &o)
	if err != nil {
		return nil, err
	}
	for i := range rv.items {
		if r, why := rv.basis.ResolveItem(&rv.items[i]); why == "" {
			one := rv.shown.labelledItem(rv.items[i].Key.Key)
			one.Class = r.AlignmentClass()
			out = append(out, one)
		}
	}
	return out, nil
}

// Candidate is a prompt of a judge that was tried, as it reads a part of a queue's labels.
type Candidate struct {
	Name          string
	Row           *Row        // over all runs of the queue
	Prompt        string      // hash of the template's text
	Spent         Spending    // on both parts
	Changed       [2][]string // Fixed and Broken by their names
	Fixed, Broken []Labelled  // what it reads as people do and the one before it does not, and the other way round
}

// ListCandidates lists the candidates of a judge in the order in which they were asked first.
func ListCandidates(ctx context.Context, facts report.Facts, o Options) ([]Candidate, error) {
	c, err := newCandidates(ctx, facts, &o)
	if err != nil || len(c.all) == 0 {
		return nil, err
	}
	r, err := c.reportAlignment(ctx, facts, o)
	if err != nil {
		return nil, err
	}
	rows := eval.Either(r.Overall == nil, r.Rows, r.Overall)
	order := make([]int, min(len(c.all), len(rows)))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return c.all[a].first.Compare(c.all[b].first) })
	out := make([]Candidate, len(order))
	for at, i := range order {
		x := &c.all[i]
		out[at] = Candidate{Name: x.Name, Row: rows[i].(*Row), Spent: x.spent}
		if len(x.prompts) > 0 {
			out[at].Prompt = x.prompts[0]
		}
		if at > 0 {
			out[at].Fixed, out[at].Broken = c.compareCandidates(order[at-1], i)
			for n, all := range [][]Labelled{out[at].Fixed, out[at].Broken} {
				if out[at].Changed[n], err = c.nameItems(facts, all); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

// candidates are the extractors that a judge is under the prompts that were tried.
type candidates struct {
	*reviewedQueue
	all []extractor
}

func newCandidates(ctx context.Context, facts report.Facts, o *Options) (c candidates, err error) {
	o.judgesOnly, o.Candidates = true, true
	if c.reviewedQueue, err = newReviewedQueue(ctx, facts, o); err == nil {
		c.all = c.listExtractors(o)
	}
	return c, err
}

// compareCandidates gives the items that one reads as people do and another one does not, and the other way round.
func (c *candidates) compareCandidates(was, now int) (fixed, broken []Labelled) {
	for i := range c.items {
		it := &c.items[i]
		a, b := c.basis.CompareItem(it, &c.all[was].Extractor), c.basis.CompareItem(it, &c.all[now].Extractor)
		switch {
		case a.LeftOut != "" || b.LeftOut != "" || (a.Alignment == annotate.Aligned) == (b.Alignment == annotate.Aligned):
		case b.Alignment == annotate.Aligned:
			fixed = append(fixed, c.shown.labelledItem(it.Key.Key))
		default:
			broken = append(broken, c.shown.labelledItem(it.Key.Key))
		}
	}
	return fixed, broken
}

// ReportCandidates compares the candidates of a judge with people's labels. Its notes say on
// which samples one reads as people do and each other one does not, and the other way round.
func ReportCandidates(ctx context.Context, facts report.Facts, o Options, now string) (report.Report, error) {
	c, err := newCandidates(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out, err := c.reportAlignment(ctx, facts, o)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(c.all, func(x extractor) bool { return x.Name == now })
	for was := range c.all {
		if at < 0 || was == at {
			continue
		}
		fixed, broken := c.compareCandidates(was, at)
		said := make([]string, 0, 2)
		for _, keys := range [][]Labelled{fixed, broken} {
			text := fmt.Sprint(len(keys))
			names, err := c.nameItems(facts, keys)
			if err != nil {
				return out, err
			}
			if len(names) > 0 {
				text += " (" + strings.Join(names, "; ") + ")"
			}
			said = append(said, text)
		}
		out.Notes = append(out.Notes, fmt.Sprintf("%s beside %s: fixed %s, broken %s", now, c.all[was].Name, said[0], said[1]))
	}
	return out, nil
}

// nameItems names what was compared by samples and models.
func (c *candidates) nameItems(facts report.Facts, all []Labelled) (names []string, err error) {
	for _, one := range all {
		s, err := facts.Sample(c.queue.Rule.Dataset, one.Sample)
		if err != nil {
			return nil, err
		}
		name := string(s.ID) + " of " + report.NameRun(c.runs[one.Run])
		if one.Item.Against > 0 {
			name += " against " + report.NameRun(c.runs[one.Item.Against])
		}
		if one.Criterion != "" {
			name += ", criterion " + one.Criterion
		}
		names = append(names, name)
	}
	return names, nil
}

// MeasureHeldOutLooks gives the agreement with people on the held-out part of every extractor of
// which a look at it was saved, with intervals that hold for all of these together.
func MeasureHeldOutLooks(ctx context.Context, facts report.Facts, o Options) (map[string]Look, error) {
	o.Part, o.Judge, o.judgesOnly = HeldOut, "", true
	rv, err := newReviewedQueue(ctx, facts, &o)
	if err != nil {
		return nil, err
	}
	saved, err := facts.SavedReports(o.Queue)
	if err != nil {
		return nil, fmt.Errorf("read saved reports of queue %s: %w", o.Queue, err)
	}
	out, seen := make(map[string]Look), make(map[string]bool)
	for _, s := range ListHeldOutLooks(saved) {
		rows, err := readSavedRows(&s, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if seen[r.Extractor] = true; r.Alignment.N > 0 {
				out[r.Extractor] = Look{Lacking: r.Excluded[annotate.LeftNoReading]}
			}
		}
	}
	for _, x := range rv.listExtractors(&o) {
		lacks := func(it annotate.AlignItem) bool {
			return rv.basis.CompareItem(&it, &x.Extractor).LeftOut == annotate.LeftNoReading
		}
		if look, ok := out[x.Name]; ok && eval.Count(rv.items, lacks) == look.Lacking { // it has read no more of it since
			look.Agreement = RateOfAlignment(rv.items, rv.basis, &x.Extractor, rv.hasLabelsToCome(), len(seen))
			out[x.Name] = look
		}
	}
	return out, nil
}

// Look is a look at the held-out part.
type Look struct {
	Agreement stat.Rate
	Lacking   int // items that the extractor had not read when the look was saved
}

// FindDevelopmentRates gives the agreement with people of extractors in the newest saved
// report of the development part that has all of them; nil where there is none.
func FindDevelopmentRates(saved []annotate.SavedReport, extractors []string) ([]stat.Rate, error) {
	for _, s := range slices.Backward(savedReportsOfPart(saved, Development)) {
		rows, err := readSavedRows(&s, nil)
		if err != nil {
			return nil, err
		}
		by := eval.IndexBy(selectWholeRows(rows), func(r *Row) (string, stat.Rate) { return r.Extractor, r.Alignment })
		if out := eval.Map(extractors, func(name string) stat.Rate { return by[name] }); !slices.ContainsFunc(out, func(r stat.Rate) bool { return r.N == 0 }) {
			return out, nil
		}
	}
	return nil, nil
}
