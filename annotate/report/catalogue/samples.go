package catalogue

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/quality"
)

// newDatasetsKind is what datasets hold.
func newDatasetsKind() Kind {
	k := namedKind("dataset")
	k.Of = OnSamples
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return quality.ReportDatasets(ctx, f, quality.DatasetOptions{Dataset: o.Dataset, Progress: o.Progress})
	}
	k.flags = func(a *Request) {
		d := quality.DatasetOptions{Words: 2, Top: 20}
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only this dataset")
		a.AddFlag("words", intValue(&d.Words), "how many words of a question are its instruction")
		a.AddFlag("top", intValue(&d.Top), "how many instructions are listed")
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			d.Dataset, d.Progress = o.Dataset, o.Progress
			return quality.ReportDatasets(ctx, f, d)
		}
	}
	return k
}

// newCriteriaKind is how far the criteria of datasets are.
func newCriteriaKind() Kind {
	k := namedKind("criteria")
	k.Of = OnSamples
	k.Build = buildCriteria(&quality.CriteriaOptions{})
	k.flags = func(a *Request) {
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only this dataset (default: every one that has criteria)")
	}
	return k
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

// newInspectorsKind is what models answer without the picture, by inspections.
func newInspectorsKind() Kind {
	k := namedKind("inspectors")
	k.Of = OnSamples
	k.Build = buildInspectors(&quality.InspectorOptions{})
	k.flags = func(a *Request) {
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only those of this dataset")
	}
	return k
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

// newCurationKind is what experts accept of a dataset.
func newCurationKind() Kind {
	k := namedKind("curation")
	k.Of = OnSamples
	k.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return f.Curation(ctx, o.Dataset)
	}
	return k
}
