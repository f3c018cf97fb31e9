package audit

import (
	"iter"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

// Criteria tells the acts on the criteria of a dataset's samples, which come
// sample by sample, each in its order.
func Criteria(acts iter.Seq2[criteria.Act, error]) ([]Event, error) {
	var all [][]Event
	var of []criteria.Act // of the present sample
	flush := func() {
		if len(of) > 0 {
			all = append(all, ofSample(of))
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
	return Sorted(all), nil
}

func ofSample(acts []criteria.Act) []Event {
	return recount(len(acts), func(i int) (Event, bool) {
		a := &acts[i]
		return Event{
			At: a.At, Who: a.Who, Dataset: a.Dataset, Item: sampleItem(a.Sample), Sampled: true,
			N: a.N, Target: a.Target, Imported: a.Imported, Kind: Kind(a.Kind.String()),
		}, a.Kind == criteria.TookBack
	}, func(i int) string { return criteriaWords(&acts[i]) })
}

// recount tells n acts about samples, numbered from 1 without gaps: event is what
// an act has in common with others, and whether it takes another back; words are
// what one says that takes nothing back.
func recount(n int, event func(i int) (e Event, tookBack bool), words func(i int) string) []Event {
	out := make([]Event, 0, n)
	for i := range n {
		e, tookBack := event(i)
		if !tookBack {
			e.What = words(i)
			out = append(out, e)
			continue
		}
		kind, base := chain(n, e.N, func(of uint32) (uint32, bool) {
			a, back := event(int(of) - 1)
			return a.Target, back
		})
		e.Kind, e.What = kind, string(kind)+" an act"
		if base > 0 {
			e.What = string(kind) + " " + words(int(base)-1)
		}
		out = append(out, e)
	}
	return out
}

func sampleItem(o eval.Ordinal) annotate.ItemKey {
	return annotate.ItemKey{Key: eval.Key{Sample: o}}
}

// chain follows an act that takes back to what it ends at, among acts that are
// numbered from 1 without gaps: undo or redo, and the number; 0 for none.
func chain(acts int, n uint32, back func(n uint32) (target uint32, takes bool)) (Kind, uint32) {
	kind := Redo
	for n > 0 && int(n) <= acts {
		target, takes := back(n)
		if !takes {
			return kind, n
		}
		if kind = other(kind); target >= n {
			break
		}
		n = target
	}
	return kind, 0
}

// criteriaWords are what an act that takes nothing back says.
func criteriaWords(a *criteria.Act) string {
	switch a.Kind {
	case criteria.Drafted:
		return "draft of " + plural(len(a.Criteria), "criterion", "criteria")
	case criteria.Revised:
		return "revise: " + a.Reason
	case criteria.Submitted:
		return "submit for review"
	case criteria.Commented:
		return "comment: " + a.Text
	case criteria.RequestedChanges:
		return "request changes: " + a.Text
	case criteria.Accepted:
		return with("accept", a.Text)
	case criteria.Verified:
		return with("verify", a.Text)
	case criteria.Discarded:
		return "discard the sample: " + a.Reason
	case criteria.Replaced:
		return "replace by sample " + string(a.Other)
	case criteria.TypeSet:
		return with("type "+a.Type.String(), a.Reason)
	case criteria.Assigned:
		if a.Assignee == "" {
			return "assign to nobody"
		}
		return "assign to " + string(a.Assignee)
	case criteria.TookBack, criteria.KindUnset:
	}
	return "an act"
}

func with(what, text string) string {
	if text == "" {
		return what
	}
	return what + ": " + text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func path(levels []string) string { return strings.Join(levels, " / ") }
