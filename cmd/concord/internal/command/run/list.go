package run

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
	"concord/tui/home"
)

// NewRunCmd makes the command run.
func NewRunCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("run", "List the runs", project.NewShowCmd(a, "list", "List the runs: how far each is, and which workers share it", listRuns))
}

// runLine is a run as run list prints it.
type runLine struct {
	Run         eval.RunID            `json:"run"`
	Dataset     eval.DatasetName      `json:"dataset"`
	Model       string                `json:"model"`
	Strategy    string                `json:"strategy"`
	Modality    string                `json:"modality"`
	State       string                `json:"state"`
	Why         string                `json:"why,omitempty"`
	Questions   int                   `json:"questions"` // that need no further pass
	Total       int                   `json:"total"`
	Predictions int                   `json:"predictions"` // failed calls are none
	Errors      int                   `json:"errors"`
	Rate        float64               `json:"rate"` // answers a second; 0 at rest
	LastError   string                `json:"last_error,omitempty"`
	Workers     []eval.WorkerProgress `json:"workers"`
}

func listRuns(a *project.Project, st *store.Store) error {
	rows, err := view.Overview{Store: st, Live: a.Live}.Runs(context.Background())
	if err != nil {
		return err
	}
	lines := eval.Map(rows, func(r home.Row) runLine {
		p, c := r.Progress, r.Run.Config
		done, total := p.Questions()
		return runLine{
			Run: r.Run.ID, Dataset: c.Dataset, Model: c.Model, Strategy: c.Strategy.String(), Modality: c.Modality.String(), State: home.StateText(r), Why: p.Why,
			Questions: done, Total: total, Predictions: p.Counts.Predictions - p.Counts.Failures, Errors: p.Counts.Failures,
			Rate: eval.Either(p.State == eval.Running, p.Rate, 0), LastError: p.LastFailure, Workers: append([]eval.WorkerProgress{}, p.Workers...),
		}
	})
	if a.JSON {
		return a.WriteJSON(lines)
	}
	table := [][]string{{"run", "model", "dataset", "strategy", "modality", "state", "questions", "errors", "rate"}}
	for _, l := range lines {
		table = append(table, []string{
			strconv.Itoa(int(l.Run)), l.Model, string(l.Dataset), l.Strategy, l.Modality, l.State,
			fmt.Sprintf("%d of %d", l.Questions, l.Total), strconv.Itoa(l.Errors), eval.Either(l.Rate > 0, fmt.Sprintf("%.1f/s", l.Rate), ""),
		})
	}
	if err := cli.WriteColumns(a.Out, table); err != nil {
		return err
	}
	for _, l := range lines {
		for _, w := range l.Workers {
			_, err = fmt.Fprintf(a.Out, "run %d: worker %s at %s: %s, %.1f/s, %d failed%s%s\n", l.Run, cli.EscapeControls(w.Name), cli.EscapeControls(w.Endpoint),
				cli.FormatCount(w.Answered, "answer"), w.Rate, w.Failed, eval.Either(w.State == "", "", ", "+w.State), eval.Either(w.Last == "", "", "; last: "+cli.EscapeControls(w.Last)))
			if err != nil {
				return err
			}
		}
	}
	return nil
}
