package facts

import (
	"context"
	"errors"

	"concord/eval"
	"concord/store"
)

// KeepReadings has what the run's own rules read in it stand in columns, so that
// the first report finds it there. It is derived data: what fails is tried again
// by whoever reads it.
func KeepReadings(ctx context.Context, st *store.Store, id eval.RunID) {
	run, err := st.Runs().Run(id)
	if err != nil {
		return
	}
	reader, err := FindReader(run)
	if err != nil {
		return
	}
	for _, err := range st.Runs().Readings(ctx, run, reader) {
		if err != nil {
			return
		}
	}
}

// CurrentCounts are a run's totals as its rules read it by now, or as they were kept where
// it cannot be read: the rules are not known, or a record is damaged.
func CurrentCounts(ctx context.Context, st *store.Store, run eval.Run) (eval.Counts, error) {
	if reader, err := FindReader(run); err == nil {
		if c, err := CountRun(ctx, st, run, reader); err == nil {
			return c, nil
		}
	}
	return st.Runs().Counts(run.ID)
}

// CountRun counts a run's totals as the reader reads them. Totals of another
// version of the rules are counted anew and kept.
func CountRun(ctx context.Context, st *store.Store, run eval.Run, reader eval.Reader) (eval.Counts, error) {
	c, err := st.Runs().Counts(run.ID)
	if err != nil || c.Predictions == 0 || c.Reader == eval.ReaderID(reader) {
		return c, err
	}
	fresh := eval.Counts{Reader: eval.ReaderID(reader)}
	questions := st.Runs().Questions(ctx, run)
	if run.Config.DecidingJudge() == "" { // no judge has a say
		questions = st.Runs().Readings(ctx, run, reader)
	}
	for q, err := range questions {
		if err != nil {
			return c, err
		}
		fresh.Add(eval.CountQuestion(run.Config, &q, reader))
	}
	if err := st.Runs().SetCounts(ctx, run.ID, c, fresh); err != nil &&
		!errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrReadOnly) {
		return c, err
	}
	fresh.Usage = c.Usage // of failures that answers took the place of, too
	return fresh, nil
}
