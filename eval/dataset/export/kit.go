package export

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// KitLayout is a file that other tools read predictions from. The zero value is unset.
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

// kitFailed is what the kit writes for a call that gave no answer, and takes for one.
const kitFailed = "Failed to obtain answer via API."

// KitColumns is what a dataset has to write: the kit counts by a column that
// is there, so one that is empty in all rows is left out.
type KitColumns struct {
	Circular bool // results are of passes together: they have the kit's g_index
	Coarse   bool // the dataset's, as in KitRow

	filled       map[string]bool // columns that some row has
	yesno, other bool            // kinds of questions
}

// NoteFilledColumns looks at a sample.
func (c *KitColumns) NoteFilledColumns(s *eval.Sample) {
	eval.EnsureMap(&c.filled)
	row := KitRow{Sample: *s, Shown: s.ShowInPass(0), Coarse: c.Coarse}
	deep := chooseKitLevels(s, c.Coarse).deep
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

// chooseKitLevels takes two levels for MMStar's, unless the dataset's own file had them as MMBench has.
func chooseKitLevels(s *eval.Sample, coarse bool) kitLevels {
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

// WriteKit writes predictions in a layout of VLMEvalKit, in one of TableFormats: the row of
// pass r has the question's index plus r * 1,000,000, with the options as that pass showed
// them. The kit tells passes apart by numbers: the warnings say when ids are none.
func WriteKit(w io.Writer, format string, layout KitLayout, c *KitColumns, rows iter.Seq2[KitRow, error]) (warnings []string, err error) {
	names := c.columnNames(layout)
	t, err := tablefile.New(w, format, names)
	if err != nil {
		return nil, err
	}
	t.KeepFormulas()
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
	l := chooseKitLevels(&r.Sample, r.Coarse)
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

// The kit's short names of MMBench's abilities in its _acc.csv.
var kitAbilities = map[string]string{
	"coarse_perception":                       "CP",
	"finegrained_perception (instance-level)": "FP-S",
	"finegrained_perception (cross-instance)": "FP-C",
	"logic_reasoning":                         "LR",
	"relation_reasoning":                      "RR",
	"attribute_reasoning":                     "AR",
}

type kitShare struct{ hits, n int }

func (s *kitShare) addQuestion(hit bool) {
	s.n++
	if hit {
		s.hits++
	}
}

// formatShare gives the share as the kit writes it; empty for no question.
func (s *kitShare) formatShare() string {
	if s == nil || s.n == 0 {
		return ""
	}
	return formatPythonFloat(float64(s.hits) / float64(s.n))
}

// formatPythonFloat gives a number as Python writes it: whole ones have a zero behind the point.
func formatPythonFloat(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// WriteKitAccuracy writes the kit's _acc.csv: a row for each split, with the share of questions that
// were hit, over all and for each l2-category and category; nothing where no question could be scored.
// The kit's file holds no counts: the results do.
func WriteKitAccuracy(w io.Writer, rows iter.Seq2[KitRow, error]) error {
	shares := make(map[string]map[string]*kitShare) // by split and column
	abilities := [2]map[string]bool{{}, {}}         // l2-category, category
	for r, err := range rows {
		if err != nil {
			return fmt.Errorf("write accuracy: %w", err)
		}
		l := chooseKitLevels(&r.Sample, r.Coarse)
		split := cmp.Or(r.Sample.Split, "none")
		of := eval.GetOrAdd(shares, split, func() map[string]*kitShare { return make(map[string]*kitShare) })
		columns := []string{"Overall"}
		for i, ability := range []string{l.coarse, l.category} {
			if ability != "" {
				abilities[i][ability] = true
				columns = append(columns, ability)
			}
		}
		for _, column := range slices.Compact(columns) {
			share := eval.GetOrAdd(of, column, func() *kitShare { return &kitShare{} })
			if r.Scored {
				share.addQuestion(r.Hit)
			}
		}
	}
	columns := append([]string{"Overall"}, slices.Sorted(maps.Keys(abilities[0]))...)
	columns = append(columns, slices.Sorted(maps.Keys(abilities[1]))...)
	line := func(name string, cell func(column string) string) []string {
		return append([]string{name}, eval.Map(columns, cell)...)
	}
	lines := [][]string{line("split", func(c string) string { return cmp.Or(kitAbilities[c], c) })}
	lines = append(lines, eval.Map(slices.Sorted(maps.Keys(shares)), func(split string) []string {
		return line(split, func(c string) string { return shares[split][c].formatShare() })
	})...)
	return writeKitCSV(w, lines)
}

// writeKitCSV writes CSV as the kit does: every cell in quotes.
func writeKitCSV(w io.Writer, lines [][]string) error {
	out := bufio.NewWriter(w)
	for _, cells := range lines {
		for i, c := range cells {
			if i > 0 {
				_ = out.WriteByte(',') // the writer keeps its first error
			}
			_, _ = out.WriteString(`"` + strings.ReplaceAll(c, `"`, `""`) + `"`)
		}
		_ = out.WriteByte('\n')
	}
	return out.Flush()
}

// kitTotals are the kit's names of MME's totals, in its order.
var kitTotals = [...]struct{ name, ability string }{{"perception", eval.Perception}, {"reasoning", eval.Cognition}}

// kitPictures are the questions of a subtask by the picture that they are about.
type kitPictures struct {
	all  kitShare
	hits map[string][]bool
}

// computePlusShare computes the share of pictures with their first two questions right.
func (p *kitPictures) computePlusShare() (share kitShare, alone int) {
	for _, hits := range p.hits {
		if len(hits) < 2 {
			alone++
			continue
		}
		share.addQuestion(hits[0] && hits[1])
	}
	return share, alone
}

// WriteKitScores writes the kit's _score.csv of MME: perception, what the kit calls reasoning, and the
// score of each subtask, 100 times accuracy and 100 times accuracy+. A total is empty where not all of
// its subtasks are there, and so is the score of a subtask without pairs: the kit writes no such file.
// Questions are of one picture by its name; the kit's file holds no counts.
func WriteKitScores(w io.Writer, rows iter.Seq2[KitRow, error]) (warnings []string, err error) {
	subtasks := make(map[string]*kitPictures)
	skipped := 0
	for r, err := range rows {
		if err != nil {
			return nil, fmt.Errorf("write scores: %w", err)
		}
		name := chooseKitLevels(&r.Sample, r.Coarse).category
		if r.Sample.Kind != eval.KindYesNo || eval.MMEAbilityOf(name) == "" || !r.Scored {
			skipped++
			continue
		}
		s := eval.GetOrAdd(subtasks, name, func() *kitPictures { return &kitPictures{hits: make(map[string][]bool)} })
		s.all.addQuestion(r.Hit)
		at := string(r.Sample.ID)
		if ps := r.Sample.Pictures; len(ps) > 0 {
			at = cmp.Or(ps[0].Name, string(ps[0].Hash), at)
		}
		s.hits[at] = append(s.hits[at], r.Hit)
	}
	if len(subtasks) == 0 {
		return nil, errors.New("write scores: no question of MME that is scored: other datasets have accuracies (kit-acc)")
	}
	lines, alone := computeKitScores(subtasks)
	if skipped > 0 {
		warnings = append(warnings, fmt.Sprintf("%d questions are not of MME's subtasks, or not scored: they are in no score", skipped))
	}
	if alone > 0 {
		warnings = append(warnings, fmt.Sprintf("%d images have one question: they count for accuracy alone, and VLMEvalKit would fail on them", alone))
	}
	return warnings, writeKitCSV(w, lines)
}

func computeKitScores(subtasks map[string]*kitPictures) (lines [][]string, alone int) {
	lines = make([][]string, 2)
	add := func(name, text string) { lines[0], lines[1] = append(lines[0], name), append(lines[1], text) }
	scores := make(map[string]float64)
	names := slices.Sorted(maps.Keys(subtasks))
	for _, name := range names {
		share, one := subtasks[name].computePlusShare()
		if alone += one; share.n > 0 {
			all := subtasks[name].all
			scores[name] = float64(all.hits)/float64(all.n)*100 + float64(share.hits)/float64(share.n)*100
		}
	}
	for _, t := range kitTotals {
		total, n := 0.0, 0
		for _, name := range names {
			if score, ok := scores[name]; ok && eval.MMEAbilityOf(name) == t.ability {
				total, n = total+score, n+1
			}
		}
		add(t.name, eval.Either(n == eval.CountMMESubtasks(t.ability), formatPythonFloat(total), ""))
	}
	for _, name := range names {
		score, ok := scores[name]
		add(name, eval.Either(ok, formatPythonFloat(score), ""))
	}
	return lines, alone
}
