package main

import (
	"github.com/spf13/cobra"

	"concord/annotate/curation"
	"concord/annotate/report/quality"
	"concord/eval"
	"concord/store"
)

// inspectionFacts shows the store as the report on inspectors wants to read it.
type inspectionFacts struct{ curationFacts }

var _ quality.InspectionFacts = inspectionFacts{}

func (f inspectionFacts) Inspections() ([]curation.Inspection, error) {
	return f.st.Inspections().List()
}

func newInspectorsReportCmd(a *app) *cobra.Command {
	var o quality.InspectorOptions
	var c curateFlags
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
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := formatOf(&format, a.json); err != nil {
				return err
			}
			if err := c.check(cmd); err != nil {
				return err
			}
			o.Dataset, o.Change, o.Panel = eval.DatasetName(dataset), changed(cmd, &set), newCurating(a, c).panel
			return a.read(cmd.Context(), func(st *store.Store) error {
				r, err := quality.Inspectors(cmd.Context(), inspectionFacts{curationFacts{st}}, o)
				if err != nil {
					return err
				}
				return a.render(r, format)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&o.Inspection, "inspection", "", "only the one of this `name`")
	fs.StringVar(&dataset, "dataset", "", "only those of this dataset")
	c.addExperts(cmd, ", of those accepted")
	fs.StringVar(&format, "format", "table", "table, json, csv, markdown, latex or html")
	addThresholds(cmd, &set)
	return cmd
}

// changed sets the thresholds that flags were given for; nil when none was.
func changed(cmd *cobra.Command, set *curation.Settings) func(*curation.Settings) {
	var given []thresholdFlag
	for _, t := range thresholdFlags() {
		if cmd.Flags().Changed(t.name) {
			given = append(given, t)
		}
	}
	if given == nil {
		return nil
	}
	return func(s *curation.Settings) {
		for _, t := range given {
			*t.of(s) = *t.of(set)
		}
	}
}
