package models

import (
	"bytes"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/table"
)

// Three models on the same 200 samples: the second differs from the first on 6 of them, all lost, which
// the intervals of both hide and the samples tell; the third differs on 40, half of them lost.
func TestSeparator(t *testing.T) {
	m := project(200,
		func(o int) bool { return o < 120 },
		func(o int) bool { return o < 114 },
		func(o int) bool { return o >= 20 && o < 139 })
	o := options().Runs
	r, err := accuracy.ReportAccuracy(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	bold := func() string {
		var b bytes.Buffer
		if err := report.RenderReport(&b, r, table.FormatMarkdown, 0); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := bold(); !strings.Contains(got, "**57.0%") || !strings.Contains(got, "overlaps") {
		t.Errorf("by their intervals alone all are bold:\n%s", got)
	}
	r.Separate = NewSeparator(t.Context(), m, o)
	got := bold()
	if !strings.Contains(got, "**60.0%") || !strings.Contains(got, "| all | 57.0%") || !strings.Contains(got, "**59.5%") || !strings.Contains(got, "not separable from the best") {
		t.Errorf("sample by sample the second is lower, and the third may not be:\n%s", got)
	}
	if strings.Contains(got, "| seeing | 57.0%") || !strings.Contains(got, "| seeing | **57.0%") {
		t.Errorf("three samples to none in a half are too few:\n%s", got)
	}
}

// Figures that are no accuracies of runs are none that it tells of.
func TestSeparatorIsSilent(t *testing.T) {
	separate := NewSeparator(t.Context(), project(4, func(int) bool { return true }), options().Runs)
	if got := separate(make([]table.Cell, 2)); got != nil {
		t.Error(got)
	}
}
