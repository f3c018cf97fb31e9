package catalogue_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/catalogue/cataloguetest"
)

var update = flag.Bool("update", false, "write the tables of REPORTS.md anew")

// Files of reports are named by their kinds, so that no two have one name.
func TestNamesAreUnique(t *testing.T) {
	labels := annotate.Queue{Name: "q", Rule: annotate.Rule{From: annotate.FromAll}}
	pairs := annotate.Queue{Name: "p", Rule: annotate.Rule{From: annotate.FromPairs}}
	seen := make(map[string]bool)
	for _, k := range slices.Concat(catalogue.AllKinds(), catalogue.KindsOfQueue(&labels), catalogue.KindsOfQueue(&pairs)) {
		if seen[k.Name] || k.Title == "" || k.Build == nil && k.Of != catalogue.OnQueue || k.Group == catalogue.GroupUnset || k.Of == catalogue.SubjectUnset || k.Needs.What == "" {
			t.Errorf("%+v", k)
		}
		seen[k.Name] = true
	}
	if got := catalogue.KindsOfQueue(&pairs); len(got) != 1 {
		t.Errorf("%d reports on a queue of pairs, want 1", len(got))
	}
}

// A name stands for one flag of a command, and its help says what it does.
func TestFlagsAreUnique(t *testing.T) {
	for _, k := range catalogue.CommandKinds() {
		seen := make(map[string]bool)
		for _, f := range k.NewRequest().Flags {
			if seen[f.Name] || f.Usage == "" {
				t.Errorf("report %s: flag %s is there twice, or says nothing", k.Name, f.Name)
			}
			seen[f.Name] = true
		}
	}
}

// REPORTS.md lists every report and every paper's table as the catalogue has them.
func TestReportsFile(t *testing.T) {
	const file = "../../../REPORTS.md"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tables := []string{cataloguetest.MakePaperTable(catalogue.CommandKinds()), cataloguetest.MakeReportTable(catalogue.CommandKinds())}
	var out strings.Builder
	inTable := false
	for line := range strings.Lines(string(old)) {
		switch row := strings.HasPrefix(line, "|"); {
		case row && !inTable && len(tables) == 0:
			t.Fatal("REPORTS.md has a table that the catalogue does not have")
		case row && !inTable:
			out.WriteString(tables[0])
			tables = tables[1:]
			inTable = true
		case !row:
			out.WriteString(line)
			inTable = false
		}
	}
	if len(tables) > 0 {
		t.Fatalf("REPORTS.md has no place for %d tables", len(tables))
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil { //nolint:gosec // a document
			t.Fatal(err)
		}
	} else if out.String() != string(old) {
		t.Error("REPORTS.md is not what the catalogue says; -update writes it")
	}
}
