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
)

// The kit's short names of MMBench's abilities in its _acc.csv.
var kitAbilities = map[string]string{
	"coarse_perception":                       "CP",
	"finegrained_perception (instance-level)": "FP-S",
	"finegrained_perception (cross-instance)": "FP-C",
	"logic_reasoning":                         "LR",
	"relation_reasoning":                      "RR",
	"attribute_reasoning":                     "AR",
}

// kitShare is hits of questions.
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

// formatPythonFloat gives a number as Python writes it: whole ones have a zero behind
// the point.
func formatPythonFloat(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// WriteKitAccuracy writes the kit's _acc.csv: a row for each split, with the
// share of questions that were hit, over all and for each l2-category and
// category; nothing where no question could be scored. The kit's file holds no
// counts: the results do.
func WriteKitAccuracy(w io.Writer, rows iter.Seq2[KitRow, error]) error {
	shares := make(map[string]map[string]*kitShare) // by split and column
	abilities := [2]map[string]bool{{}, {}}         // l2-category, category
	for r, err := range rows {
		if err != nil {
			return fmt.Errorf("write accuracy: %w", err)
		}
		l := makeKitLevels(&r.Sample, r.Coarse)
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
	for _, split := range slices.Sorted(maps.Keys(shares)) {
		lines = append(lines, line(split, func(c string) string { return shares[split][c].formatShare() }))
	}
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

// kitPictures are the questions of a subtask by the picture that they are
// about.
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

// WriteKitScores writes the kit's _score.csv of MME: perception, what the kit
// calls reasoning, and the score of each subtask, 100 times accuracy and 100
// times accuracy+. A total is empty where not all of its subtasks are there,
// and so is the score of a subtask without pairs: the kit writes no such file.
// Questions are of one picture by its name; the kit's file holds no counts.
func WriteKitScores(w io.Writer, rows iter.Seq2[KitRow, error]) (warnings []string, err error) {
	subtasks := make(map[string]*kitPictures)
	skipped := 0
	for r, err := range rows {
		if err != nil {
			return nil, fmt.Errorf("write scores: %w", err)
		}
		name := makeKitLevels(&r.Sample, r.Coarse).category
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
