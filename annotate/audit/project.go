package audit

import (
	"fmt"
	"slices"
	"strconv"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
)

// People tells the versions of people, which come person by person, the oldest
// first; fingerprint is how a key of theirs is told.
func People(versions []annotate.Person, fingerprint func(key string) string) []Event {
	var all [][]Event
	var was annotate.Person
	for i := range versions {
		p := &versions[i]
		if p.Name != was.Name {
			was = annotate.Person{Name: p.Name}
			all = append(all, nil)
		}
		e := Event{At: p.At, Who: p.By, Kind: Person, What: changed(&was, p, fingerprint)}
		all[len(all)-1] = append(all[len(all)-1], e)
		was = *p
	}
	return Sorted(all)
}

// changed says what a version of a person changed.
func changed(was, now *annotate.Person, fingerprint func(string) string) string {
	var what string
	switch {
	case was.Version == 0 && now.Role == annotate.RoleUnset:
		what = fmt.Sprintf("come in for the first time by the file of keys, as %s", now.Name)
	case was.Role <= annotate.RoleNone && now.Role > annotate.RoleNone:
		what = fmt.Sprintf("let %s in as %s", now.Name, now.Role)
	case now.Role == annotate.RoleNone && was.Role != now.Role:
		what = fmt.Sprintf("let %s in no more (was %s)", now.Name, was.Role)
	case was.Role != now.Role:
		what = fmt.Sprintf("make %s %s (was %s)", now.Name, now.Role, was.Role)
	default:
		what = "change " + string(now.Name)
	}
	for _, k := range now.Keys {
		if !slices.Contains(was.Keys, k) {
			what += ", with key " + fingerprint(k)
		}
	}
	for _, k := range was.Keys {
		if !slices.Contains(now.Keys, k) {
			what += ", without key " + fingerprint(k)
		}
	}
	return what
}

// OfQueue tells that a queue was made, with the versions of its guideline.
func OfQueue(q *annotate.Queue, versions []annotate.Guideline) []Event {
	what := fmt.Sprintf("create the queue: %s, %s, overlap %d", q.Rule.From, q.Stratum, q.Overlap)
	if q.Extra > 0 {
		what += fmt.Sprintf("+%d", q.Extra)
	}
	out := []Event{{At: q.Created, Who: q.By, Kind: Queue, What: what, Queue: q.Name, Dataset: q.Rule.Dataset}}
	for _, g := range versions {
		out = append(out, Event{
			At: g.At, Who: g.By, Kind: Guideline, What: "guideline, version " + strconv.Itoa(g.Version),
			Queue: q.Name, Dataset: q.Rule.Dataset,
		})
	}
	return out
}

// Reports tells the reports that were saved, of which of says the dataset.
func Reports(saved []annotate.SavedReport, of func(annotate.QueueName) eval.DatasetName) []Event {
	out := make([]Event, len(saved))
	for i, r := range saved {
		out[i] = Event{
			At: r.At, Who: r.By, Kind: Report, What: fmt.Sprintf("save report %d: %s, %s", r.ID, r.Name, r.Policy),
			Queue: r.Queue, Dataset: of(r.Queue),
		}
	}
	return out
}

// OfRun tells that a run was begun, or a file of predictions imported. Nobody
// keeps who did it.
func OfRun(r *eval.Run) Event {
	c := &r.Config
	e := Event{At: r.Created, Kind: Run, Dataset: c.Dataset, Item: runItem(r.ID)}
	e.What = fmt.Sprintf("begin run %d: %s, %s", r.ID, c.Strategy, c.Modality)
	if c.Origin == eval.Imported {
		e.Kind, e.Imported = Import, true
		e.What = fmt.Sprintf("import run %d: %s, %s", r.ID, c.Strategy, c.Modality)
		if c.File != "" {
			e.What += ", from " + c.File
		}
	}
	return e
}

func runItem(id eval.RunID) annotate.ItemKey { return annotate.ItemKey{Key: eval.Key{Run: id}} }

// OfDataset tells that there is a dataset; nobody keeps since when.
func OfDataset(d *eval.Dataset) Event {
	what := fmt.Sprintf("dataset of %s", plural(d.Samples, "sample", "samples"))
	if d.Origin != "" {
		what += ", from " + d.Origin
	}
	return Event{Kind: Dataset, What: what, Dataset: d.Name, Imported: d.Origin != ""}
}

// Readings tells that a judge has read answers of a run, or scored them. When
// is told reply by reply, and not of the whole.
func Readings(r *eval.Run, judge, did string, n int) Event {
	return Event{Kind: Judging, What: fmt.Sprintf("judge %s %s %s", judge, did, plural(n, "answer", "answers")), Dataset: r.Config.Dataset, Item: runItem(r.ID)}
}

// Votes tells that a judge has voted on pairs of two runs' answers.
func Votes(d eval.DatasetName, c *eval.ComparisonProgress) Event {
	with := "without"
	if c.Criteria {
		with = "with"
	}
	what := fmt.Sprintf("judge %s voted on %s, %s criteria, %s", c.Judge, plural(c.Counts.Asked(), "pair", "pairs"), with, c.Input)
	if c.Repeat > 0 {
		what += fmt.Sprintf(", repeat %d", c.Repeat)
	}
	item := runItem(c.A)
	item.Against = c.B
	return Event{Kind: Judging, What: what, Dataset: d, Item: item}
}

// OfInspection tells that an inspection was made.
func OfInspection(in *curation.Inspection) Event {
	return Event{
		At: in.Created, Who: in.By, Kind: Inspection, Dataset: in.Dataset,
		What: fmt.Sprintf("inspection %s: %s", in.Name, plural(len(in.Inspectors), "inspector", "inspectors")),
	}
}

// Measured tells that a score measured elsewhere was imported.
func Measured(m *eval.Measure) Event {
	what := fmt.Sprintf("import a score: %s, %s %v", m.Model, m.Metric, m.Value)
	if m.Source != "" {
		what += ", by " + m.Source
	}
	return Event{At: m.At, Kind: Import, What: what, Dataset: eval.DatasetName(m.Benchmark), Imported: true}
}
