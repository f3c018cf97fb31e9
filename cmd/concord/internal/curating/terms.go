package curating

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
	"concord/tui/curate"
)

// Flags are those of everything that asks what experts' words come to.
// What no flag was given for is as the configuration has it.
type Flags struct {
	Dataset    string
	Inspection string
	experts    int
	Targets    []string
	quotas     []criteria.Quota
	Look       curate.Look
	Given      map[string]bool // flags
}

// Add adds the flags of a panel to a command.
func (f *Flags) Add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.Dataset, "dataset", "", "the dataset that is curated (default: the only one)")
	fs.StringVar(&f.Inspection, "inspection", "", "whose candidates are curated, by `name`; none: the whole dataset (default: the dataset's newest inspection, where there is one)")
	fs.StringArrayVar(&f.Targets, "target", nil, "how many accepted samples a group is to have: LEVEL=N, as in axis=84, or a `file`")
	f.AddExperts(cmd, "")
}

// AddExperts adds the flags that say whose verdicts count.
func (f *Flags) AddExperts(cmd *cobra.Command, of string) {
	cmd.Flags().IntVar(&f.experts, "experts", 1, "how many experts each sample asks for"+of)
}

// Check says what is wrong with the flags, and remembers which were given.
func (f *Flags) Check(cmd *cobra.Command) error {
	f.Given = make(map[string]bool)
	for _, name := range []string{"inspection", "experts", "target", "hide-answer", "hide-correct"} {
		f.Given[name] = cmd.Flags().Changed(name)
	}
	if f.Given["experts"] && f.experts < 1 {
		return cli.Usage(fmt.Errorf("--experts %d: at least one has to decide", f.experts))
	}
	var err error
	if f.quotas, err = ParseQuotas(f.Targets); err != nil {
		return cli.Usage(err)
	}
	return nil
}

// Name is the dataset that is meant.
func (f *Flags) Name(st *store.Store) (eval.DatasetName, error) {
	if f.Dataset != "" {
		d, err := st.Datasets().Dataset(eval.DatasetName(f.Dataset))
		return d.Name, err
	}
	all, err := st.Datasets().List()
	switch {
	case err != nil:
		return "", err
	case len(all) != 1:
		return "", cli.Usage(fmt.Errorf("the project has %d datasets: name one with --dataset", len(all)))
	}
	return all[0].Name, nil
}

// Settings tells how datasets are curated: as flags say, else as the
// configuration does.
type Settings struct {
	Flags Flags
	Conf  *config.Config
	err   error // why the configuration cannot be read
}

// NewSettings makes the settings of a command from its flags and the configuration.
func NewSettings(a *project.Project, f Flags) Settings {
	conf, err := a.Config()
	return Settings{f, conf, err}
}

// Terms are how one dataset is curated.
type Terms struct {
	inspection string
	Panel      curation.Panel
	Targets    []criteria.Quota
	Look       curate.Look
}

// Terms reads the terms of one dataset.
func (c Settings) Terms(d eval.DatasetName) (Terms, error) {
	if c.err != nil {
		return Terms{}, c.err
	}
	f, set := &c.Flags, c.Conf.Curation(string(d))
	t := Terms{inspection: set.Inspection, Panel: curation.Panel{Experts: set.Experts}}
	t.Look = curate.Look{HideTruth: set.HideAnswer, HideModels: set.HideHits}
	if f.Given["inspection"] {
		t.inspection = f.Inspection
	}
	if f.Given["experts"] {
		t.Panel.Experts = f.experts
	}
	if f.Given["hide-answer"] {
		t.Look.HideTruth = f.Look.HideTruth
	}
	if f.Given["hide-correct"] {
		t.Look.HideModels = f.Look.HideModels
	}
	if f.Given["target"] {
		t.Targets = f.quotas
		return t, nil
	}
	var err error
	if t.Targets, err = ParseQuotas(set.Targets); err != nil {
		return t, config.Problem{Origin: set.TargetsFrom, Key: "targets of curation", Text: err.Error()}
	}
	return t, nil
}

// Panel is how many experts decide on a dataset's samples.
func (c Settings) Panel(d eval.DatasetName) (curation.Panel, error) {
	t, err := c.Terms(d)
	return t.Panel, err
}

// wholeDataset asks for no inspection.
const wholeDataset = "none"

// Candidates are the inspection whose candidates are curated; nil: the whole
// dataset is.
func (t *Terms) Candidates(st *store.Store, d eval.DatasetName) (*curation.Inspection, error) {
	if t.inspection == wholeDataset {
		return nil, nil
	}
	all, err := st.Inspections().List()
	if err != nil {
		return nil, err
	}
	for i := range slices.Backward(all) { // the newest first
		if in := &all[i]; in.Dataset == d && (t.inspection == "" || in.Name == t.inspection) {
			return in, nil
		}
	}
	if t.inspection == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("inspection %q of dataset %s: %w", t.inspection, d, eval.ErrNotFound)
}
