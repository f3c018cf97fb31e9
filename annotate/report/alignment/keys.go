package alignment

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
)

// Keys yields the items of the queue as they stand now, also for a saved row.
func (r *Row) Keys(ctx context.Context, facts report.Facts, s report.Selection) iter.Seq2[eval.Key, error] {
	policy, err := annotate.ParsePolicy(r.Policy)
	if err != nil {
		return report.FailedKeys(err)
	}
	undecided, err := annotate.ParseUndecided(r.Undecided)
	if err != nil {
		return report.FailedKeys(err)
	}
	part := PartOf(&s)
	o := Options{Queue: r.Queue, Policy: policy, Undecided: undecided, Reader: r.ReadAs.Reader}
	for _, name := range []string{r.Extractor, part.With} {
		if rules, ok := strings.CutPrefix(name, report.RulesPrefix); ok {
			o.Rules = append(o.Rules, rules)
		}
	}
	o.judgesOnly = o.Rules == nil
	rv, err := review(ctx, facts, &o)
	if err != nil {
		return report.FailedKeys(err)
	}
	p := picker{Which: s.Which, Part: part, Basis: rv.basis(&o)}
	if part.Person != "" && policy == annotate.DawidSkene {
		p.Policy = annotate.Majority // of one person's word
	}
	all := rv.extractors(&o)
	for name, to := range map[string]**annotate.Extractor{r.Extractor: &p.x, part.With: &p.with} {
		if name == "" {
			continue
		}
		i := slices.IndexFunc(all, func(x extractor) bool { return x.Name == name })
		if i < 0 {
			return report.FailedKeys(fmt.Errorf("find extractor %s: %w", name, eval.ErrNotFound))
		}
		*to = &all[i].Extractor
	}
	return func(yield func(eval.Key, error) bool) {
		for i := range rv.items {
			it := &rv.items[i]
			if r.Run != 0 && it.Key.Run != r.Run || part.Model != "" && it.Model != part.Model || !report.Under(it.Taxonomy, s.Level) {
				continue
			}
			if p.picks(it) && !yield(it.Key.Key, nil) {
				return
			}
		}
	}
}

// picker finds the items behind a figure of an extractor, and of another one
// that it is set beside.
type picker struct {
	report.Which
	Part
	annotate.Basis
	x, with *annotate.Extractor
}

// picks reports whether an item is behind the figure. Those that were added since
// their answer is known are behind none: who looks at them may be labelling
// them.
func (p *picker) picks(it *annotate.AlignItem) bool {
	if it.Gold {
		return false
	}
	switch p.Which {
	case OnlyFirst, OnlySecond:
		a, b := p.Compare(it, p.x), p.Compare(it, p.with)
		first, second := a.Alignment == annotate.Aligned, b.Alignment == annotate.Aligned
		return a.LeftOut == "" && b.LeftOut == "" && first != second && first == (p.Which == OnlyFirst)
	case Adjudicated:
		return it.Ruling != nil
	case CausedBy:
		c := p.Unruled().Compare(it, p.x)
		cause, _ := p.CauseOf(it, p.x)
		return c.Alignment == annotate.CaseTwo && cause == p.Cause
	default: // of people's consensus, or of one person's word
	}
	if p.Person == "" {
		return p.wants(p.Compare(it, p.x))
	}
	own, ok := it.By(p.Person)
	if !ok {
		return false
	}
	c := p.Compare(&own, p.x)
	return c.LeftOut == "" && p.wants(c)
}

// wants reports whether a compared item is behind the figure.
func (p *picker) wants(c annotate.Compared) bool {
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
		return c.SaidByPeople() == p.People && c.SaidByMachine() == p.Machine
	default:
		return false
	}
}
