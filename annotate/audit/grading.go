package audit

import "concord/annotate/rubric"

// Grading tells one person's acts on the criteria of responses to a dataset, in
// their order.
func Grading(acts []rubric.Act) []Event {
	return recount(len(acts), func(i int) (Event, bool) {
		a := &acts[i]
		return Event{
			At: a.At, Who: a.Person, Dataset: a.Dataset, Item: sampleItem(a.Response.Sample), Sampled: true,
			N: a.N, Target: a.Target, Imported: a.Imported, Kind: Kind(a.Kind.String()),
		}, a.Kind == rubric.TookBack
	}, func(i int) string {
		return "grade " + acts[i].Graded.Verdict.String() + " of criterion " + acts[i].Criterion + seen(acts[i].Informed)
	})
}
