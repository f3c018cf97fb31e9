package catalogue

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/eval"
)

// OfQueue are the reports on one queue: how its people work and, where they
// label, the alignment by their majority and by adjudicators' rulings, with the
// alignments that were saved. Word is the queue's name in the name of a file.
func OfQueue(q *annotate.Queue, word string) []Kind {
	name, title := q.Name, string(q.Name)
	of := func(command string) []string { return []string{command, "--queue", title} }
	out := []Kind{{
		Name: "annotators-" + word, Title: "How the people of queue " + title + " work", Args: of("annotators"),
		Build: func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
			return alignment.Annotators(ctx, f, alignment.AnnotatorOptions{Queue: name, Policy: annotate.Majority, Undecided: annotate.Dropped})
		},
	}}
	if q.ForLabels() != nil {
		return out
	}
	out = append(out, Kind{
		Name: "calibrations-" + word, Title: "How saved alignments on queue " + title + " moved", Args: of("calibrations"),
		Build: func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
			return alignment.Calibrations(ctx, f, alignment.CalibrationOptions{Queue: name})
		},
	})
	for _, p := range []annotate.Policy{annotate.Majority, annotate.Adjudicated} {
		k := Kind{
			Name: "alignment-" + word, Title: "Alignment with people on queue " + title + ", " + p.String(), Args: of("alignment"),
			Build: func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
				return adjudicated(ctx, f, alignment.Options{Queue: name, Policy: p})
			},
		}
		if p == annotate.Adjudicated {
			k.Name, k.Args = k.Name+"-adjudicated", append(k.Args, "--policy", p.String())
		}
		out = append(out, k)
	}
	return out
}

// adjudicated is the alignment on a queue; by adjudicators only where any has
// ruled.
func adjudicated(ctx context.Context, f Facts, o alignment.Options) (report.Report, error) {
	r, err := alignment.Alignment(ctx, f, o)
	if err != nil || o.Policy != annotate.Adjudicated {
		return r, err
	}
	for _, row := range r.Rows {
		if al, ok := row.(*alignment.Row); ok && al.Adjudicated != nil {
			return r, nil
		}
	}
	return report.Report{}, fmt.Errorf("find an adjudicator's ruling in queue %s: %w", o.Queue, eval.ErrNotFound)
}
