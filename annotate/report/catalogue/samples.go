package catalogue

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/quality"
)

// NewDatasetsKind is what datasets hold.
func NewDatasetsKind() Kind {
	return Kind{
		Name: "dataset", Title: "What the datasets hold", Group: GroupData, Of: OnSamples,
		Short: "What the datasets hold: samples per level, type and kind, images, frequent instructions",
		Needs: Needs{"a dataset", []string{"import dataset FILE"}},
		Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return quality.ReportDatasets(ctx, f, quality.DatasetOptions{Dataset: o.Dataset, Progress: o.Progress})
		},
		flags: func(a *Request) {
			d := quality.DatasetOptions{Words: 2, Top: 20}
			a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only this dataset")
			a.AddFlag("words", intValue(&d.Words), "how many words of a question are its instruction")
			a.AddFlag("top", intValue(&d.Top), "how many instructions are listed")
			a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
				d.Dataset, d.Progress = o.Dataset, o.Progress
				return quality.ReportDatasets(ctx, f, d)
			}
		},
	}
}

// NewCriteriaKind is how far the criteria of datasets are.
func NewCriteriaKind() Kind {
	return Kind{
		Name: "criteria", Title: "How far the criteria are", Group: GroupData, Of: OnSamples,
		Short: "How far the criteria are: coverage and states per level, rounds of review, people",
		Needs: Needs{"criteria that somebody wrote", []string{"criteria --dataset NAME", "import criteria FILE --dataset NAME"}},
		Build: buildCriteria(&quality.CriteriaOptions{}),
		flags: func(a *Request) {
			a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only this dataset (default: every one that has criteria)")
		},
	}
}

// SetCriteriaOptions asks for the criteria by more options than all reports share.
func (a *Request) SetCriteriaOptions(c *quality.CriteriaOptions) { a.Build = buildCriteria(c) }

func buildCriteria(c *quality.CriteriaOptions) func(context.Context, Facts, report.Options) (report.Report, error) {
	return func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		if o.Dataset != "" {
			if _, err := f.Dataset(o.Dataset); err != nil {
				return report.Report{}, err
			}
		}
		by := *c
		by.Dataset, by.Progress = o.Dataset, o.Progress
		return quality.ReportCriteria(ctx, f, by)
	}
}

// NewInspectorsKind is what models answer without the picture, by inspections.
func NewInspectorsKind() Kind {
	return Kind{
		Name: "inspectors", Title: "What models answer without the image, and the difficulty of the rest", Group: GroupData, Of: OnSamples,
		Short: "What models answer without the image: how many are correct, abnormal ones, what filters drop, difficulty, the funnel per source",
		Show: `  concord report inspectors --inspection pool
  concord report inspectors --inspection pool --keep 3/8 --doubtful 0/16`,
		Needs: Needs{"an inspection", []string{askRun + " --modality text", "inspect NAME --dataset NAME --model M1,M2"}},
		Build: buildInspectors(&quality.InspectorOptions{}),
		flags: func(a *Request) {
			a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only those of this dataset")
		},
	}
}

// SetInspectorOptions asks for inspections by more options than all reports share.
func (a *Request) SetInspectorOptions(o *quality.InspectorOptions) {
	a.AddFlag("inspection", wordValue(&o.Inspection), "only the one of this `name`")
	a.Build = buildInspectors(o)
}

func buildInspectors(i *quality.InspectorOptions) func(context.Context, Facts, report.Options) (report.Report, error) {
	return func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		by := *i
		by.Dataset, by.Panel = o.Dataset, f.Panel
		return quality.ReportInspectors(ctx, f, by)
	}
}

// NewCurationKind is what experts accept of a dataset.
func NewCurationKind() Kind {
	return Kind{
		Name: "curation", Title: "What experts accept", Group: GroupData, Of: OnSamples,
		Short: "What experts accept: the funnel per source, verdicts, agreement, accepted per axis against the target",
		Needs: Needs{"experts' verdicts", []string{"curate --dataset NAME"}},
		Build: func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return f.Curation(ctx, o.Dataset)
		},
	}
}
