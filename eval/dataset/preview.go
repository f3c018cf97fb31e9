package dataset

import (
	"context"
	"errors"
	"os"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/profile"
)

// Preview is what the beginning of a file holds, before anything is imported.
type Preview struct {
	Format   string
	Size     int64 // of the file in bytes; 0 of a folder
	Rows     []PreviewRow
	Problems []Problem // of the first rows that cannot be read
	Dataset  eval.DatasetName
	Model    string // that the file names for all rows
	Named    bool   // the file names the dataset itself; else Dataset is the file's name
}

// PreviewRow is one row as it would be imported.
type PreviewRow struct {
	Line       int
	ID         string // of the row, as written
	Question   string
	Options    []eval.Option
	Answer     string // the truth as read: a letter, yes or no, or a reference
	Kind       eval.Kind
	Pictures   int
	Answered   bool // there is a prediction
	Prediction string
	Model      string
}

// Answers reports whether the file is one of predictions: every row that was
// read has one.
func (p *Preview) Answers() bool {
	for i := range p.Rows {
		if !p.Rows[i].Answered {
			return false
		}
	}
	return len(p.Rows) > 0
}

// Asks reports whether the rows hold the questions.
func (p *Preview) Asks() bool {
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Question == "" && len(r.Options) == 0 {
			return false
		}
	}
	return len(p.Rows) > 0
}

// Look reads the first n rows of a file as an import would, and writes
// nothing. A row that cannot be read is a Problem, and counts as one of them.
func Look(ctx context.Context, path string, n int) (Preview, error) {
	src, err := profile.OpenSamples(path, "", Wish{}, nil)
	if err != nil {
		return Preview{}, err
	}
	out := Preview{Format: src.Format, Problems: []Problem{}, Model: src.Model}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		out.Size = info.Size()
	}
	for r, err := range src.Rows(ctx) {
		if len(out.Rows)+len(out.Problems) == n {
			break
		}
		var p *Problem
		switch {
		case errors.As(err, &p):
		case err != nil:
			return out, err
		case r.Head.Clash != "":
			return out, clashing(r.Head.Clash)
		case r.Head.Index < 0 && src.IsTable():
			return out, noIndexColumn(r.Head.Names)
		default:
			rec, err := readRecord(&r)
			if err == nil {
				out.Rows = append(out.Rows, previewed(&r, &rec))
				continue
			}
			p = src.File.Problem(r.Line, "%s", err)
		}
		out.Problems = append(out.Problems, *p)
	}
	if out.Dataset = eval.DatasetName(src.Task); out.Dataset != "" {
		out.Named = true
	} else {
		out.Dataset = nameOf(path)
	}
	if out.Model == "" {
		out.Model = src.Model
	}
	return out, nil
}

func previewed(r *profile.Row, rec *record) PreviewRow {
	s := &rec.sample
	answer := string(s.Answer)
	if answer == "" {
		answer = s.Reference
	}
	out := PreviewRow{
		Line: rec.line, ID: rec.index, Question: s.Question, Options: s.Options, Answer: answer, Kind: s.Kind,
		Answered: rec.answered, Prediction: rec.text, Model: rec.model, Pictures: len(r.Paths()),
	}
	if inline := column.Images(r.Cell(r.Head.Image)); len(inline) > out.Pictures {
		out.Pictures = len(inline)
	}
	return out
}
