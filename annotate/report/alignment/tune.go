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

// ListLabelled lists the items of a part on which people have come to a word that counts.
func ListLabelled(ctx context.Context, facts report.Facts, o Options) (keys []eval.Key, err error) {
	o.judgesOnly = true
	rv, err := reviewQueue(ctx, facts, &o)
	if err != nil {
		return nil, err
	}
	for i := range rv.items {
		if _, why := rv.basis.Resolve(&rv.items[i]); why == "" {
			keys = append(keys, rv.items[i].Key.Key)
		}
	}
	return keys, nil
}

// ReportCandidates compares the candidates of a judge with people's labels. Its notes say
// on which samples one reads as people do and each other one does not, and the other
// way round.
func ReportCandidates(ctx context.Context, facts report.Facts, o Options, now string) (report.Report, error) {
	o.judgesOnly, o.Candidates = true, true
	rv, err := reviewQueue(ctx, facts, &o)
	if err != nil {
		return report.Report{}, err
	}
	out, err := rv.reportAlignment(ctx, facts, o)
	if err != nil {
		return out, err
	}
	all := rv.listExtractors(&o)
	at := slices.IndexFunc(all, func(x extractor) bool { return x.Name == now })
	for was := range all {
		if at < 0 || was == at {
			continue
		}
		var fixed, broken []string
		for i := range rv.items {
			it := &rv.items[i]
			a, b := rv.basis.CompareItem(it, &all[was].Extractor), rv.basis.CompareItem(it, &all[at].Extractor)
			if a.LeftOut != "" || b.LeftOut != "" || (a.Alignment == annotate.Aligned) == (b.Alignment == annotate.Aligned) {
				continue
			}
			s, err := facts.Sample(rv.queue.Rule.Dataset, it.Key.Sample)
			if err != nil {
				return out, err
			}
			if name := string(s.ID) + " of " + it.Model; b.Alignment == annotate.Aligned {
				fixed = append(fixed, name)
			} else {
				broken = append(broken, name)
			}
		}
		out.Notes = append(out.Notes, fmt.Sprintf("%s beside %s: fixed %d (%s), broken %d (%s)", now, all[was].Name, len(fixed), strings.Join(fixed, ", "), len(broken), strings.Join(broken, ", ")))
	}
	return out, nil
}

// FindLook gives the agreement with people of an extractor at the last look at the
// held-out part that was saved with it. It is not found where there was none.
func FindLook(saved []annotate.SavedReport, extractor string) (stat.Rate, error) {
	for _, s := range slices.Backward(saved) {
		if !strings.HasSuffix(s.Policy, HeldOut.suffix()) {
			continue
		}
		rows, err := readSavedRows(&s, nil)
		if err != nil {
			return stat.Rate{}, err
		}
		for _, r := range rows {
			if r.Extractor == extractor {
				return r.Alignment, nil
			}
		}
	}
	return stat.Rate{}, eval.NewNotFoundError("a look at the held-out part with %s", extractor)
}
