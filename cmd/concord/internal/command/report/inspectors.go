package report

import (
	"github.com/spf13/cobra"

	"concord/annotate/curation"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// InspectionFacts shows the store as the report on inspectors wants to read it.
type InspectionFacts struct{ curating.Source }

var _ quality.InspectionFacts = InspectionFacts{}

// Inspections lists the inspections of the project.
func (f InspectionFacts) Inspections() ([]curation.Inspection, error) {
	return f.Store.Inspections().List()
}

func newInspectorsReportCmd(a *project.Project) *cobra.Command {
	var o quality.InspectorOptions
	var c curating.Flags
	var set curation.Settings
	var dataset, format string
	cmd := &cobra.Command{
		Use:   "inspectors",
		Short: "What models answer without the picture: hits, abnormal hits, what filters drop, difficulty, the funnel per source",
		Long: `Prints inspections (concord inspect): how many of the models without the picture
answer each sample, the share of abnormal hits, what the coarse filter and the
majority drop, and of what is kept the difficulty by the models with the picture
(MMStar, Fig. 2 and 4, Sec. 4.1).

With other thresholds everything is derived anew from the counts that are
stored; no model is called, and the inspection stays as it was made.`,
		Example: `  concord report inspectors --inspection pool
  concord report inspectors --inspection pool --keep 3/8 --doubtful 0/16`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckFormat(&format, a.JSON); err != nil {
				return err
			}
			if err := c.Check(cmd); err != nil {
				return err
			}
			o.Dataset, o.Change, o.Panel = eval.DatasetName(dataset), changed(cmd, &set), curating.NewSettings(a, c).Panel
			return a.Read(cmd.Context(), func(st *store.Store) error {
				r, err := quality.Inspectors(cmd.Context(), InspectionFacts{curating.Source{Store: st}}, o)
				if err != nil {
					return err
				}
				return a.Render(r, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.Inspection, "inspection", "", "only the one of this `name`")
	fs.StringVar(&dataset, "dataset", "", "only those of this dataset")
	c.AddExperts(cmd, ", of those accepted")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown, latex or html")
	curating.AddThresholds(cmd, &set)
	return cmd
}

// changed sets the thresholds that flags were given for; nil when none was.
func changed(cmd *cobra.Command, set *curation.Settings) func(*curation.Settings) {
	var given []curating.ThresholdFlag
	for _, t := range curating.ThresholdFlags() {
		if cmd.Flags().Changed(t.Name) {
			given = append(given, t)
		}
	}
	if given == nil {
		return nil
	}
	return func(s *curation.Settings) {
		for _, t := range given {
			*t.Of(s) = *t.Of(set)
		}
	}
}
