package audit

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
)

// PersonEvents tells the versions of people, which come person by person, the oldest
// first; fingerprint is how a key of theirs is told.
func PersonEvents(versions []annotate.Person, fingerprint func(key string) string) []Event {
	var all [][]Event
	var was annotate.Person
	for i := range versions {
		p := &versions[i]
		if p.Name != was.Name {
			was = annotate.Person{Name: p.Name}
			all = append(all, nil)
		}
		e := Event{At: p.At, Who: p.By, Kind: Person, What: describePersonChange(&was, p, fingerprint)}
		all[len(all)-1] = append(all[len(all)-1], e)
		was = *p
	}
	return MergeInMemory(all)
}

func describePersonChange(was, now *annotate.Person, fingerprint func(string) string) string {
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

// QueueEvents tells that a queue was made, with the versions of its guideline.
func QueueEvents(q *annotate.Queue, versions []annotate.Guideline) []Event {
	what := fmt.Sprintf("create the queue: %s, %s, overlap %d", q.Rule.From, q.Stratum, q.Overlap)
	if q.Extra > 0 {
		what += fmt.Sprintf("+%d", q.Extra)
	}
	out := []Event{{At: q.Created, Who: q.By, Kind: Queue, What: what, Queue: q.Name, Dataset: q.Rule.Dataset}}
	return append(out, eval.Map(versions, func(g annotate.Guideline) Event {
		return Event{At: g.At, Who: g.By, Kind: Guideline, What: "guideline, version " + strconv.Itoa(g.Version), Queue: q.Name, Dataset: q.Rule.Dataset}
	})...)
}

// ReportEvents tells the reports that were saved, of which of says the dataset.
func ReportEvents(saved []annotate.SavedReport, of func(annotate.QueueName) eval.DatasetName) []Event {
	return eval.Map(saved, func(r annotate.SavedReport) Event {
		what := eval.Either(r.Name == annotate.Promotion, "promote prompt: "+r.Policy, fmt.Sprintf("save report %d: %s, %s", r.ID, r.Name, annotate.DescribeSavedPolicies(r.Policy)))
		return Event{At: r.At, Who: r.By, Kind: Report, What: what, Queue: r.Queue, Dataset: of(r.Queue)}
	})
}

// NewRunEvent tells that a run was begun, or a file of predictions imported. Nobody keeps who did it.
func NewRunEvent(r *eval.Run) Event {
	c := &r.Config
	e := Event{At: r.Created, Kind: Run, Dataset: c.Dataset, Item: itemKeyOfRun(r.ID)}
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

func itemKeyOfRun(id eval.RunID) annotate.ItemKey { return annotate.ItemKey{Key: eval.Key{Run: id}} }

// NewDatasetEvent tells that there is a dataset; nobody keeps since when.
func NewDatasetEvent(d *eval.Dataset) Event {
	what := fmt.Sprintf("dataset of %s", formatCount(d.Samples, "sample", "samples"))
	if d.Origin != "" {
		what += ", from " + d.Origin
	}
	return Event{Kind: Dataset, What: what, Dataset: d.Name, Imported: d.Origin != ""}
}

// NewReadingsEvent tells that a judge has read answers of a run, or scored them. When
// is told reply by reply, and not of the whole.
func NewReadingsEvent(r *eval.Run, judge, did string, n int) Event {
	return Event{Kind: Judging, What: fmt.Sprintf("%s %s %s", judgeName(judge), did, formatCount(n, "answer", "answers")), Dataset: r.Config.Dataset, Item: itemKeyOfRun(r.ID)}
}

// judgeName names a judge, or a prompt of one that is tried.
func judgeName(name string) string {
	if of := eval.JudgeOfCandidate(name); of != "" {
		return "candidate " + name + ", a prompt of judge " + of + ","
	}
	return "judge " + name
}

// NewVotesEvent tells that a judge has voted on pairs of two runs' answers.
func NewVotesEvent(d eval.DatasetName, c *eval.ComparisonProgress) Event {
	with := eval.Either(c.Criteria, "with", "without")
	what := fmt.Sprintf("%s voted on %s, %s criteria, %s", judgeName(c.Judge), formatCount(c.Counts.CountAsked(), "pair", "pairs"), with, c.Input)
	if c.Repeat > 0 {
		what += fmt.Sprintf(", repeat %d", c.Repeat)
	}
	item := itemKeyOfRun(c.A)
	item.Against = c.B
	return Event{Kind: Judging, What: what, Dataset: d, Item: item}
}

// NewInspectionEvent tells that an inspection was made.
func NewInspectionEvent(in *curation.Inspection) Event {
	return Event{
		At: in.Created, Who: in.By, Kind: Inspection, Dataset: in.Dataset,
		What: fmt.Sprintf("inspection %s: %s", in.Name, formatCount(len(in.Probes), "inspector", "inspectors")),
	}
}

// NewExternalScoreEvent tells that a score measured elsewhere was imported.
func NewExternalScoreEvent(m *eval.ExternalScore) Event {
	what := fmt.Sprintf("import a score: %s, %s %v", m.Model, m.Metric, m.Value)
	if m.Source != "" {
		what += ", by " + m.Source
	}
	return Event{At: m.At, Kind: Import, What: what, Dataset: eval.DatasetName(m.Benchmark), Imported: true}
}

// CriteriaEvents tells the acts on the criteria of a dataset's samples, which come
// sample by sample, each in its order.
func CriteriaEvents(acts iter.Seq2[criteria.Act, error]) ([]Event, error) {
	var all [][]Event
	var of []criteria.Act // of the present sample
	flush := func() {
		if len(of) > 0 {
			all = append(all, eventsOfActs(of, func(a *criteria.Act) Event {
				return newSampleEvent(a.At, a.Who, a.Dataset, a.Sample, a.N, a.Target, a.Imported, a.Kind)
			}, describeCriteriaAct))
			of = of[:0]
		}
	}
	for a, err := range acts {
		if err != nil {
			return nil, err
		}
		if len(of) > 0 && of[0].Sample != a.Sample {
			flush()
		}
		of = append(of, a)
	}
	flush()
	return MergeInMemory(all), nil
}

// eventsOfActs tells acts about samples, numbered from 1 without gaps: event is what all acts have, words
// what one says that takes nothing back. One that takes back is undo or redo of what it ends at.
func eventsOfActs[A any](acts []A, event func(*A) Event, words func(*A) string) []Event {
	out := make([]Event, len(acts))
	for i := range acts {
		out[i] = event(&acts[i])
		kind, base := Redo, i
		for base >= 0 && event(&acts[base]).Kind == Undo {
			kind = oppositeKind(kind)
			target := int(event(&acts[base]).Target) - 1
			base = eval.Either(target < base, target, -1)
		}
		switch {
		case base == i:
			out[i].What = words(&acts[i])
		case base < 0:
			out[i].Kind, out[i].What = kind, string(kind)+" an act"
		default:
			out[i].Kind, out[i].What = kind, string(kind)+" "+words(&acts[base])
		}
	}
	return out
}

// newSampleEvent is what an act about a sample has in common with others.
func newSampleEvent(at time.Time, who annotate.Annotator, d eval.DatasetName, o eval.Ordinal, n, target uint32, imported bool, kind fmt.Stringer) Event {
	return Event{At: at, Who: who, Dataset: d, Item: annotate.ItemKey{Key: eval.Key{Sample: o}}, Sampled: true, N: n, Target: target, Imported: imported, Kind: Kind(kind.String())}
}

// describeCriteriaAct describes what an act that takes nothing back says.
func describeCriteriaAct(a *criteria.Act) string {
	return cmp.Or(map[criteria.Kind]string{
		criteria.Drafted:          "draft of " + formatCount(len(a.Criteria), "criterion", "criteria"),
		criteria.Revised:          "revise: " + a.Reason,
		criteria.Submitted:        "submit for review",
		criteria.Commented:        "comment: " + a.Text,
		criteria.RequestedChanges: "request changes: " + a.Text,
		criteria.Accepted:         appendText("accept", a.Text),
		criteria.Verified:         appendText("verify", a.Text),
		criteria.Discarded:        "discard the sample: " + a.Reason,
		criteria.Replaced:         "replace by sample " + string(a.Other),
		criteria.TypeSet:          appendText("type "+a.Type.String(), a.Reason),
		criteria.Assigned:         "assign to " + cmp.Or(string(a.Assignee), "nobody"),
	}[a.Kind], "an act")
}

func appendText(what, text string) string { return eval.Either(text == "", what, what+": "+text) }

func formatCount(n int, one, many string) string {
	return eval.Either(n == 1, "1 "+one, strconv.Itoa(n)+" "+many)
}

// Seq is a sequence of events in an order of its own.
type Seq = iter.Seq2[Event, error]

// MergeSeqs tells several sequences as one, by time, each in its own order: an event that its clock puts
// before the one ahead of it in its sequence comes right behind that one. Of events of one time those of
// the earlier sequence come first. Each sequence is read one event ahead, and the first error ends all.
func MergeSeqs(all ...Seq) Seq {
	return func(yield func(Event, error) bool) {
		var m seqHeads
		for i, s := range all {
			next, stop := iter.Pull2(s)
			defer stop()
			if err := m.advance(&seqHead{place: i, next: next}); err != nil {
				yield(Event{}, err)
				return
			}
		}
		for len(m) > 0 {
			h := m[0]
			if !yield(h.event, nil) {
				return
			}
			m = slices.Delete(m, 0, 1)
			if err := m.advance(h); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// seqHead is a sequence and the event that it is at.
type seqHead struct {
	event Event
	at    time.Time // never before that of the event ahead of it
	place int
	next  func() (Event, error, bool)
}

// seqHeads are the sequences that are not at their ends, in their order.
type seqHeads []*seqHead

func (m *seqHeads) advance(h *seqHead) error {
	e, err, ok := h.next()
	if !ok || err != nil {
		return err
	}
	if h.event = e; e.At.After(h.at) {
		h.at = e.At
	}
	at, _ := slices.BinarySearchFunc(*m, h, func(a, b *seqHead) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.place, b.place)) })
	*m = slices.Insert(*m, at, h)
	return nil
}

// MergeInMemory is short sequences, all in memory, as Merge would tell them.
func MergeInMemory(all [][]Event) []Event {
	type timed struct {
		Event
		at time.Time
	}
	var out []timed
	for _, seq := range all {
		var at time.Time
		for _, e := range seq {
			if e.At.After(at) {
				at = e.At
			}
			out = append(out, timed{e, at})
		}
	}
	slices.SortStableFunc(out, func(a, b timed) int { return a.at.Compare(b.at) })
	return eval.Map(out, func(t timed) Event { return t.Event })
}

// NewSeq gives a sequence of events that are in memory.
func NewSeq(events []Event) Seq { return eval.WithNilErrors(events) }

// LastEvents are the last n events of a sequence.
func LastEvents(all Seq, n int) ([]Event, error) {
	ring := make([]Event, 0, min(n, 1024))
	at := 0
	for e, err := range all {
		switch {
		case err != nil:
			return nil, err
		case len(ring) < n:
			ring = append(ring, e)
		default:
			ring[at] = e
			at = (at + 1) % n
		}
	}
	return append(slices.Clone(ring[at:]), ring[:at]...), nil
}
