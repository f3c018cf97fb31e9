package dataset

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"concord/eval"
)

// columnType is the type of a question, as this package writes it. MLLM-Bench's
// own name for it says more: that the question is open.
const columnType = "question_type"

// SampleRow is a sample as an export of its dataset shows it. Pictures are the
// bytes of the sample's pictures, in their order; nil for one that the project
// does not hold.
type SampleRow struct {
	Sample   eval.Sample
	Pictures [][]byte
	Criteria []CriterionCell
	Written  bool // there are criteria, perhaps none of them
}

// SampleExport says how a dataset is written.
type SampleExport struct {
	Format  string        // one of TableFormats
	Letters []eval.Choice // of all options: the columns of a table
	Public  bool          // without what tells a good answer: answers, references, criteria
}

// WriteSamples writes a dataset in the layout of the benchmarks' own files:
// one row for each sample as it is asked in pass 0, pictures as base64, or as
// the index of the row that has the same one. Import reads it back. A public
// file has no column for answers and criteria at all. The warnings say what
// the format could not hold.
func WriteSamples(w io.Writer, o SampleExport, rows iter.Seq2[SampleRow, error]) (warnings []string, err error) {
	if o.Format == FormatJSONL {
		o.Letters = nil
	}
	t, err := NewTable(w, o.Format, o.columns())
	if err != nil {
		return nil, err
	}
	out := sampleWriter{o: o, shown: make(map[eval.PictureHash]eval.SampleID)}
	for r, err := range rows {
		if err == nil {
			err = t.Write(out.cells(&r))
		}
		if err != nil {
			_, closeErr := t.Close()
			return nil, errors.Join(fmt.Errorf("write samples: %w", err), closeErr)
		}
	}
	warnings, err = t.Close()
	if out.left > 0 {
		warnings = append(warnings, fmt.Sprintf("%d pictures were left out: a workbook's cells hold none, TSV and JSON lines do", out.left))
	}
	return warnings, err
}

// columns has the path of the taxonomy whole, and its fine end as VLMEvalKit
// calls it. The column of options keeps an import from looking for options
// within the questions.
func (o *SampleExport) columns() []string {
	options := []string{"options"}
	if len(o.Letters) > 0 {
		options = options[:0]
		for _, l := range o.Letters {
			options = append(options, string(l))
		}
	}
	out := slices.Concat([]string{"index", "question", "hint"}, options)
	if !o.Public {
		out = append(out, "answer", "kind") // the kind tells a truth of yes from a reference
	}
	out = append(out, "taxonomy", "category", "l2-category", columnType, "split", "source", "image_path")
	if !o.Public {
		out = append(out, "criteria")
	}
	return append(out, "image")
}

type sampleWriter struct {
	o     SampleExport
	shown map[eval.PictureHash]eval.SampleID // rows that have one picture, by it
	left  int
}

func (w *sampleWriter) cells(r *SampleRow) []any {
	s := &r.Sample
	out := []any{index(s.ID, 0), s.Question, s.Hint}
	if len(w.o.Letters) == 0 {
		out = append(out, optionMap(s.Options))
	} else {
		row := PredictionRow{Options: s.Options}
		out = append(out, row.options(w.o.Letters)...)
	}
	if !w.o.Public {
		answer := string(s.Answer)
		if answer == "" {
			answer = s.Reference
		}
		out = append(out, answer, s.Kind.String())
	}
	var fine, coarse any
	if n := len(s.Taxonomy); n > 0 {
		if fine = s.Taxonomy[n-1]; n > 1 {
			coarse = s.Taxonomy[n-2]
		}
	}
	out = append(out, levels(s.Taxonomy), fine, coarse, s.Type.String(), s.Split, s.Source, w.names(s))
	if !w.o.Public {
		var cs any
		if r.Written {
			cs = slices.Concat([]CriterionCell{}, r.Criteria)
		}
		out = append(out, cs)
	}
	return append(out, w.image(r))
}

// names is what the source called the pictures; nil when it did not.
func (w *sampleWriter) names(s *eval.Sample) any {
	var out []string
	for _, p := range s.Pictures {
		if p.Name == "" {
			return nil
		}
		out = append(out, p.Name)
	}
	return few(out)
}

// image is the pictures as a cell; nil when their bytes are not there.
func (w *sampleWriter) image(r *SampleRow) any {
	var out []string
	for i, p := range r.Sample.Pictures {
		if i >= len(r.Pictures) || r.Pictures[i] == nil {
			continue
		}
		if w.o.Format == FormatXLSX {
			w.left++
			continue
		}
		one := len(r.Sample.Pictures) == 1
		if of, ok := w.shown[p.Hash]; ok && one {
			return string(of)
		}
		if one && len(r.Sample.ID) <= referenceLimit {
			w.shown[p.Hash] = r.Sample.ID
		}
		out = append(out, base64.StdEncoding.EncodeToString(r.Pictures[i]))
	}
	return few(out)
}

// few is texts as a cell: one as itself, several as a list; nil for none.
func few(texts []string) any {
	switch len(texts) {
	case 0:
		return nil
	case 1:
		return texts[0]
	}
	return texts
}
