package report

import (
	"archive/tar"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/cmd/concord/internal/cli"
)

// file is a file that is yet to be written.
type file struct {
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

// ending is that of the files of a format.
func ending(f table.Format) string {
	switch f {
	case table.FormatJSON:
		return ".json"
	case table.FormatCSV:
		return ".csv"
	case table.FormatMarkdown:
		return ".md"
	case table.FormatLaTeX:
		return ".tex"
	case table.FormatHTML:
		return ".html"
	case table.FormatTable, table.FormatUnset:
	}
	return ".txt"
}

// reportFiles prints the page's reports in a format, a file each; the index comes
// last.
func reportFiles(p *report.Page, f table.Format) ([]file, error) {
	index := reportIndex{Report: "all", At: p.At.UTC().Truncate(time.Second), Files: []indexed{}, Missing: p.Missing}
	if index.Missing == nil {
		index.Missing = []report.Lacking{}
	}
	var out []file
	for _, s := range p.Sections {
		index.Damaged = cmp.Or(index.Damaged, s.Report.Damaged)
		var b bytes.Buffer
		if err := report.Render(&b, s.Report, f, 0); err != nil {
			return nil, err
		}
		out = append(out, file{s.Name + ending(f), b.Bytes()})
		index.Files = append(index.Files, indexed{s.Name + ending(f), s.Title, s.Command, len(s.Report.Rows), hashOf(b.Bytes())})
	}
	var settings bytes.Buffer
	if err := p.Settings.Render(&settings, f); err != nil {
		return nil, err
	}
	beside := []file{{settingsFile(f), settings.Bytes()}, {"index.md", indexText(p, f, index.Damaged)}}
	for _, b := range beside {
		index.Beside = append(index.Beside, indexed{File: b.name, Hash: hashOf(b.data)})
	}
	text, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	return append(append(out, beside...), file{indexFile, append(text, '\n')}), nil
}

// settingsFile is the file of what led to the figures.
func settingsFile(f table.Format) string {
	if f == table.FormatHTML || f == table.FormatJSON {
		return "settings" + ending(f)
	}
	return "settings.md"
}

// indexText is the index for people; damaged is what was left out of a damaged
// project.
func indexText(p *report.Page, f table.Format, damaged string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s UTC. The settings behind each figure: [%s](%s)\n\n", table.EscapeMarkdown(p.Title),
		p.At.UTC().Format("2006-01-02 15:04"), settingsFile(f), settingsFile(f))
	if damaged != "" {
		fmt.Fprintf(&b, "**%s**\n\n", table.EscapeMarkdown(damaged))
	}
	for _, s := range p.Sections {
		file := s.Name + ending(f)
		fmt.Fprintf(&b, "- [%s](<%s>): %s, `%s`\n", table.EscapeMarkdown(file), file, table.EscapeMarkdown(s.Title), cli.Visible(s.Command))
	}
	if len(p.Missing) > 0 {
		fmt.Fprint(&b, "\nWhat could not be printed:\n\n")
	}
	for _, m := range p.Missing {
		fmt.Fprintf(&b, "- %s, `%s`: %s\n", table.EscapeMarkdown(m.Title), cli.Visible(m.Command), table.EscapeMarkdown(m.Reason))
	}
	return b.Bytes()
}

func pageOf(p *report.Page) ([]byte, error) {
	var b bytes.Buffer
	err := report.WritePage(&b, p)
	return b.Bytes(), err
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readIndex is the index among files.
func readIndex(files []file) (reportIndex, error) {
	var index reportIndex
	for _, f := range files {
		if f.name == indexFile {
			if err := json.Unmarshal(f.data, &index); err != nil {
				return index, fmt.Errorf("read index: %w", err)
			}
			return index, nil
		}
	}
	return index, errors.New("read index: there is none")
}

// pack writes files as one stream, so that the process that holds the project
// makes them and the one that was asked writes them.
func pack(w io.Writer, files []file) error {
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

func unpack(r io.Reader) ([]file, error) {
	var out []file
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
		out = append(out, file{h.Name, data})
	}
}
