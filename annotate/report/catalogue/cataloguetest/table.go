// Package cataloguetest writes the tables of REPORTS.md out of the catalogue.
package cataloguetest

import (
	"cmp"
	_ "embed" // of the table of papers
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report/catalogue"
)

// sources are the papers in the order of their table, by how their rows begin.
var sources = []string{"MMBench", "MLLM-Bench", "MME ", "MMStar", "beyond the papers"}

// printed is a row of the table: what of a paper is printed, and by which commands.
type printed struct {
	source, what string
	commands     []string
}

// paper is what a report prints of a paper: which table or figure ("MMBench Table 1", or
// that it is beyond the papers), by which flags, and what is to be done first.
type paper struct{ Source, What, Flags, Before string }

// papers has a line for each, behind the name of the report.
//
//go:embed papers.tsv
var papers string

func parsePapers(report string) (out []paper) {
	for line := range strings.Lines(papers) {
		if c := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); c[0] == report {
			out = append(out, paper{c[1], c[2], c[3], c[4]})
		}
	}
	return out
}

// MakePaperTable makes the table of which command prints what of the papers, in Markdown.
func MakePaperTable(all []catalogue.Kind) string {
	var rows []*printed
	for i := range all {
		for _, p := range parsePapers(all[i].Name) {
			at := slices.IndexFunc(rows, func(r *printed) bool { return r.source == p.Source && r.what == p.What })
			if at < 0 {
				at, rows = len(rows), append(rows, &printed{source: p.Source, what: p.What})
			}
			command := strings.TrimSpace("concord report " + all[i].Name + " " + p.Flags)
			rows[at].commands = append(rows[at].commands, p.Before+"`"+command+"`")
		}
	}
	order := func(r *printed) int {
		return slices.IndexFunc(sources, func(s string) bool { return strings.HasPrefix(r.source, s) })
	}
	slices.SortStableFunc(rows, func(a, b *printed) int { return cmp.Compare(order(a), order(b)) })
	out := "| # | source | what | command |\n|--:|---|---|---|\n"
	for i, r := range rows {
		out += fmt.Sprintf("| %d | %s | %s | %s |\n", i+1, r.source, r.what, strings.Join(r.commands, ", "))
	}
	return out
}

// MakeReportTable makes the reports by group, in Markdown.
func MakeReportTable(all []catalogue.Kind) string {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b catalogue.Kind) int { return cmp.Compare(a.Group, b.Group) })
	out := "| group | command | what | needs |\n|---|---|---|---|\n"
	for i := range all {
		k := &all[i]
		out += fmt.Sprintf("| %s | `concord report %s` | %s | %s |\n", k.Group, strings.TrimSpace(k.Name+" "+k.Takes), k.Short, k.Needs.What)
	}
	return out
}
