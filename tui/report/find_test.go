package report

import (
	"slices"
	"strings"
	"testing"

	"concord/annotate/report/catalogue"
)

// Whoever types the name of a report, its heading or a word of what it tells
// finds it; headings are five, each with its reports in one run.
func TestEveryPageCanBeFound(t *testing.T) {
	m := screen(t, nil)
	f := newFinder(m.readers, 0)
	groups := 0
	for i, r := range m.readers {
		f.filter = strings.ToLower(r.name)
		f.at = f.nearestIndex()
		if at := f.listMatches()[f.at]; at.page != i || at.says == "" || at.group == "" {
			t.Errorf("%s leads to %+v", r.name, at)
		}
		if i == 0 || m.readers[i-1].group != r.group {
			groups++
		}
	}
	if groups != 5 {
		t.Errorf("%d headings", groups)
	}
}

// A report that the catalogue lists is a page of the app, under its group.
func TestPagesOfCatalogue(t *testing.T) {
	toy := catalogue.NewRunsKind(catalogue.Kind{Name: "toy", Title: "How long answers are", Group: catalogue.GroupData}, nil)
	all := makePages(append(catalogue.AllKinds(), toy))
	at := slices.IndexFunc(all, func(p reportPage) bool { return p.command == "toy" })
	if at < 0 || all[at].group != catalogue.GroupData || all[at-1].group != catalogue.GroupData || !strings.Contains(all[at].empty, "concord eval") {
		t.Errorf("%d %+v", at, all)
	}
}
