package data

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

func newImportDetectionsCmd(a *project.Project) *cobra.Command {
	return newStandInCmd(a, "detections FILE --dataset NAME", "Import the objects that a detector found in the images",
		`Imports JSON lines or a JSON array {"sample", "objects": [{"bbox": [x1, y1, x2, y2],
"confidence", "label"}]}, corners in pixels from the image's upper left: what a
judge is given in an image's place, the ten surest of them. A sample in whose
image nothing was found has an empty list. Other objects than those that a
sample has take their place; the same ones add nothing.`,
		func(ctx context.Context, st *store.Store, in *exchange.Rows) error {
			once := exchange.Once[eval.Ordinal]{}
			fact := func(r rowfile.DetectionRow) (eval.Detected, int, error) {
				s, err := st.Datasets().SampleByID(in.Sum.Dataset, r.Sample)
				if err == nil {
					err = once.Take(s.Ordinal, r.Line, "objects of sample %s", r.Sample)
				}
				return eval.Detected{Dataset: in.Sum.Dataset, Sample: s.Ordinal, Objects: r.Objects, At: in.Project.Now()}, r.Line, err
			}
			return exchange.ImportFacts(ctx, in, rowfile.ReadDetections(in.Path), fact, st.Detections().Put)
		})
}

func newImportCaptionsCmd(a *project.Project) *cobra.Command {
	return newStandInCmd(a, "captions FILE --dataset NAME", "Import models' descriptions of the images",
		`Imports JSON lines, CSV, TSV or xlsx {"sample", "caption", "model"}: what a judge
reads in an image's place. Another caption than the one that a sample has of
that model takes its place; the same one adds nothing.`,
		func(ctx context.Context, st *store.Store, in *exchange.Rows) error {
			type key struct {
				sample eval.Ordinal
				model  string
			}
			once := exchange.Once[key]{}
			fact := func(r rowfile.CaptionRow) (eval.Caption, int, error) {
				s, err := st.Datasets().SampleByID(in.Sum.Dataset, r.Sample)
				if err == nil {
					err = once.Take(key{s.Ordinal, r.Model}, r.Line, "the caption of sample %s by %s", r.Sample, r.Model)
				}
				return eval.Caption{Dataset: in.Sum.Dataset, Sample: s.Ordinal, Model: r.Model, Text: r.Text, At: in.Project.Now()}, r.Line, err
			}
			return exchange.ImportFacts(ctx, in, rowfile.ReadCaptions(in.Path), fact, st.Captions().Put)
		})
}

// newStandInCmd imports what stands for the pictures of a dataset.
func newStandInCmd(a *project.Project, use, short, long string, take func(context.Context, *store.Store, *exchange.Rows) error) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckReadable(args[0]); err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				if _, err := st.Datasets().Dataset(eval.DatasetName(name)); err != nil {
					return err
				}
				in := exchange.NewRows(a, eval.DatasetName(name), args[0])
				if err := take(cmd.Context(), st, in); err != nil {
					return fmt.Errorf("import %s: %w", cmd.Name(), err)
				}
				if err := exchange.PrintRowsImported(a, in.Sum); err != nil || in.Sum.Read > 0 || in.Sum.Skipped == 0 {
					return err
				}
				return fmt.Errorf("import %s: no row of %s can be taken", cmd.Name(), filepath.Base(args[0]))
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that the images are of (required)")
	a.Require(cmd, "dataset")
	return cmd
}
