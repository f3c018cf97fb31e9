package unsaved

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/store"
)

// numberedActs is an act that is numbered in a stream and may name an earlier one.
type numberedActs[A any] struct {
	n, target func(*A) *uint32
	same      func(a, b *A) bool
	takesBack func(*A) bool
}

func queueActs() numberedActs[annotate.Act] {
	return numberedActs[annotate.Act]{
		n: func(a *annotate.Act) *uint32 { return &a.N }, target: func(a *annotate.Act) *uint32 { return &a.Target },
		takesBack: func(a *annotate.Act) bool { return a.Kind == annotate.TookBack },
		same: func(a, b *annotate.Act) bool {
			return a.Item == b.Item && a.At.UnixMilli() == b.At.UnixMilli() &&
				(a.Kind == b.Kind || b.Kind == annotate.TooLate) && reflect.DeepEqual(a.Reading, b.Reading) && a.Text == b.Text
		},
	}
}

func curationActs() numberedActs[curation.Act] {
	return numberedActs[curation.Act]{
		n: func(a *curation.Act) *uint32 { return &a.N }, target: func(a *curation.Act) *uint32 { return &a.Target },
		takesBack: func(a *curation.Act) bool { return a.Kind == curation.TookBack },
		same: func(a, b *curation.Act) bool {
			return a.Sample == b.Sample && a.At.UnixMilli() == b.At.UnixMilli() && a.Kind == b.Kind && a.Verdict == b.Verdict && a.Text == b.Text
		},
	}
}

// storeFitting hands the acts of one stream to put, numbered so that they follow those that
// are stored: the file may have come back as it was some acts ago. What is stored
// already is left out. An act that takes back one which is not there is a problem,
// one that keeps such a reading says it anew, and what put refuses is a problem and
// takes no number.
func storeFitting[A any](how numberedActs[A], unsaved, stored []A, put func(*A) error) (taken int, problems []Problem) {
	if len(unsaved) == 0 {
		return 0, nil
	}
	next, first := uint32(len(stored))+1, *how.n(&unsaved[0]) //nolint:gosec // streams are numbered so
	follows := first <= next
	moved := make(map[uint32]uint32)
	for _, a := range unsaved {
		was, target := *how.n(&a), how.target(&a)
		if at := findStored(how, &a, stored); at != 0 {
			moved[was] = at
			continue
		}
		now, known := moved[*target]
		switch {
		case *target == 0 || !known && follows && *target < first: // it was stored before, and still is
		case known:
			*target = now
		case how.takesBack(&a):
			problems = append(problems, Problem{Err: fmt.Errorf("act %d takes back act %d, which the project does not have", was, *target)})
			continue
		default:
			*target = 0
		}
		*how.n(&a) = next
		if err := put(&a); err != nil {
			problems = append(problems, Problem{Err: err})
			continue
		}
		moved[was] = next
		next++
		taken++
	}
	return taken, problems
}

// findStored finds the number of the stored act that says the same; 0 for none.
func findStored[A any](how numberedActs[A], a *A, stored []A) uint32 {
	for i := range stored {
		if how.same(a, &stored[i]) {
			return *how.n(&stored[i])
		}
	}
	return 0
}

// StoreInto stores what fits the project, act by act, and gives how many it took and
// what did not fit. What people did meanwhile stands: a label that others came
// before is kept as too late, as it would have been.
func (u *Acts) StoreInto(ctx context.Context, st *store.Store) (taken int, problems []Problem, err error) {
	note := func(n int, wrong []Problem) {
		taken += n
		problems = append(problems, wrong...)
	}
	for _, one := range groupByStream(u.Queues, func(a *annotate.Act) [2]string { return [2]string{string(a.Queue), string(a.Annotator)} }) {
		stored, err := st.Acts().Acts(one[0].Queue, one[0].Annotator)
		if err != nil {
			return taken, problems, err
		}
		note(storeFitting(queueActs(), one, stored, func(a *annotate.Act) error { return appendOne(ctx, st, a) }))
	}
	for _, one := range groupByStream(u.Curation, func(a *curation.Act) [2]string { return [2]string{string(a.Dataset), string(a.Expert)} }) {
		stored, err := st.Curation().Acts(one[0].Dataset, one[0].Expert)
		if err != nil {
			return taken, problems, err
		}
		note(storeFitting(curationActs(), one, stored, func(a *curation.Act) error { return st.Curation().Append(ctx, []curation.Act{*a}) }))
	}
	for i := range u.Criteria {
		if err := st.Criteria().Append(ctx, u.Criteria[i]); err != nil {
			note(0, []Problem{{Err: err}})
			continue
		}
		taken++
	}
	return taken, problems, ctx.Err()
}

// appendOne stores an act, as too late where others came before.
func appendOne(ctx context.Context, st *store.Store, a *annotate.Act) error {
	err := st.Acts().Append(ctx, []annotate.Act{*a})
	var others *annotate.TakenError
	if errors.As(err, &others) {
		a.Kind = annotate.TooLate
		err = st.Acts().Append(ctx, []annotate.Act{*a})
	}
	return err
}

// groupByStream gives the acts by stream, each in their order.
func groupByStream[A any](all []A, of func(*A) [2]string) (out [][]A) {
	at := make(map[[2]string]int)
	for i := range all {
		name := of(&all[i])
		k, ok := at[name]
		if !ok {
			k = len(out)
			at[name] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], all[i])
	}
	return out
}
