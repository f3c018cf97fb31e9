package audit

import "concord/annotate/curation"

// Curation tells one expert's acts in a dataset, in their order.
func Curation(acts []curation.Act) []Event {
	return recount(len(acts), func(i int) (Event, bool) {
		a := &acts[i]
		return Event{
			At: a.At, Who: a.Expert, Dataset: a.Dataset, Item: sampleItem(a.Sample), Sampled: true,
			N: a.N, Target: a.Target, Imported: a.Imported, Kind: Kind(a.Kind.String()),
		}, a.Kind == curation.TookBack
	}, func(i int) string { return curationWords(&acts[i]) })
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
		what := "adjudication " + a.Verdict.String()
		if a.Axis != nil {
			what += ", axis " + path(a.Axis)
		}
		return what + seen(a.Informed)
	case curation.TookBack, curation.KindUnset:
	}
	return "an act"
}
