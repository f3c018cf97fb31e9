package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

// TakePredictions checks the file before a project is made for it.
func TakePredictions(a *project.Project, cmd *cobra.Command, path string, o dataset.PredictionOptions) error {
	if err := KnownFormat(o.Format); err != nil {
		return err
	}
	if err := cli.CheckReadable(path); err != nil {
		return err
	}
	log := o.Dataset == ""
	if log {
		var err error
		if o.Dataset, err = namedByLog(cmd, path, o.Format); err != nil {
			return err
		}
	}
	return a.Write(cmd.Context(), true, func(st *store.Store) error {
		if log {
			if err := sameDataset(a, st, &o); err != nil {
				return err
			}
		}
		return importPredictions(a, cmd, st, path, o)
	})
}

// namedByLog is the dataset that a log names.
func namedByLog(cmd *cobra.Command, path, format string) (eval.DatasetName, error) {
	name, err := dataset.NamedDataset(cmd.Context(), path, format)
	switch {
	case err != nil:
		return "", fmt.Errorf("import %s: %w", path, err)
	case name == "":
		return "", cli.Usage(fmt.Errorf("--dataset is missing, and the file is no log that names one (see: %s --help)", cmd.CommandPath()))
	}
	return name, nil
}

// sameDataset takes the project's own dataset for one that a log names in
// other letters: lmms-eval's task mme is MME.
func sameDataset(a *project.Project, st *store.Store, o *dataset.PredictionOptions) error {
	all, err := st.Datasets().List()
	if err != nil {
		return err
	}
	named := o.Dataset
	for _, d := range all {
		if d.Name == named {
			o.Dataset = named
			break
		}
		if strings.EqualFold(string(d.Name), string(named)) {
			o.Dataset = d.Name
		}
	}
	_, _ = fmt.Fprintf(a.Err, "concord: the log names the dataset %s: predictions go to %s (--dataset names another)\n",
		cli.Visible(string(named)), cli.Visible(string(o.Dataset)))
	return nil
}

// PredictionSink is what an import of predictions writes to.
type PredictionSink struct {
	*store.Datasets
	*store.Runs
	Judgments *store.Judgments
}

var _ dataset.JudgmentSink = PredictionSink{}

// PutJudgments keeps what a log's own scorers read.
func (p PredictionSink) PutJudgments(ctx context.Context, all []eval.Judgment) (added int, err error) {
	return p.Judgments.Put(ctx, all)
}

func importPredictions(a *project.Project, cmd *cobra.Command, st *store.Store, path string, o dataset.PredictionOptions) error {
	m := a.Progress("loading " + path)
	problems := NewProblems(a)
	o.Progress, o.Skipped, o.Now = m.Bytes, problems.Add, a.Now
	sum, err := dataset.ImportPredictions(cmd.Context(), PredictionSink{st.Datasets(), st.Runs(), st.Judgments()}, path, o)
	m.Done()
	problems.Tell()
	switch {
	case errors.Is(err, dataset.ErrNoModel):
		err = cli.Usage(err)
	case err == nil:
		err = warnTwins(a, st, sum.Run)
	}
	return PrintImported(a, sum, err)
}

// warnTwins says when a run has the same model on the same dataset as another:
// a file that was corrected or renamed makes a run of its own.
func warnTwins(a *project.Project, st *store.Store, id eval.RunID) error {
	all, err := st.Runs().List()
	if err != nil || id == 0 {
		return err
	}
	own, err := st.Runs().Run(id)
	if err != nil {
		return err
	}
	for _, r := range all {
		c := r.Config
		if r.ID != id && c.Dataset == own.Config.Dataset && c.Model == own.Config.Model && c.Modality == own.Config.Modality &&
			c.Settings.Shots == own.Config.Settings.Shots {
			_, _ = fmt.Fprintf(a.Err, "concord: run %d is of the same model on the same dataset (from %s); reports show both, --run %d shows this one\n",
				r.ID, cli.Visible(c.File), id)
		}
	}
	return nil
}

// KnownFormat refuses a format that no file has.
func KnownFormat(format string) error {
	if format == "" || slices.Contains(dataset.Formats(), format) {
		return nil
	}
	return cli.Usage(fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(dataset.Formats(), ", ")))
}
