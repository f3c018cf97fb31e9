package data

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
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
					err = once.NoteFirstLine(s.Ordinal, r.Line, "objects of sample %s", r.Sample)
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
					err = once.NoteFirstLine(key{s.Ordinal, r.Model}, r.Line, "the caption of sample %s by %s", r.Sample, r.Model)
				}
				return eval.Caption{Dataset: in.Sum.Dataset, Sample: s.Ordinal, Model: r.Model, Text: r.Text, Call: eval.Call{At: in.Project.Now()}}, r.Line, err
			}
			return exchange.ImportFacts(ctx, in, rowfile.ReadCaptions(in.Path), fact, st.Captions().Put)
		},
	}.newCommand(a)
}

// importLabelsIntoQueue takes a file's labels into a queue that is there.
func importLabelsIntoQueue(ctx context.Context, a *project.Project, st *store.Store, q annotate.QueueName, path string) error {
	in, err := exchange.NewLabelImport(st, q, path, a)
	if err != nil {
		return err
	}
	for row, err := range rowfile.ReadLabels(path, "") {
		if err := cmp.Or(context.Cause(ctx), in.ImportRow(row, err)); err != nil {
			return fmt.Errorf("import labels: %w", err)
		}
	}
	if err := in.Commit(ctx); err != nil {
		return fmt.Errorf("import labels: %w", err)
	}
	return exchange.PrintRowsImported(a, in.Sum)
}

// exporter is an export: its flags, and what writes the rows.
type exporter struct {
	use, short string
	add        func(*cobra.Command, *exchange.ExportFlags)             // flags beside those of every export; nil: none
	check      func(cmd *cobra.Command, f *exchange.ExportFlags) error // refuses flags before the project is opened; nil: nothing to refuse
	write      func(context.Context, *store.Store, io.Writer, *exchange.ExportFlags) ([]string, error)
}

func (x exporter) newCommand(a *project.Project) *cobra.Command {
	var f exchange.ExportFlags
	cmd := project.NewCmd(x.use, x.short, nil, func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			f.Only = args[0]
		}
		if x.check != nil {
			if err := x.check(cmd, &f); err != nil {
				return err
			}
		}
		return exchange.RunExport(cmd.Context(), a, &f, func(ctx context.Context, st *store.Store, w io.Writer) ([]string, error) {
			return x.write(ctx, st, w, &f)
		})
	})
	f.AddFlags(cmd)
	if x.add != nil {
		x.add(cmd, &f)
	}
	return cmd
}

// addDatasetFlag adds the flag of an export that may be of one dataset alone.
func addDatasetFlag(cmd *cobra.Command, f *exchange.ExportFlags) {
	cmd.Flags().StringVar(&f.Only, "dataset", "", "only this dataset")
}

// importer is an import of a file's rows into a dataset that is there.
type importer struct {
	use, short, dataset string               // dataset: what the flag of that name says
	some                bool                 // a file of which no row can be taken is an error
	add                 func(*cobra.Command) // further flags; nil: none
	take                func(ctx context.Context, st *store.Store, in *exchange.RowCounter) error
}

func (x importer) newCommand(a *project.Project) *cobra.Command {
	var name string
	cmd := project.NewCmd(x.use+" FILE --dataset NAME", x.short, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		if err := cli.CheckReadable(args[0]); err != nil {
			return err
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error {
			if _, err := st.Datasets().Dataset(eval.DatasetName(name)); err != nil {
				return err
			}
			in := exchange.NewRowCounter(a, eval.DatasetName(name), args[0])
			if err := x.take(cmd.Context(), st, in); err != nil {
				return fmt.Errorf("import %s: %w", x.use, err)
			}
			if err := exchange.PrintRowsImported(a, in.Sum); err != nil || !x.some || in.Sum.Read > 0 || in.Sum.Skipped == 0 {
				return err
			}
			return fmt.Errorf("import %s: no row of %s can be taken", x.use, filepath.Base(args[0]))
		})
	})
	cmd.Flags().StringVar(&name, "dataset", "", x.dataset+" (required)")
	if x.add != nil {
		x.add(cmd)
	}
	a.MarkRequiredFlags(cmd, "dataset")
	return cmd
}
