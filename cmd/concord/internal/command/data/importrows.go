package data

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

const pictured = "the dataset that the images are of"

func newImportDetectionsCmd(a *project.Project) *cobra.Command {
	return importer{
		use: "detections", short: "Import the objects that a detector found in the images", dataset: pictured, some: true,
		take: func(ctx context.Context, st *store.Store, in *exchange.RowCounter) error {
			once := exchange.OnceByKey[eval.Ordinal]{}
			fact := func(r rowfile.DetectionRow) (eval.Detected, int, error) {
				s, err := st.Datasets().SampleByID(in.Sum.Dataset, r.Sample)
				if err == nil {
					err = once.NoteLine(s.Ordinal, r.Line, "objects of sample %s", r.Sample)
				}
				return eval.Detected{Dataset: in.Sum.Dataset, Sample: s.Ordinal, Objects: r.Objects, At: in.Project.Now()}, r.Line, err
			}
			return exchange.ImportFacts(ctx, in, rowfile.ReadDetections(in.Path), fact, st.Detections().Put)
		},
	}.newCommand(a)
}

func newImportCaptionsCmd(a *project.Project) *cobra.Command {
	return importer{
		use: "captions", short: "Import models' descriptions of the images", dataset: pictured, some: true,
		take: func(ctx context.Context, st *store.Store, in *exchange.RowCounter) error {
			type key struct {
				sample eval.Ordinal
				model  string
			}
			once := exchange.OnceByKey[key]{}
			fact := func(r rowfile.CaptionRow) (eval.Caption, int, error) {
				s, err := st.Datasets().SampleByID(in.Sum.Dataset, r.Sample)
				if err == nil {
					err = once.NoteLine(key{s.Ordinal, r.Model}, r.Line, "the caption of sample %s by %s", r.Sample, r.Model)
				}
				return eval.Caption{Dataset: in.Sum.Dataset, Sample: s.Ordinal, Model: r.Model, Text: r.Text, Call: eval.Call{At: in.Project.Now()}}, r.Line, err
			}
			return exchange.ImportFacts(ctx, in, rowfile.ReadCaptions(in.Path), fact, st.Captions().Put)
		},
	}.newCommand(a)
}

// importLabels takes a file's labels into a queue that is there.
func importLabels(ctx context.Context, a *project.Project, st *store.Store, q annotate.QueueName, path string) error {
	in, err := exchange.NewLabelImport(st, q, path, a)
	if err != nil {
		return err
	}
	for row, err := range rowfile.ReadLabels(path) {
		if err := in.ImportRow(row, err); err != nil {
			return fmt.Errorf("import labels: %w", err)
		}
	}
	if err := in.Commit(ctx); err != nil {
		return fmt.Errorf("import labels: %w", err)
	}
	return exchange.PrintRowsImported(a, in.Sum)
}
