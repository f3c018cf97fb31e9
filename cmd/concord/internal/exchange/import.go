package exchange

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

// CheckAndImportPredictions checks the file before a project is made for it.
func CheckAndImportPredictions(a *project.Project, cmd *cobra.Command, path string, o dataset.PredictionOptions) error {
	if err := RequireKnownFormat(o.Format); err != nil {
		return err
	}
	if err := cli.CheckReadable(path); err != nil {
		return err
	}
	log := o.Dataset == ""
	if log {
		var err error
		if o.Dataset, err = readLogDataset(cmd, path, o.Format); err != nil {
			return err
		}
	}
	return a.WriteStore(cmd.Context(), true, func(st *store.Store) error {
		if log {
			if err := matchDatasetName(a, st, &o); err != nil {
				return err
			}
		}
		return importPredictions(a, cmd, st, path, o)
	})
}

func readLogDataset(cmd *cobra.Command, path, format string) (eval.DatasetName, error) {
	name, err := dataset.ReadDatasetName(cmd.Context(), path, format)
	switch {
	case err != nil:
		return "", fmt.Errorf("import %s: %w", path, err)
	case name == "":
		return "", cli.NewUsageError(fmt.Errorf("--dataset is missing, and the file is no log that names one (see: %s --help)", cmd.CommandPath()))
	}
	return name, nil
}

// matchDatasetName takes the project's own dataset for one that a log names in
// other letters: lmms-eval's task mme is MME.
func matchDatasetName(a *project.Project, st *store.Store, o *dataset.PredictionOptions) error {
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
		cli.EscapeControls(string(named)), cli.EscapeControls(string(o.Dataset)))
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

// collectAt is the garbage, in percent of what is live, at which it is collected while
// readings of a million predictions are kept: as while rows are imported.
const collectAt = 20

func importPredictions(a *project.Project, cmd *cobra.Command, st *store.Store, path string, o dataset.PredictionOptions) error {
	m := a.NewProgress("loading " + path)
	problems := NewProblemSummary(a)
	o.Progress, o.Skipped, o.Now = m.ShowBytes, problems.CountProblemByKind, a.Now
	sum, err := dataset.ImportPredictions(cmd.Context(), PredictionSink{st.Datasets(), st.Runs(), st.Judgments()}, path, o)
	m.RemoveBar()
	problems.PrintProblems()
	switch {
	case errors.Is(err, dataset.ErrNoModel):
		err = cli.NewUsageError(err)
	case err == nil:
		debug.FreeOSMemory() // of the rows, before their readings take as much
		percent := debug.SetGCPercent(collectAt)
		facts.StoreReadingColumns(cmd.Context(), st, sum.Run)
		debug.SetGCPercent(percent)
		err = warnSameModelRuns(a, st, sum.Run)
	}
	return PrintImported(a, sum, err)
}

// warnSameModelRuns says when a run has the same model on the same dataset as another:
// a file that was corrected or renamed makes a run of its own.
func warnSameModelRuns(a *project.Project, st *store.Store, id eval.RunID) error {
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
				r.ID, cli.EscapeControls(c.File), id)
		}
	}
	return nil
}

// RequireKnownFormat refuses a format that no file has.
func RequireKnownFormat(format string) error {
	if format == "" || slices.Contains(dataset.Formats(), format) {
		return nil
	}
	return cli.NewUsageError(fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(dataset.Formats(), ", ")))
}

// ProblemSummary are what an import says of rows, with a line for each kind of it: the
// first row, and how many more there are.
type ProblemSummary struct {
	tell  func(dataset.Problem)
	order []string
	first map[string]dataset.Problem
	more  map[string]int
}

// NewProblemSummary tells them where the command tells problems.
func NewProblemSummary(a *project.Project) *ProblemSummary {
	return &ProblemSummary{tell: a.PrintSkippedRow, first: map[string]dataset.Problem{}, more: map[string]int{}}
}

// particular is what differs between messages of one kind: quoted texts, numbers.
var particular = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\d+`)

// CountProblemByKind takes a problem.
func (p *ProblemSummary) CountProblemByKind(one dataset.Problem) {
	kind := fmt.Sprint(one.Warning, particular.ReplaceAllString(one.Reason, "#"))
	if _, ok := p.first[kind]; ok {
		p.more[kind]++
		return
	}
	p.order = append(p.order, kind)
	p.first[kind] = one
}

// PrintProblems tells them, in the order of the first rows.
func (p *ProblemSummary) PrintProblems() {
	for _, kind := range p.order {
		one := p.first[kind]
		if n := p.more[kind]; n > 0 {
			one.Reason += fmt.Sprintf(" (and %d more of this kind)", n)
		}
		p.tell(one)
	}
}

// PrintImported prints what an import did: what was kept, also when it ended early, and how many rows could not be.
func PrintImported(a *project.Project, sum dataset.Summary, err error) error {
	if err != nil {
		return err
	}
	columns := DescribeColumns(sum)
	columns += eval.Either(columns != "", "\n", "")
	return a.PrintResult(sum, "%s%s\n", columns, DescribeImport(sum))
}

// DescribeColumns says what the columns of a file were read as, and which nobody reads.
func DescribeColumns(s dataset.Summary) string {
	var read, unread []string
	for _, c := range s.Columns {
		if c.As != c.Name {
			read = append(read, fmt.Sprintf("%s as %s", cli.EscapeControls(c.Name), c.As))
		}
	}
	for _, c := range s.Unread {
		unread = append(unread, fmt.Sprintf("%s (%s)", cli.EscapeControls(c.Name), cli.EscapeControls(c.Example)))
	}
	var out []string
	if len(read) > 0 {
		out = append(out, "columns read: "+strings.Join(read, ", "))
	}
	if len(unread) > 0 {
		out = append(out, "columns that nobody reads, with a value of each: "+strings.Join(unread, ", "))
	}
	return strings.Join(out, "\n")
}

// DescribeImport says in words what an import came to.
func DescribeImport(s dataset.Summary) string {
	out := eval.Either(s.Run != 0, fmt.Sprintf("run %d on ", s.Run), "") + fmt.Sprintf("%s: %s", cli.EscapeControls(string(s.Dataset)), s)
	out += eval.Either(s.Added > 0, fmt.Sprintf(", added %d", s.Added), "")
	out += eval.Either(s.Filled > 0, fmt.Sprintf(", filled %d with what they lacked", s.Filled), "")
	out += joinNonZeroCounts(wordedCount{s.Questions, "questions"}, wordedCount{s.Irregular, "irregular"}, wordedCount{s.NoTruth, "without a ground truth"},
		wordedCount{s.Pictures, "images"}, wordedCount{s.MissingPictures, "missing images"}, wordedCount{s.Warnings, "warnings"})
	out += eval.Either(s.Scored > 0, fmt.Sprintf("; %s counts %d of %d right", cli.EscapeControls(s.Scorer), s.ScoredRight, s.Scored), "")
	out += eval.Either(s.Judgments > 0, fmt.Sprintf(", %d extracted answers of it are kept as a judge's", s.Judgments), "")
	return out
}
