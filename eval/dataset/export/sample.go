package export

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/rowfile"
	"concord/eval/dataset/tablefile"
)

// SampleRow is a sample as an export of its dataset shows it. Pictures are the
// bytes of the sample's pictures, in their order; nil for one that the project
// does not hold.
type SampleRow struct {
	Sample   eval.Sample
	Pictures [][]byte
	Criteria []rowfile.CriterionCell
	Written  bool // there are criteria, perhaps none of them
}

// SampleExport says how a dataset is written.
type SampleExport struct {
	Format  string        // one of TableFormats
	Letters []eval.Choice // of all options: the columns of a table
	Public  bool          // without what tells a good answer: answers, references, criteria
	Axes    bool          // paths are of a capability and an axis, which MMStar's columns hold
	Several bool          // samples have several pictures: what parquet has to know before
	Largest int           // bytes of the largest sample's pictures together: what a workbook has to know before
}

// WriteSamples writes a dataset in the layout of the benchmarks' own files:
// one row for each sample as it is asked in pass 0, pictures as base64, or as
// the index of the row that has the same one. Import reads it back. A public
// file has no column for answers and criteria at all. The warnings say what
// the format could not hold.
func WriteSamples(w io.Writer, o SampleExport, rows iter.Seq2[SampleRow, error]) (warnings []string, err error) {
	if o.Format == tablefile.JSONL || len(o.Letters) == 0 {
		o.Letters = nil
	}
	pictures := eval.Either(o.Several, tablefile.ManyPictures, tablefile.OnePicture)
	t, err := tablefile.NewPictured(w, o.Format, o.listColumns(), pictures)
	if err != nil {
		return nil, err
	}
	t.SetVerbatim()
	out := sampleWriter{o: o, shown: make(map[eval.PictureHash]eval.SampleID)}
	return writeRows(t, "samples", rows, out.formatCells)
}

// listColumns has the path of the taxonomy whole, and its fine end as VLMEvalKit
// calls it (MMBench's columns, or MMStar's). The column of options keeps an import from looking for options
// within the questions.
func (o *SampleExport) listColumns() []string {
	out := slices.Concat([]string{"index", "question", "hint"}, listOptionColumns(o.Letters))
	if !o.Public {
		out = append(out, "answer", column.References, column.Metric, column.Groups, column.Also, "kind") // the kind tells a truth of yes from a reference
	}
	second := eval.Either(o.Axes, "l2_category", "l2-category") // MMStar's is finer than category
	out = append(out, "taxonomy", "category", second, profile.ColumnType, "split", "source", "image_path")
	if !o.Public {
		out = append(out, "criteria")
	}
	out = append(out, "image")
	for i := 2; i <= o.countPictureCells(); i++ {
		out = append(out, fmt.Sprintf("%s(%d)", tablefile.ImageRest, i))
	}
	return out
}

// countPictureCells counts how many cells of a workbook the largest pictures need.
func (o *SampleExport) countPictureCells() int {
	if o.Format != tablefile.XLSX {
		return 1
	}
	const around = 64 // of each picture in a list: quotes, comma, padding
	text := base64.StdEncoding.EncodedLen(o.Largest) + around
	if o.Several {
		text += around * maxPictures
	}
	return text/tablefile.ExcelCell + 1
}

// maxPictures is how many pictures of a sample a workbook's columns are
// counted for.
const maxPictures = 64

type sampleWriter struct {
	o     SampleExport
	shown map[eval.PictureHash]eval.SampleID // rows that have one picture, by it
}

func (w *sampleWriter) formatCells(r *SampleRow) []any {
	s := &r.Sample
	out := []any{formatRowIndex(s.ID, 0), s.Question, s.Hint}
	row := PredictionRow{Options: s.Options}
	out = append(out, row.optionCells(w.o.Letters)...)
	if !w.o.Public {
		groups := objectOrNil(s.Groups, func(g eval.Column) (string, string) { return g.Name, g.Value })
		out = append(out, cmp.Or(string(s.Answer), s.Reference), ListOrNil(s.References), s.Metric, groups, ListOrNil(s.Also), s.Kind.String())
	}
	category, second := w.o.levelCells(s.Taxonomy)
	out = append(out, ListOrNil(s.Taxonomy), category, second, s.Type.String(), s.Split, s.Source, w.pictureNamesCell(s))
	if !w.o.Public {
		var cs any
		if r.Written {
			cs = slices.Concat([]rowfile.CriterionCell{}, r.Criteria)
		}
		out = append(out, cs)
	}
	switch w.o.Format {
	case tablefile.XLSX:
		return append(out, w.splitImageCell(w.imageCell(r))...)
	case tablefile.Parquet:
		return append(out, w.pictureBytesCell(r))
	}
	return append(out, w.imageCell(r))
}

// levelCells are a path in the columns category and l2-category, or l2_category.
func (o *SampleExport) levelCells(path []string) (category, second any) {
	n := len(path)
	switch {
	case n == 0:
	case n == 1:
		category = path[0]
	case o.Axes:
		category, second = path[n-2], path[n-1]
	default:
		category, second = path[n-1], path[n-2]
	}
	return category, second
}

// splitImageCell gives the image cell cut into as many as the header has.
func (w *sampleWriter) splitImageCell(image any) []any {
	out := make([]any, w.o.countPictureCells())
	text, err := tablefile.FormatCell(image)
	if err != nil {
		return out // texts always marshal
	}
	for i := range out {
		if n := min(len(text), tablefile.ExcelCell); n > 0 {
			out[i], text = text[:n], text[n:]
		}
	}
	return out
}

func (w *sampleWriter) pictureBytesCell(r *SampleRow) any {
	out := eval.Select(r.Pictures, func(p []byte) bool { return p != nil })
	if !w.o.Several && len(out) > 1 {
		out = out[:1]
	}
	return out
}

// pictureNamesCell is what the source called the pictures; nil when it did not.
func (w *sampleWriter) pictureNamesCell(s *eval.Sample) any {
	var out []string
	for _, p := range s.Pictures {
		if p.Name == "" {
			return nil
		}
		out = append(out, p.Name)
	}
	return column.EncodeOneOrList(out)
}

// imageCell is the pictures as a cell; nil when their bytes are not there.
func (w *sampleWriter) imageCell(r *SampleRow) any {
	var out []string
	for i, p := range r.Sample.Pictures {
		if i >= len(r.Pictures) || r.Pictures[i] == nil {
			continue
		}
		one := len(r.Sample.Pictures) == 1
		if of, ok := w.shown[p.Hash]; ok && one {
			return string(of)
		}
		if one && len(r.Sample.ID) <= profile.ReferenceLimit {
			w.shown[p.Hash] = r.Sample.ID
		}
		out = append(out, base64.StdEncoding.EncodeToString(r.Pictures[i]))
	}
	return column.EncodeOneOrList(out)
}
