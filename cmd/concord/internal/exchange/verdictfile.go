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

// verdictImporter turns rows of a file into acts.
type verdictImporter struct {
	*RowCounter
	st      *store.Store
	experts *actLedger[curation.Act, curation.State]
}

// ImportVerdicts takes a file of what experts say of samples.
func ImportVerdicts(ctx context.Context, st *store.Store, rows *RowCounter) error {
	stored := func(who annotate.Annotator) ([]curation.Act, error) { return st.Curation().Acts(rows.Sum.Dataset, who) }
	in := &verdictImporter{rows, st, newLedger(stored, curation.FoldActs, st.Curation().Append)}
	err := EachRow(in.RowCounter, rowfile.ReadVerdicts(in.Path), func(r *rowfile.VerdictRow) int { return r.Line }, in.importRow)
	if err != nil {
		return err
	}
	return in.experts.commitNew(ctx)
}

func (in *verdictImporter) importRow(row *rowfile.VerdictRow) error {
	v, err := curation.ParseVerdict(row.Verdict)
	if err != nil {
		return err
	}
	s, err := in.st.Datasets().SampleByID(in.Sum.Dataset, row.Sample)
	if err != nil {
		return err
	}
	who := annotate.Annotator(row.Annotator)
	x, err := in.experts.streamOf(who)
	if err != nil {
		return err
	}
	said := x.state.ActsToSay(s.Ordinal, curation.ExpertWord{Expert: who, Verdict: v, Axis: row.Axis, Note: row.Note, Informed: row.Informed, At: in.TimeOrNow(row.At)}, row.Ruling)
	in.Sum.Read++
	if len(said) == 0 {
		in.Sum.Unchanged++
		return nil
	}
	in.Sum.Added++
	for _, act := range said {
		act.Dataset, act.N = in.Sum.Dataset, x.nextNumber()
		x.acts = append(x.acts, act)
		x.state.AddAct(act)
	}
	return nil
}

// verdictColumns begin with those that import curation reads.
var verdictColumns = []string{
	"sample", "annotator", "verdict", "axis", "note", "at", "informed", "act", "dataset", "seconds", "imported", "outcome", "votes", "of",
}

// WriteVerdicts writes what experts said of the candidates of a dataset.
func WriteVerdicts(ctx context.Context, st *store.Store, w io.Writer, format string, name eval.DatasetName, p curation.Panel) ([]string, error) {
	cases, err := curating.CasesBySample(ctx, st, name, p)
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
				err = errors.Join(err, writeVerdictRow(t, name, &s, &one, &one.Words[i], curation.Judged))
			}
			if one.Ruling != nil {
				err = errors.Join(err, writeVerdictRow(t, name, &s, &one, one.Ruling, curation.Ruled))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func writeVerdictRow(t *tablefile.Table, name eval.DatasetName, s *eval.Sample, c *curation.Case, w *curation.ExpertWord, act curation.Kind) error {
	var axis any
	if w.Axis != nil {
		axis = w.Axis
	}
	return t.Write([]any{
		string(s.ID), string(w.Expert), w.Verdict.String(), axis, w.Note, export.FormatTimestamp(w.At), w.Informed, act.String(),
		string(name), w.Spent.Seconds(), w.Imported, c.Decision.Outcome.String(), c.Decision.Votes, c.Decision.Of,
	})
}
