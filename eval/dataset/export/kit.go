package export

import (
	"fmt"
	"io"
	"iter"

	"concord/eval"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// KitLayout is a file that other tools read predictions from. The zero value
// is unset.
type KitLayout uint8

// The layouts.
const (
	KitUnset       KitLayout = iota
	KitPredictions           // {model}_{dataset}.xlsx of VLMEvalKit: the dataset's columns less the image, and the prediction
	KitSubmission            // what MMBench's evaluation server takes
	KitResults               // the kit's _result file: a row for each question, with hit and log; of yes and no its _auxmatch, with extracted and score
)

// KitRow is a prediction with its question as it stood in that pass.
type KitRow struct {
	Sample     eval.Sample
	Pass       eval.Pass
	Shown      eval.Shown
	Prediction string
	Coarse     bool        // the dataset's: l2-category holds the first of two levels
	Failed     bool        // the call gave no answer
	Scored     bool        // of results: the question has a truth, and its passes decide it
	Hit        bool        // of results
	Log        string      // of results
	Said       eval.Choice // of results: what was read in the prediction; "" when nothing was
}

// kitFailed is what the kit writes for a call that gave no answer, and takes
// for one.
const kitFailed = "Failed to obtain answer via API."

// KitColumns is what a dataset has to write: the kit counts by a column that
// is there, so one that is empty in all rows is left out.
type KitColumns struct {
	Circular bool // results are of passes together: they have the kit's g_index
	Coarse   bool // the dataset's, as in KitRow

	filled       map[string]bool // columns that some row has
	yesno, other bool            // kinds of questions
}

// AddSample looks at a sample.
func (c *KitColumns) AddSample(s *eval.Sample) {
	eval.MakeMap(&c.filled)
	row := KitRow{Sample: *s, Shown: s.ShowInPass(0), Coarse: c.Coarse}
	deep := makeKitLevels(s, c.Coarse).deep
	for name, cell := range row.cellsByColumn() {
		c.filled[name] = c.filled[name] || cell != nil && (deep || name != "taxonomy")
	}
	c.filled["answer"] = c.filled["answer"] || s.Reference != ""
	c.yesno, c.other = c.yesno || s.Kind == eval.KindYesNo, c.other || s.Kind != eval.KindYesNo
}

// kitLevels is a taxonomy path in the kit's columns: category, with
// l2-category coarser (MMBench) or l2_category finer (MMStar) than it.
type kitLevels struct {
	category, coarse, fine string
	deep                   bool // the columns do not say all of the path
}

// makeKitLevels takes two levels for MMStar's, unless the dataset's own file had
// them as MMBench has.
func makeKitLevels(s *eval.Sample, coarse bool) kitLevels {
	path := s.Taxonomy
	switch n := len(path); {
	case n == 0:
		return kitLevels{}
	case n == 1:
		return kitLevels{category: path[0]}
	case n == 2 && s.Kind == eval.KindYesNo && eval.MMEAbilityOf(path[1]) == path[0]:
		return kitLevels{category: path[1]}
	case n == 2 && coarse:
		return kitLevels{category: path[1], coarse: path[0]}
	case n == 2:
		return kitLevels{category: path[0], fine: path[1]}
	default:
		known := n == 3 && profile.FirstLevelOf(path[1]) == path[0]
		return kitLevels{category: path[n-1], coarse: path[n-2], deep: !known}
	}
}

func (c *KitColumns) columnNames(layout KitLayout) []string {
	out := []string{"index", "question"}
	add := func(is bool, name string) {
		if is {
			out = append(out, name)
		}
	}
	add(c.filled["hint"] && layout != KitSubmission, "hint")
	for l := 'A'; l <= 'Z'; l++ { // MMBench's server asks for four, filled or not
		add(c.filled[string(l)] || layout == KitSubmission && l <= 'D', string(l))
	}
	if layout == KitSubmission {
		out = append(out, "prediction")
		add(c.filled["answer"], "answer")
		add(c.filled["split"], "split")
		return out
	}
	source := eval.Either(c.filled["l2_category"], "bench", "source") // as MMStar's file has it, whose finer level stands beside the category
	for _, name := range []string{"answer", "category", "l2-category", "l2_category", "taxonomy", "split", source, "image_path"} {
		add(c.filled[name], name)
	}
	out = append(out, "prediction")
	add(c.Circular && layout == KitResults, "g_index")
	switch {
	case layout != KitResults:
	case c.yesno && !c.other:
		out = append(out, "extracted", "score")
	default:
		out = append(out, "hit", "log")
	}
	return out
}

// WriteKit writes predictions in a layout of VLMEvalKit, in one of
// TableFormats: the row of pass r has the question's index plus r * 1,000,000,
// with the options as that pass showed them. The kit tells passes apart by
// numbers: the warnings say when ids are none.
func WriteKit(w io.Writer, format string, layout KitLayout, c *KitColumns, rows iter.Seq2[KitRow, error]) (warnings []string, err error) {
	names := c.columnNames(layout)
	t, err := tablefile.New(w, format, names)
	if err != nil {
		return nil, err
	}
	t.SetVerbatim()
	text, failed := 0, 0
	warnings, err = writeRows(t, "predictions", rows, func(r *KitRow) []any {
		if _, number := formatRowIndex(r.Sample.ID, r.Pass).(int); !number {
			text++
		}
		if r.Failed {
			failed++
		}
		values := r.cellsByColumn()
		return eval.Map(names, func(n string) any { return values[n] })
	})
	if text > 0 {
		warnings = append(warnings, fmt.Sprintf("%d rows have an id that is no number: VLMEvalKit cannot tell the passes of those apart", text))
	}
	if failed > 0 {
		warnings = append(warnings, fmt.Sprintf("%d calls gave no answer: VLMEvalKit's own text for that stands in their rows", failed))
	}
	return warnings, err
}

func (r *KitRow) cellsByColumn() map[string]any {
	l := makeKitLevels(&r.Sample, r.Coarse)
	values := map[string]any{
		"index": formatRowIndex(r.Sample.ID, r.Pass), "question": r.Sample.Question, "hint": CellOrNil(r.Sample.Hint),
		"answer": formatKitAnswer(&r.Sample, r.Shown.Answer), "split": CellOrNil(r.Sample.Split), "source": CellOrNil(r.Sample.Source), "bench": CellOrNil(r.Sample.Source),
		"category": CellOrNil(l.category), "l2-category": CellOrNil(l.coarse), "l2_category": CellOrNil(l.fine), "taxonomy": ListOrNil(r.Sample.Taxonomy),
		"prediction": r.Prediction, "g_index": formatRowIndex(r.Sample.ID, 0), "log": r.Log, "extracted": r.formatExtracted(),
	}
	if r.Failed {
		values["prediction"] = kitFailed
	}
	switch {
	case r.Scored && r.Hit:
		values["hit"], values["score"] = 1, 1
	case r.Scored:
		values["hit"], values["score"] = 0, 0
	}
	if len(r.Sample.Pictures) > 0 {
		values["image_path"] = CellOrNil(r.Sample.Pictures[0].Name)
	}
	for _, o := range r.Shown.Options {
		values[string(o.Letter)] = o.Text
	}
	return values
}

// formatExtracted gives the kit's word for what was read in an answer of yes or no.
func (r *KitRow) formatExtracted() string {
	if said, ok := formatKitAnswer(&eval.Sample{Kind: eval.KindYesNo}, r.Said).(string); ok {
		return said
	}
	return "Unknown"
}

// formatKitAnswer gives the truth as the kit compares it: Yes and No are capitalised.
func formatKitAnswer(s *eval.Sample, answer eval.Choice) any {
	switch {
	case s.Kind == eval.KindYesNo && answer == eval.Yes:
		return "Yes"
	case s.Kind == eval.KindYesNo && answer == eval.No:
		return "No"
	case s.Kind == eval.KindOpen:
		return CellOrNil(s.Reference)
	}
	return CellOrNil(string(answer))
}
