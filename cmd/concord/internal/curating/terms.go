package curating

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/rowfile"
	"concord/eval/panel"
	"concord/eval/stat"
	"concord/store"
	"concord/tui/curate"
)

// Flags are those of everything that asks what experts' words come to.
// What no flag was given for is as the configuration has it.
type Flags struct {
	Dataset, Inspection string
	experts             int
	Targets             []string
	quotas              []criteria.Quota
	Look                curate.Look
	Given               map[string]bool // flags
}

// AddFlags adds the flags of a panel to a command.
func (f *Flags) AddFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.Dataset, "dataset", "", "the dataset that is curated (default: the only one)")
	fs.StringVar(&f.Inspection, "inspection", "", "whose candidates are curated, by `name`; none: the whole dataset (default: the dataset's newest inspection, where there is one)")
	fs.StringArrayVar(&f.Targets, "target", nil, "how many accepted samples a group is to have: LEVEL=N, as in axis=84, or a `file`")
	f.AddExpertFlags(cmd, "")
}

// AddExpertFlags adds the flags that say whose verdicts count.
func (f *Flags) AddExpertFlags(cmd *cobra.Command, of string) {
	cmd.Flags().IntVar(&f.experts, "experts", 1, "how many experts each sample asks for"+of)
}

// CheckFlags says what is wrong with the flags, and remembers which were given.
func (f *Flags) CheckFlags(cmd *cobra.Command) error {
	f.Given = make(map[string]bool)
	for _, name := range []string{"inspection", "experts", "target", "hide-answer", "hide-correct"} {
		f.Given[name] = cmd.Flags().Changed(name)
	}
	if f.Given["experts"] && f.experts < 1 {
		return cli.NewUsageError(fmt.Errorf("--experts %d: at least one has to decide", f.experts))
	}
	var err error
	if f.quotas, err = ParseQuotas(f.Targets); err != nil {
		return cli.NewUsageError(err)
	}
	return nil
}

// NamedOrOnlyDataset is the dataset that is meant.
func (f *Flags) NamedOrOnlyDataset(st *store.Store) (eval.DatasetName, error) {
	if f.Dataset != "" {
		d, err := st.Datasets().Dataset(eval.DatasetName(f.Dataset))
		return d.Name, err
	}
	all, err := st.Datasets().List()
	switch {
	case err != nil:
		return "", err
	case len(all) != 1:
		return "", cli.NewUsageError(fmt.Errorf("the project has %d datasets: name one with --dataset", len(all)))
	}
	return all[0].Name, nil
}

// Settings tells how datasets are curated: as flags say, else as the configuration does.
type Settings struct {
	Flags Flags
	Conf  *config.Config
	err   error // why the configuration cannot be read
}

// NewSettings makes the settings of a command from its flags and the configuration.
func NewSettings(a *project.Project, f Flags) Settings {
	conf, err := a.LoadConfig()
	return Settings{f, conf, err}
}

// Terms are how one dataset is curated.
type Terms struct {
	inspection string
	Panel      curation.Panel
	Targets    []criteria.Quota
	Look       curate.Look
}

// TermsOfDataset reads the terms of one dataset.
func (c Settings) TermsOfDataset(d eval.DatasetName) (Terms, error) {
	if c.err != nil {
		return Terms{}, c.err
	}
	f, set := &c.Flags, c.Conf.CurationSettings(string(d))
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

// ExpertPanel is how many experts decide on a dataset's samples.
func (c Settings) ExpertPanel(d eval.DatasetName) (curation.Panel, error) {
	t, err := c.TermsOfDataset(d)
	return t.Panel, err
}

// wholeDataset asks for no inspection.
const wholeDataset = "none"

// FindCandidateInspection are the inspection whose candidates are curated; nil: the whole dataset is.
func (t *Terms) FindCandidateInspection(st *store.Store, d eval.DatasetName) (*curation.Inspection, error) {
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

// ParseQuotas reads the values of --quota, in their order.
func ParseQuotas(values []string) ([]criteria.Quota, error) {
	var out []criteria.Quota
	for _, v := range values {
		level, n, ok := strings.Cut(v, "=")
		if _, err := os.Stat(v); err != nil && ok {
			if q, ok := parseGroupQuota(level, n); ok {
				out = append(out, q)
				continue
			}
			l, count, err := annotate.ParseLevelCount(level + ":" + n)
			if err != nil {
				return nil, fmt.Errorf("quota %q: %w", v, err)
			}
			out = append(out, criteria.Quota{Level: l, N: count})
			continue
		}
		for row, err := range rowfile.ReadQuotas(v) {
			if err != nil {
				return nil, fmt.Errorf("quota: %w", err)
			}
			out = append(out, criteria.Quota{Path: row.Path, N: row.N})
		}
	}
	return out, nil
}

func parseGroupQuota(path, n string) (criteria.Quota, bool) {
	levels := strings.Split(path, " / ")
	count, err := strconv.Atoi(strings.TrimSpace(n))
	if err != nil || count < 1 || len(levels) < 2 {
		return criteria.Quota{}, false
	}
	for i := range levels {
		if levels[i] = strings.TrimSpace(levels[i]); levels[i] == "" {
			return criteria.Quota{}, false
		}
	}
	return criteria.Quota{Path: levels, N: count}, true
}

// Source shows the store as reports read it, and how datasets are curated.
type Source struct {
	facts.Source
	How       Settings
	Bootstrap agree.Bootstrap // of the agreement of experts; no Times: Resamples by the first seed
}

var _ catalogue.Facts = Source{}

// NewFactSource shows the store as reports read it, with the panels of judges of the
// configuration. One that cannot be read is told, and there are no panels.
func (c Settings) NewFactSource(errs io.Writer, st *store.Store) facts.Source {
	out, err := facts.NewSource(st), c.err
	if err == nil {
		out.Panels, err = listWeightedPanels(out, c.Conf)
	}
	if err != nil {
		_, _ = fmt.Fprintf(errs, "panels of judges are left out: %s\n", err)
	}
	return out
}

// listWeightedPanels lists the panels of a configuration. The weights of judges are their agreement with people in the newest
// report of the development part of the panel's queue that was saved with all of them; without one they are alike.
func listWeightedPanels(of facts.Source, conf *config.Config) (out []panel.Panel, err error) {
	for _, p := range config.ListConfiguredPanels(conf) {
		if p.Rule == panel.Weighted {
			saved, err := of.SavedReports(p.Queue)
			if err != nil {
				return nil, err
			}
			rates, err := alignment.FindDevelopmentRates(saved, p.Judges)
			if err != nil {
				return nil, err
			}
			p.Weights = slices.Repeat([]float64{1}, len(p.Judges))
			for i, r := range rates {
				p.Weights[i] = panel.WeightOfJudge(r.K, r.N)
			}
		}
		out = append(out, p.Panel)
	}
	return out, nil
}

// Resamples is how often agreement is resampled unless a flag says.
const Resamples = 2000

// Panel is how many experts decide on a dataset's samples.
func (f Source) Panel(d eval.DatasetName) (curation.Panel, error) { return f.How.ExpertPanel(d) }

// Curation is the report on the curation of a dataset.
func (f Source) Curation(ctx context.Context, d eval.DatasetName) (report.Report, error) {
	t, err := f.How.TermsOfDataset(d)
	if err != nil {
		return report.Report{}, err
	}
	in, err := t.FindCandidateInspection(f.Store, d)
	if err != nil {
		return report.Report{}, err
	}
	b := eval.Either(f.Bootstrap.Confidence == 0, agree.Bootstrap{Times: Resamples, Seed: 1, Confidence: stat.Confidence, Progress: f.Bootstrap.Progress}, f.Bootstrap)
	return quality.ReportCuration(ctx, f, quality.CurationOptions{Dataset: d, Inspection: in, Panel: t.Panel, Targets: t.Targets, Bootstrap: b})
}

// CuratedDatasets are the datasets of which experts have said anything.
func CuratedDatasets(ctx context.Context, st *store.Store) ([]eval.DatasetName, error) {
	all, err := st.Datasets().List()
	if err != nil {
		return nil, err
	}
	var out []eval.DatasetName
	for _, d := range all {
		for _, err := range st.Curation().All(ctx, d.Name) {
			if err != nil {
				return nil, err
			}
			out = append(out, d.Name)
			break
		}
	}
	return out, nil
}

// CasesBySample are the cases of a dataset's samples by sample.
func CasesBySample(ctx context.Context, st *store.Store, d eval.DatasetName, p curation.Panel) (map[eval.Ordinal]curation.Case, error) {
	var items []curation.Item
	for s, err := range st.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		items = append(items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
	}
	acts, err := eval.Collect(st.Curation().All(ctx, d))
	if err != nil {
		return nil, err
	}
	cases, _, err := curation.BuildCases(items, acts, p)
	return eval.IndexBy(cases, func(c curation.Case) (eval.Ordinal, curation.Case) { return c.Sample, c }), err
}

// noShare takes a threshold away.
const noShare = "none"

// ShareFlag is a threshold: 2/8.
type ShareFlag struct{ share *curation.Share }

func (f ShareFlag) String() string {
	if f.share == nil || f.share.IsZero() {
		return ""
	}
	return f.share.String()
}

// Type names the value in help.
func (f ShareFlag) Type() string { return "share" }

// Set reads a share.
func (f ShareFlag) Set(text string) error {
	var err error
	*f.share = curation.Share{}
	if text != noShare {
		*f.share, err = curation.ParseShare(text)
	}
	return err
}

// ThresholdFlag is a threshold by its flag.
type ThresholdFlag struct {
	Name, usage string
	Of          func(*curation.Settings) *curation.Share
}

// ThresholdFlags are the flags of the shares by which an inspection decides.
func ThresholdFlags() []ThresholdFlag {
	return []ThresholdFlag{
		{"keep", "a sample is kept when at most this `share` of the text-only probe models answers it", func(s *curation.Settings) *curation.Share { return &s.Keep }},
		{"abnormal", "from this `share` of the text-only probe models that are correct, it counts as abnormal", func(s *curation.Settings) *curation.Share { return &s.Abnormal }},
		{"easy", "from this `share` of the runs with the image on a sample is easy", func(s *curation.Settings) *curation.Share { return &s.Easy }},
		{"moderate", "from this `share` on it is moderate", func(s *curation.Settings) *curation.Share { return &s.Moderate }},
		{"hard", "from this `share` on it is hard, below it tough", func(s *curation.Settings) *curation.Share { return &s.Hard }},
		{"doubtful", "drop what at most this `share` of the runs with the image answers (none: nothing is dropped so)", func(s *curation.Settings) *curation.Share { return &s.Doubtful }},
	}
}

// AddThresholdFlags adds the flags of all thresholds.
func AddThresholdFlags(cmd *cobra.Command, s *curation.Settings) {
	for _, t := range ThresholdFlags() {
		cmd.Flags().Var(ShareFlag{t.Of(s)}, t.Name, t.usage)
	}
}
