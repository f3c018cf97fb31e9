package report

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/models"
	"concord/annotate/report/table"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

type allFlags struct {
	out, html, format, dataset string
	force                      bool
}

func newReportAllCmd(a *project.Project) *cobra.Command {
	var f allFlags
	cmd := project.NewCmd("all --out FOLDER | --html FILE", "Every report that the project can print: a file each with an index, or one page", nil, func(cmd *cobra.Command, _ []string) error { return makeOrRequestReports(cmd.Context(), a, &f) })
	fs := cmd.Flags()
	fs.StringVar(&f.out, "out", "", "the `folder` to write to")
	fs.StringVar(&f.html, "html", "", "the `file` of one page to write")
	fs.StringVar(&f.format, "format", "markdown", "of the files in the folder: table, json, csv, markdown, latex, html, or of charts alone svg or pgf")
	fs.StringVar(&f.dataset, "dataset", "", "only what is about this dataset")
	fs.BoolVar(&f.force, "force", false, "overwrite files of others, too")
	return cmd
}

// makeOrRequestReports makes the files and writes them. When another process holds the
// project, that one makes them and this one writes.
func makeOrRequestReports(ctx context.Context, a *project.Project, f *allFlags) error {
	format, err := table.ParseFormat(f.format)
	if err == nil && f.out == "" && f.html == "" {
		err = errors.New("where to? Name a folder with --out, or a file with --html")
	}
	if err != nil {
		return cli.NewUsageError(err)
	}
	if a.Held != nil {
		return printAllReports(ctx, a, a.Held, f, format)
	}
	told := a.Out
	var made bytes.Buffer
	a.Out = &made
	err = a.ReadStore(ctx, func(st *store.Store) error { return printAllReports(ctx, a, st, f, format) })
	if a.Out = told; err != nil {
		return err
	}
	files, err := unpackTar(&made)
	if err != nil {
		return err
	}
	return writeAllReports(a, f, files)
}

// writeAllReports writes what was made and says so.
func writeAllReports(a *project.Project, f *allFlags, files []outputFile) error {
	var page *outputFile
	if n := len(files); n > 0 && files[n-1].name == pageFile {
		page, files = &files[n-1], files[:n-1]
	}
	index, err := parseReportIndex(files)
	if err != nil {
		return err
	}
	if page != nil {
		if err := writeHTMLPage(a, f, page); err != nil {
			return err
		}
	}
	if f.out != "" {
		if err := writeFilesTogether(f.out, a.Path, files, f.force); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.WriteJSON(index)
	}
	where := strings.Join(eval.Select([]string{f.out, f.html}, func(s string) bool { return s != "" }), " and ")
	if _, err := fmt.Fprintf(a.Out, "wrote %s to %s\n", cli.FormatCount(len(index.Files), "report"), cli.EscapeControls(where)); err != nil {
		return err
	}
	for _, m := range index.Missing {
		if _, err := fmt.Fprintf(a.Out, "  not %s: %s\n", cli.EscapeControls(strings.TrimPrefix(m.Command, "concord report ")), cli.EscapeControls(m.Reason)); err != nil {
			return err
		}
	}
	return nil
}

func writeHTMLPage(a *project.Project, f *allFlags, page *outputFile) error {
	if err := requireOwnPage(f.html, f.force); err != nil {
		return err
	}
	out, err := cli.CreateOutFile(f.html, a.Path)
	if err != nil {
		return err
	}
	_, err = out.Write(page.data)
	return out.CommitOrRemove(err)
}

// pageFile is the name under which the page goes to who writes it.
const pageFile = "page"

// printAllReports prints every report, packed, to the output.
func printAllReports(ctx context.Context, a *project.Project, st *store.Store, f *allFlags, format table.Format) error {
	page, err := buildAllReports(ctx, a, st, f.dataset)
	if err != nil {
		return err
	}
	files, err := renderReportFiles(page, format)
	if err != nil {
		return err
	}
	for _, file := range files {
		if filepath.Ext(file.name) == fileExtension(table.FormatLaTeX) {
			a.WarnTooWide(file.name, file.data)
		}
	}
	if f.html != "" {
		var one bytes.Buffer
		if err := report.WritePage(&one, page); err != nil {
			return err
		}
		files = append(files, outputFile{pageFile, one.Bytes()})
	}
	return packFilesAsTar(a.Out, files)
}

// buildAllReports builds every report, and keeps those that can be.
func buildAllReports(ctx context.Context, a *project.Project, st *store.Store, only string) (*report.Page, error) {
	if only != "" {
		if _, err := facts.MatchRuns(st, only, "", nil); err != nil {
			return nil, err
		}
	}
	how := curating.NewSettings(a, curating.Flags{})
	source := curating.Source{Source: how.NewFactSource(a.Err, st), How: how}
	set, err := catalogue.KindsOfProject(ctx, source, eval.DatasetName(only))
	if err != nil {
		return nil, err
	}
	o := report.Options{Dataset: eval.DatasetName(only), Cards: project.NewCardLookup(a), Shared: &report.SharedScans{}}
	p := &report.Page{Title: "Report on " + filepath.Base(cmp.Or(a.Path, project.DefaultProject)), Project: filepath.Base(a.Path), Version: eval.ThisBuild().String(), At: a.Now()}
	m := a.NewProgress("making reports")
	defer m.RemoveBar()
	for i, one := range set {
		at := fmt.Sprintf("report %s (%d of %d)", one.Name, i+1, len(set))
		m.ShowLine(int64(i), int64(len(set)), at)
		o.Progress = func(done, total int) {
			m.ShowLine(int64(i), int64(len(set)), fmt.Sprintf("%s: %s of %s questions", at, table.FormatGrouped(done), table.FormatGrouped(total)))
		}
		r, err := one.Build(ctx, source, o)
		r.Separate = models.NewSeparator(ctx, source, o)
		why := eval.Either(err == nil && len(r.Rows)+len(r.Overall) == 0, "the project has nothing for it", catalogue.WhyLacking(err))
		if why != "" {
			p.Missing = append(p.Missing, report.Lacking{Title: one.Title, Command: one.CommandLine(), Reason: why})
		} else if err != nil {
			return nil, fmt.Errorf("make report %s: %w", one.Name, err)
		} else {
			p.Sections = append(p.Sections, report.Section{Name: one.Name, Title: one.Title, Command: one.CommandLine(), Report: a.ApplyStyleFlags(r)})
		}
	}
	p.Settings, err = report.ReadProvenance(ctx, source)
	return p, err
}
