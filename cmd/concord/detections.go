package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newImportDetectionsCmd(a *app) *cobra.Command {
	return newStandInCmd(a, "detections FILE --dataset NAME", "Import the objects that a detector found in the pictures",
		`Imports JSON lines or a JSON array {"sample", "objects": [{"bbox": [x1, y1, x2, y2],
"confidence", "label"}]}, corners in pixels from the picture's upper left: what a
judge is told of in a picture's place, the ten surest of them. A sample in whose
picture nothing was found has an empty list. Other objects than those that a
sample has take their place; the same ones add nothing.`,
		func(ctx context.Context, st *store.Store, in *rows) error {
			once := once[eval.Ordinal]{}
			fact := func(r dataset.DetectionRow) (eval.Detected, int, error) {
				s, err := st.Datasets().SampleByID(in.sum.Dataset, r.Sample)
				if err == nil {
					err = once.take(s.Ordinal, r.Line, "objects of sample %s", r.Sample)
				}
				return eval.Detected{Dataset: in.sum.Dataset, Sample: s.Ordinal, Objects: r.Objects, At: in.app.now()}, r.Line, err
			}
			return importFacts(ctx, in, dataset.ReadDetections(in.path), fact, st.Detections().Put)
		})
}

func newImportCaptionsCmd(a *app) *cobra.Command {
	return newStandInCmd(a, "captions FILE --dataset NAME", "Import models' descriptions of the pictures",
		`Imports JSON lines, CSV, TSV or xlsx {"sample", "caption", "model"}: what a judge
reads in a picture's place. Another caption than the one that a sample has of
that model takes its place; the same one adds nothing.`,
		func(ctx context.Context, st *store.Store, in *rows) error {
			type key struct {
				sample eval.Ordinal
				model  string
			}
			once := once[key]{}
			fact := func(r dataset.CaptionRow) (eval.Caption, int, error) {
				s, err := st.Datasets().SampleByID(in.sum.Dataset, r.Sample)
				if err == nil {
					err = once.take(key{s.Ordinal, r.Model}, r.Line, "the caption of sample %s by %s", r.Sample, r.Model)
				}
				return eval.Caption{Dataset: in.sum.Dataset, Sample: s.Ordinal, Model: r.Model, Text: r.Text, At: in.app.now()}, r.Line, err
			}
			return importFacts(ctx, in, dataset.ReadCaptions(in.path), fact, st.Captions().Put)
		})
}

// newStandInCmd imports what stands for the pictures of a dataset.
func newStandInCmd(a *app, use, short, long string, take func(context.Context, *store.Store, *rows) error) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(args[0]); err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				if _, err := st.Datasets().Dataset(eval.DatasetName(name)); err != nil {
					return err
				}
				in := newRows(a, eval.DatasetName(name), args[0])
				if err := take(cmd.Context(), st, in); err != nil {
					return fmt.Errorf("import %s: %w", cmd.Name(), err)
				}
				if err := printRowsImported(a, in.sum); err != nil || in.sum.Read > 0 || in.sum.Skipped == 0 {
					return err
				}
				return fmt.Errorf("import %s: no row of %s can be taken", cmd.Name(), filepath.Base(args[0]))
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that the pictures are of (required)")
	a.require(cmd, "dataset")
	return cmd
}
