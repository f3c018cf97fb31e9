package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/cmd/concord/config"
	"concord/eval"
	"concord/store"
	"concord/tui/curate"
)

// curateFlags are those of everything that asks what experts' words come to.
// What no flag was given for is as the configuration has it.
type curateFlags struct {
	dataset    string
	inspection string
	experts    int
	targets    []string
	quotas     []criteria.Quota
	look       curate.Look
	given      map[string]bool // flags
}

func (f *curateFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.dataset, "dataset", "", "the dataset that is curated (default: the only one)")
	fs.StringVar(&f.inspection, "inspection", "", "whose candidates are curated, by `name`; none: the whole dataset (default: the dataset's newest inspection, where there is one)")
	fs.StringArrayVar(&f.targets, "target", nil, "how many accepted samples a group is to have: LEVEL=N, as in axis=84, or a `file`")
	f.addExperts(cmd, "")
}

func (f *curateFlags) addExperts(cmd *cobra.Command, of string) {
	cmd.Flags().IntVar(&f.experts, "experts", 1, "how many experts each sample asks for"+of)
}

// check says what is wrong with the flags, and remembers which were given.
func (f *curateFlags) check(cmd *cobra.Command) error {
	f.given = make(map[string]bool)
	for _, name := range []string{"inspection", "experts", "target", "hide-answer", "hide-hits"} {
		f.given[name] = cmd.Flags().Changed(name)
	}
	if f.given["experts"] && f.experts < 1 {
		return usageError{fmt.Errorf("--experts %d: at least one has to decide", f.experts)}
	}
	var err error
	if f.quotas, err = parseQuotas(f.targets); err != nil {
		return usageError{err}
	}
	return nil
}

// name is the dataset that is meant.
func (f *curateFlags) name(st *store.Store) (eval.DatasetName, error) {
	if f.dataset != "" {
		d, err := st.Datasets().Dataset(eval.DatasetName(f.dataset))
		return d.Name, err
	}
	all, err := st.Datasets().List()
	switch {
	case err != nil:
		return "", err
	case len(all) != 1:
		return "", usageError{fmt.Errorf("the project has %d datasets: name one with --dataset", len(all))}
	}
	return all[0].Name, nil
}

// curating tells how datasets are curated: as flags say, else as the
// configuration does.
type curating struct {
	flags curateFlags
	conf  *config.Config
	err   error // why the configuration cannot be read
}

func newCurating(a *app, f curateFlags) curating {
	conf, err := a.config()
	return curating{f, conf, err}
}

// terms are how one dataset is curated.
type terms struct {
	inspection string
	panel      curation.Panel
	targets    []criteria.Quota
	look       curate.Look
}

func (c curating) terms(d eval.DatasetName) (terms, error) {
	if c.err != nil {
		return terms{}, c.err
	}
	f, set := &c.flags, c.conf.Curation(string(d))
	t := terms{inspection: set.Inspection, panel: curation.Panel{Experts: set.Experts}}
	t.look = curate.Look{HideTruth: set.HideAnswer, HideModels: set.HideHits}
	if f.given["inspection"] {
		t.inspection = f.inspection
	}
	if f.given["experts"] {
		t.panel.Experts = f.experts
	}
	if f.given["hide-answer"] {
		t.look.HideTruth = f.look.HideTruth
	}
	if f.given["hide-hits"] {
		t.look.HideModels = f.look.HideModels
	}
	if f.given["target"] {
		t.targets = f.quotas
		return t, nil
	}
	var err error
	if t.targets, err = parseQuotas(set.Targets); err != nil {
		return t, config.Problem{Origin: set.TargetsFrom, Key: "targets of curation", Text: err.Error()}
	}
	return t, nil
}

// panel is how many experts decide on a dataset's samples.
func (c curating) panel(d eval.DatasetName) (curation.Panel, error) {
	t, err := c.terms(d)
	return t.panel, err
}

// wholeDataset asks for no inspection.
const wholeDataset = "none"

// candidates are the inspection whose candidates are curated; nil: the whole
// dataset is.
func (t *terms) candidates(st *store.Store, d eval.DatasetName) (*curation.Inspection, error) {
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
