package exchange

import (
	"context"
	"errors"
	"io"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/curating"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
	"concord/store"
)

// verdictImport turns rows of a file into acts.
type verdictImport struct {
	*Rows
	st      *store.Store
	experts *ledger[curation.Act, curation.State]
}

// ImportVerdicts takes a file of what experts say of samples.
func ImportVerdicts(ctx context.Context, st *store.Store, rows *Rows) error {
	stored := func(who annotate.Annotator) ([]curation.Act, error) { return st.Curation().Acts(rows.Sum.Dataset, who) }
	in := &verdictImport{rows, st, newLedger(stored, curation.Fold, st.Curation().Append)}
	err := Each(in.Rows, rowfile.ReadVerdicts(in.Path), func(r *rowfile.VerdictRow) int { return r.Line }, in.take)
	if err != nil {
		return err
	}
	return in.experts.commit(ctx)
}

func (in *verdictImport) take(row *rowfile.VerdictRow) error {
	v, err := curation.ParseVerdict(row.Verdict)
	if err != nil {
		return err
	}
	s, err := in.st.Datasets().SampleByID(in.Sum.Dataset, row.Sample)
	if err != nil {
		return err
	}
	who := annotate.Annotator(row.Annotator)
	x, err := in.experts.account(who)
	if err != nil {
		return err
	}
	said := x.state.Say(s.Ordinal, curation.Word{Expert: who, Verdict: v, Axis: row.Axis, Note: row.Note, Informed: row.Informed, At: in.At(row.At)}, row.Ruling)
	in.Sum.Read++
	if len(said) == 0 {
		in.Sum.Unchanged++
		return nil
	}
	in.Sum.Added++
	for _, act := range said {
		act.Dataset, act.N = in.Sum.Dataset, x.next()
		x.acts = append(x.acts, act)
		x.state.Take(act)
	}
	return nil
}

// verdictColumns begin with those that import curation reads.
var verdictColumns = []string{
	"sample", "annotator", "verdict", "axis", "note", "at", "informed", "act", "dataset", "seconds", "imported", "outcome", "votes", "of",
}

// WriteVerdicts writes what experts said of the candidates of a dataset.
func WriteVerdicts(ctx context.Context, st *store.Store, w io.Writer, format string, name eval.DatasetName, p curation.Panel) ([]string, error) {
	cases, err := curating.Decisions(ctx, st, name, p)
	if err != nil {
		return nil, err
	}
	return WriteTable(w, format, verdictColumns, func(t *tablefile.Table) error {
		for s, err := range st.Datasets().Samples(ctx, name) {
			if err != nil {
				return err
			}
			one := cases[s.Ordinal]
			for i := range one.Words {
				err = errors.Join(err, verdictRow(t, name, &s, &one, &one.Words[i], curation.Judged))
			}
			if one.Ruling != nil {
				err = errors.Join(err, verdictRow(t, name, &s, &one, one.Ruling, curation.Ruled))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func verdictRow(t *tablefile.Table, name eval.DatasetName, s *eval.Sample, c *curation.Case, w *curation.Word, act curation.Kind) error {
	var axis any
	if w.Axis != nil {
		axis = w.Axis
	}
	return t.Write([]any{
		string(s.ID), string(w.Expert), w.Verdict.String(), axis, w.Note, export.Timestamp(w.At), w.Informed, act.String(),
		string(name), w.Spent.Seconds(), w.Imported, c.Decision.Outcome.String(), c.Decision.Votes, c.Decision.Of,
	})
}
