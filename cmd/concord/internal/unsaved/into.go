package unsaved

import (
	"context"
	"errors"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/store"
)

// Into stores what fits the project, act by act, and gives how many it took and
// what did not fit. What people did meanwhile stands: a label that others came
// before is kept as too late, as it would have been.
func (u *Acts) Into(ctx context.Context, st *store.Store) (taken int, problems []Problem, err error) {
	note := func(n int, wrong []Problem) {
		taken += n
		problems = append(problems, wrong...)
	}
	for _, one := range streams(u.Queues, func(a *annotate.Act) [2]string { return [2]string{string(a.Queue), string(a.Annotator)} }) {
		stored, err := st.Acts().Acts(one[0].Queue, one[0].Annotator)
		if err != nil {
			return taken, problems, err
		}
		note(fit(ofQueues(), one, stored, func(a *annotate.Act) error { return appendOne(ctx, st, a) }))
	}
	for _, one := range streams(u.Curation, func(a *curation.Act) [2]string { return [2]string{string(a.Dataset), string(a.Expert)} }) {
		stored, err := st.Curation().Acts(one[0].Dataset, one[0].Expert)
		if err != nil {
			return taken, problems, err
		}
		note(fit(ofCuration(), one, stored, func(a *curation.Act) error { return st.Curation().Append(ctx, []curation.Act{*a}) }))
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

// streams are the acts by stream, each in their order.
func streams[A any](all []A, of func(*A) [2]string) (out [][]A) {
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
