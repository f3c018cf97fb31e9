package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newImportCurationCmd(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "curation FILE --dataset NAME",
		Short: "Import what experts say of samples: verdicts, axes, rulings",
		Long: `Imports JSON lines {"sample", "annotator", "verdict", "axis"?, "note"?, "at"?,
"act"?}, or the same as CSV, TSV or xlsx. A verdict is needs_image, answerable,
in_question, wrong or duplicate; an axis is a list or a path, as in
"perception / coarse"; act is verdict or, of an adjudicator, ruling. What an
expert says already is left as it is.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(args[0]); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				in := verdictImport{rows: newRows(a, eval.DatasetName(name), args[0]), st: st, experts: make(map[annotate.Annotator]*expertSoFar)}
				if _, err := st.Datasets().Dataset(in.sum.Dataset); err != nil {
					return err
				}
				if err := in.run(cmd.Context()); err != nil {
					return fmt.Errorf("import curation: %w", err)
				}
				return printRowsImported(a, in.sum)
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that is curated (required)")
	a.require(cmd, "dataset")
	return cmd
}

// verdictImport turns rows of a file into acts.
type verdictImport struct {
	*rows
	st      *store.Store
	experts map[annotate.Annotator]*expertSoFar
}

// expertSoFar is where an expert stands, with the acts that are new.
type expertSoFar struct {
	acts   []curation.Act
	stored int
	state  curation.State
}

func (in *verdictImport) run(ctx context.Context) error {
	for row, err := range dataset.ReadVerdicts(in.path) {
		if err == nil {
			err = in.take(&row)
		}
		if err != nil {
			if err := in.skip(row.Line, err); err != nil {
				return err
			}
		}
	}
	for _, who := range slices.Sorted(maps.Keys(in.experts)) {
		x := in.experts[who]
		for part := range slices.Chunk(x.acts[x.stored:], factBatch) {
			if err := in.st.Curation().Append(ctx, part); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *verdictImport) take(row *dataset.VerdictRow) error {
	v, err := curation.ParseVerdict(row.Verdict)
	if err != nil {
		return err
	}
	s, err := in.st.Datasets().SampleByID(in.sum.Dataset, row.Sample)
	if err != nil {
		return err
	}
	who := annotate.Annotator(row.Annotator)
	x := in.experts[who]
	if x == nil {
		acts, err := in.st.Curation().Acts(in.sum.Dataset, who)
		if err != nil {
			return err
		}
		x = &expertSoFar{acts: acts, stored: len(acts), state: curation.Fold(acts)}
		in.experts[who] = x
	}
	at := row.At
	if at.IsZero() {
		at = in.app.now()
	}
	said := x.state.Say(s.Ordinal, curation.Word{Expert: who, Verdict: v, Axis: row.Axis, Note: row.Note, Informed: row.Informed, At: at}, row.Ruling)
	in.sum.Read++
	if len(said) == 0 {
		in.sum.Unchanged++
		return nil
	}
	in.sum.Added++
	for _, act := range said {
		act.Dataset, act.N = in.sum.Dataset, uint32(len(x.acts)+1)
		x.acts = append(x.acts, act)
		x.state.Take(act)
	}
	return nil
}

func newExportCurationCmd(a *app) *cobra.Command {
	var f exportFlags
	var c curateFlags
	cmd := &cobra.Command{
		Use:   "curation",
		Short: "What every expert says of each sample, with what it comes to",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(cmd); err != nil {
				return err
			}
			return runExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
				name, err := c.name(st)
				if err != nil {
					return nil, err
				}
				p, err := newCurating(a, c).panel(name)
				if err != nil {
					return nil, err
				}
				return writeVerdicts(ctx, st, w, f.format, name, p)
			})
		},
	}
	f.add(cmd)
	c.add(cmd)
	return cmd
}

// verdictColumns begin with those that import curation reads.
var verdictColumns = []string{
	"sample", "annotator", "verdict", "axis", "note", "at", "informed", "act", "dataset", "seconds", "imported", "outcome", "votes", "of",
}

func writeVerdicts(ctx context.Context, st *store.Store, w io.Writer, format string, name eval.DatasetName, p curation.Panel) ([]string, error) {
	cases, err := decisions(ctx, st, name, p)
	if err != nil {
		return nil, err
	}
	t, err := dataset.NewTable(w, format, verdictColumns)
	if err != nil {
		return nil, usageError{err}
	}
	for s, serr := range st.Datasets().Samples(ctx, name) {
		if err = serr; err != nil {
			break
		}
		one := cases[s.Ordinal]
		for i := range one.Words {
			err = errors.Join(err, verdictRow(t, name, &s, &one, &one.Words[i], curation.Judged))
		}
		if one.Ruling != nil {
			err = errors.Join(err, verdictRow(t, name, &s, &one, one.Ruling, curation.Ruled))
		}
		if err != nil {
			break
		}
	}
	warnings, cerr := t.Close()
	return warnings, errors.Join(err, cerr)
}

func verdictRow(t *dataset.Table, name eval.DatasetName, s *eval.Sample, c *curation.Case, w *curation.Word, act curation.Kind) error {
	var axis any
	if w.Axis != nil {
		axis = w.Axis
	}
	return t.Write([]any{
		string(s.ID), string(w.Expert), w.Verdict.String(), axis, w.Note, dataset.Moment(w.At), w.Informed, act.String(),
		string(name), w.Spent.Seconds(), w.Imported, c.Decision.Outcome.String(), c.Decision.Votes, c.Decision.Of,
	})
}
