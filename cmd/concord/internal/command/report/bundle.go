package report

import (
	"archive/tar"
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/text"
)

// outputFile is a file that is yet to be written.
type outputFile struct {
	name string
	data []byte
}

const indexFile = "index.json"

// reportIndex is the index of a folder of reports: what was written, with its
// hash, so that the next time knows its own files, and what could not be.
type reportIndex struct {
	Damaged string           `json:"damaged,omitempty"` // what was left out, where the project is damaged
	Report  string           `json:"report"`            // all
	At      time.Time        `json:"at"`
	Version string           `json:"version"` // of concord
	Files   []indexed        `json:"files"`
	Missing []report.Lacking `json:"missing"`
	Beside  []indexed        `json:"beside,omitempty"` // files that are no report
}

type indexed struct {
	File    string `json:"file"`
	Title   string `json:"title,omitempty"`
	Command string `json:"command,omitempty"`
	Rows    int    `json:"rows,omitempty"`
	Hash    string `json:"sha256"`
}

// fileExtensions are those of the files of formats; .txt is that of every other.
var fileExtensions = map[table.Format]string{
	table.FormatJSON: ".json", table.FormatCSV: ".csv", table.FormatMarkdown: ".md", table.FormatLaTeX: ".tex", table.FormatHTML: ".html",
	table.FormatSVG: ".svg", table.FormatPGF: ".pgf",
}

func fileExtension(f table.Format) string { return cmp.Or(fileExtensions[f], ".txt") }

// renderReportFiles prints the page's reports in a format, a file each; the index comes last.
func renderReportFiles(p *report.Page, f table.Format) ([]outputFile, error) {
	index := reportIndex{Report: "all", At: p.At.UTC().Truncate(time.Second), Version: p.Version, Files: []indexed{}, Missing: p.Missing}
	if index.Missing == nil {
		index.Missing = []report.Lacking{}
	}
	var out []outputFile
	for _, s := range p.Sections {
		index.Damaged = cmp.Or(index.Damaged, s.Report.Damaged)
		var b bytes.Buffer
		if err := report.RenderReport(&b, s.Report, f, 0); err != nil {
			return nil, err
		}
		out = append(out, outputFile{s.Name + fileExtension(f), b.Bytes()})
		index.Files = append(index.Files, indexed{s.Name + fileExtension(f), s.Title, s.Command, len(s.Report.Rows), formatSHA256(b.Bytes())})
	}
	var settings bytes.Buffer
	if err := p.Settings.Render(&settings, f); err != nil {
		return nil, err
	}
	beside := []outputFile{{settingsFileName(f), settings.Bytes()}, {"index.md", writeIndexText(p, f, index.Damaged)}}
	if f == table.FormatLaTeX {
		beside = append(beside, outputFile{"all.tex", writeLaTeXDocument(p)})
	}
	index.Beside = append(index.Beside, eval.Map(beside, func(b outputFile) indexed { return indexed{File: b.name, Hash: formatSHA256(b.data)} })...)
	text, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	return append(append(out, beside...), outputFile{indexFile, append(text, '\n')}), nil
}

func settingsFileName(f table.Format) string {
	return "settings" + eval.Either(f == table.FormatHTML || f == table.FormatJSON, fileExtension(f), ".md")
}

// writeLaTeXDocument gives a LaTeX document of all tables, to be compiled with xelatex or pdflatex.
func writeLaTeXDocument(p *report.Page) []byte {
	var b bytes.Buffer
	b.WriteString("\\documentclass{article}\n\\usepackage{booktabs,longtable,iftex}\n\\ifPDFTeX\\usepackage[T1]{fontenc}\\usepackage{textcomp}\\fi\n% Chinese, Japanese and Korean letters take xelatex and xeCJK.\n\\ifXeTeX\\IfFileExists{xeCJK.sty}{\\usepackage{xeCJK}}{}\\fi\n\\setlength{\\parindent}{0pt}\n\\begin{document}\n")
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n\\section*{%s}\n\\input{\"%s\"}\n", text.Outside(s.Title).ForLaTeX(), s.Name+fileExtension(table.FormatLaTeX))
	}
	b.WriteString("\n\\end{document}\n")
	return b.Bytes()
}

// writeIndexText gives the index for people; damaged is what was left out of a damaged project.
func writeIndexText(p *report.Page, f table.Format, damaged string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s UTC. The settings behind each figure: [%s](%s)\n\n", table.EscapeMarkdown(p.Title),
		p.At.UTC().Format("2006-01-02 15:04"), settingsFileName(f), settingsFileName(f))
	if damaged != "" {
		fmt.Fprintf(&b, "**%s**\n\n", table.EscapeMarkdown(damaged))
	}
	for _, s := range p.Sections {
		file := s.Name + fileExtension(f)
		fmt.Fprintf(&b, "- [%s](<%s>): %s, `%s`\n", table.EscapeMarkdown(file), file, table.EscapeMarkdown(s.Title), cli.EscapeControls(s.Command))
	}
	if len(p.Missing) > 0 {
		fmt.Fprint(&b, "\nWhat could not be printed:\n\n")
	}
	for _, m := range p.Missing {
		fmt.Fprintf(&b, "- %s, `%s`: %s\n", table.EscapeMarkdown(m.Title), cli.EscapeControls(m.Command), table.EscapeMarkdown(m.Reason))
	}
	return b.Bytes()
}

func formatSHA256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func parseReportIndex(files []outputFile) (reportIndex, error) {
	var index reportIndex
	for _, f := range files {
		if f.name == indexFile {
			err := json.Unmarshal(f.data, &index)
			return index, eval.WrapError(err, "read index")
		}
	}
	return index, errors.New("read index: there is none")
}

// packFilesAsTar writes files as one stream, so that the process that holds the project
// makes them and the one that was asked writes them.
func packFilesAsTar(w io.Writer, files []outputFile) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		err := t.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data)), Format: tar.FormatPAX})
		if err == nil {
			_, err = t.Write(f.data)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	return t.Close()
}

func unpackTar(r io.Reader) ([]outputFile, error) {
	var out []outputFile
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("unpack reports: %w", err)
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", h.Name, err)
		}
		out = append(out, outputFile{h.Name, data})
	}
}

// writeFilesTogether writes files into a folder, all or none: they are made beside it, or within, and then moved. It
// refuses to overwrite what another command or a person wrote, unless forced, and never anything but a
// file, nor the project. What an earlier time wrote, and nobody changed, goes when it is not written anew.
func writeFilesTogether(folder, project string, files []outputFile, force bool) (err error) {
	if _, err := os.Lstat(folder); errors.Is(err, os.ErrNotExist) {
		return createFolderWithFiles(folder, files)
	}
	own, err := findOwnFiles(folder)
	if err != nil {
		return err
	}
	if err := checkMayWrite(folder, project, files, own, force); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(folder, ".concord-*")
	if err != nil {
		return fmt.Errorf("write to %s: %w", folder, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	if err := writeFiles(stage, files); err != nil {
		return err
	}
	for _, f := range files { // the index is the last
		if err := os.Rename(filepath.Join(stage, f.name), filepath.Join(folder, f.name)); err != nil {
			return fmt.Errorf("write %s: %w", f.name, err)
		}
		delete(own, f.name)
	}
	for name := range own {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("remove what is written no more: %w", err)
		}
	}
	return nil
}

// createFolderWithFiles makes a folder with its files at once.
func createFolderWithFiles(folder string, files []outputFile) error {
	parent := filepath.Dir(filepath.Clean(folder))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("write to %s: %w", folder, err)
	}
	stage := filepath.Join(parent, ".concord-"+rand.Text()) // as open as the umask lets a folder be
	if err := os.Mkdir(stage, 0o777); err != nil {
		return fmt.Errorf("write to %s: %w", folder, err)
	}
	err := writeFiles(stage, files)
	if err == nil {
		err = os.Rename(stage, folder)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write to %s: %w", folder, err), os.RemoveAll(stage))
	}
	return nil
}

func writeFiles(folder string, files []outputFile) error {
	return eval.Each(files, func(f outputFile) error {
		return eval.WrapError(os.WriteFile(filepath.Join(folder, f.name), f.data, 0o666), "write %s", f.name)
	})
}

// findOwnFiles finds the files of a folder that its index names, and that are still
// as they were written; the index among them.
func findOwnFiles(folder string) (map[string]bool, error) {
	own := make(map[string]bool)
	text, err := os.ReadFile(filepath.Join(folder, indexFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return own, nil
	case err != nil:
		return nil, fmt.Errorf("read index of %s: %w", folder, err)
	}
	var index reportIndex
	if json.Unmarshal(text, &index) != nil || index.Report != "all" {
		return own, nil //nolint:nilerr // somebody else's index
	}
	own[indexFile] = true
	for _, f := range append(index.Files, index.Beside...) {
		if f.File != filepath.Base(f.File) {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(folder, f.File)); err == nil && formatSHA256(data) == f.Hash {
			own[f.File] = true
		}
	}
	return own, nil
}

func checkMayWrite(folder, project string, files []outputFile, own map[string]bool, force bool) error {
	var others []string
	for _, f := range files {
		path := filepath.Join(folder, f.name)
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, os.ErrNotExist) || err == nil && own[f.name]:
			continue
		case err != nil:
			return fmt.Errorf("write %s: %w", path, err)
		case !info.Mode().IsRegular():
			return fmt.Errorf("write %s: it is no file", path)
		}
		if p, err := os.Stat(project); err == nil && os.SameFile(p, info) {
			return cli.NewUsageError(fmt.Errorf("write %s: that is the project itself", path))
		}
		if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, f.data) {
			others = append(others, f.name)
		}
	}
	if len(others) > 0 && !force {
		return fmt.Errorf("write to %s: %s: not written by this command, or changed since (--force overwrites)", folder, strings.Join(others, ", "))
	}
	return nil
}

// requireOwnPage refuses to overwrite a file that is no page of ours.
func requireOwnPage(path string, force bool) error {
	ours, err := report.IsOwnFile(path)
	if force || ours || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return cmp.Or(err, fmt.Errorf("write %s: this command did not write it (--force overwrites)", path))
}
