package chronicle

import "concord/annotate/curation"

// Curation tells one expert's acts in a dataset, in their order.
func Curation(acts []curation.Act) []Event {
	out := make([]Event, 0, len(acts))
	for i := range acts {
		a := &acts[i]
		e := Event{
			At: a.At, Who: a.Expert, Dataset: a.Dataset, Item: sampleItem(a.Sample), Sampled: true,
			N: a.N, Target: a.Target, Imported: a.Imported, Kind: Kind(a.Kind.String()),
		}
		if a.Kind != curation.TookBack {
			e.What = curationWords(a)
		} else {
			kind, base := chain(len(acts), a.N, func(n uint32) (uint32, bool) {
				return acts[n-1].Target, acts[n-1].Kind == curation.TookBack
			})
			e.Kind, e.What = kind, string(kind)+" an act"
			if base > 0 {
				e.What = string(kind) + " " + curationWords(&acts[base-1])
			}
		}
		out = append(out, e)
	}
	return out
}

// curationWords are what an act that takes nothing back says.
func curationWords(a *curation.Act) string {
	switch a.Kind {
	case curation.Judged:
		return "verdict " + a.Verdict.String() + seen(a.Informed)
	case curation.Placed:
		return "axis " + path(a.Axis) + seen(a.Informed)
	case curation.Skipped:
		return "skip"
	case curation.Noted:
		return noted(a.Text)
	case curation.Looked:
		return "reveal"
	case curation.Ruled:
		what := "ruling " + a.Verdict.String()
		if a.Axis != nil {
			what += ", axis " + path(a.Axis)
		}
		return what + seen(a.Informed)
	case curation.TookBack, curation.KindUnset:
	}
	return "an act"
}
