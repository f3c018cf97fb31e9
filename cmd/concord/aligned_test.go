package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/extract"
)

// readingRow is a row of the file of readings: what a person and the kit read out
// of a prediction.
type readingRow struct {
	ID         string            `json:"id"`
	Options    map[string]string `json:"options"`
	Prediction string            `json:"prediction"`
	Human      string            `json:"human"`
	Kind       string            `json:"human_kind"`
	Kit2026    string            `json:"vlmevalkit_2026"`
	Kit2024    string            `json:"vlmevalkit_2024"`
}

func (r *readingRow) options() []eval.Option {
	var out []eval.Option
	for _, letter := range slices.Sorted(maps.Keys(r.Options)) {
		out = append(out, eval.Option{Letter: eval.Choice(letter), Text: r.Options[letter]})
	}
	return out
}

// person is what the person read, as import labels has it.
func (r *readingRow) person() string {
	switch r.Kind {
	case "refused":
		return "refused"
	case "no-correct-answer":
		return "none"
	case "multiple":
		return "ambiguous"
	}
	return r.Human
}

// The readings of people go all the way, from the file of predictions over a
// queue and their labels to the report, and every rule set's figures come out
// as they do when the file is counted directly.
func TestAlignmentIsThatOfTheFile(t *testing.T) {
	file := "../../../shared/data/extraction/choices.jsonl"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("real data is not here: %v", err)
	}
	dir := t.TempDir()
	command := func(args ...string) []byte {
		t.Helper()
		var out, errs bytes.Buffer
		if code := runProgram(t.Context(), append([]string{"-p", filepath.Join(dir, "p.db")}, args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != cli.ExitDone {
			t.Fatalf("%v: status %d, %s", args, code, &errs)
		}
		return out.Bytes()
	}
	var rows []readingRow
	var ids, labels strings.Builder
	for line := range bytes.Lines(data) {
		var r readingRow
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind == "" {
			continue
		}
		rows = append(rows, r)
		fmt.Fprintln(&ids, r.ID)
		fmt.Fprintf(&labels, `{"sample":%q,"annotator":"person","choice":%q}`+"\n", r.ID, r.person())
	}
	idFile, labelFile := filepath.Join(dir, "ids.txt"), filepath.Join(dir, "labels.jsonl")
	if err := os.WriteFile(idFile, []byte(ids.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(labelFile, []byte(labels.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	command("import", "predictions", file, "--dataset", "d", "--model", "many")
	command("queue", "create", "people", "--dataset", "d", "--from", "all", "--ids", idFile)
	command("import", "labels", labelFile, "--queue", "people")
	var report struct {
		Rows []struct {
			Extractor string
			Alignment struct{ K, N int }
			One       int                     `json:"case_one"`
			Two       int                     `json:"case_two"`
			Kappa     struct{ Value float64 } `json:"cohen_kappa"`
			AC1       struct{ Value float64 } `json:"gwet_ac1"`
			Excluded  map[string]int
		}
	}
	if err := json.Unmarshal(command("report", "alignment", "--queue", "people", "--json"), &report); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1947 || len(report.Rows) != 5 {
		t.Fatalf("%d readings, %d rows", len(rows), len(report.Rows))
	}
	for _, got := range report.Rows {
		name := strings.TrimPrefix(got.Extractor, "rules:")
		want := countAligned(t, rows, name)
		if got.Alignment.K != want.aligned || got.Alignment.N != len(rows) || got.One != want.one || got.Two != want.two || len(got.Excluded) > 0 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if math.Abs(got.Kappa.Value-want.kappa) > 1e-9 || math.Abs(got.AC1.Value-want.ac1) > 1e-9 {
			t.Errorf("%s: kappa %v, AC1 %v, want %+v", name, got.Kappa.Value, got.AC1.Value, want)
		}
		t.Logf("%s: %+v", name, want)
	}
}

type fileCount struct {
	aligned, one, two int
	kappa, ac1        float64
}

// countAligned counts the file itself: the kit's readings as it has them,
// other rule sets' read anew.
func countAligned(t *testing.T, rows []readingRow, rules string) fileCount {
	t.Helper()
	reader, err := extract.FindRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	var out fileCount
	machine, person := make(map[string]float64), make(map[string]float64)
	n := float64(len(rows))
	for i := range rows {
		r := &rows[i]
		var m string
		switch rules {
		case "vlmevalkit-2026":
			m = r.Kit2026
		case "vlmevalkit-2024":
			m = r.Kit2024
		default:
			m = string(reader.Read(eval.KindChoice, r.options(), r.Prediction).Choice)
		}
		p := r.Human
		if _, option := r.Options[m]; !option {
			m = "X"
		}
		if r.Kind != "option" && r.Kind != "meta-option" {
			p = "X"
		}
		machine[m] += 1 / n
		person[p] += 1 / n
		switch {
		case m == p:
			out.aligned++
		case m == "X" || p == "X":
			out.one++
		default:
			out.two++
		}
	}
	classes := maps.Clone(machine)
	maps.Copy(classes, person)
	observed, expected, guessed := float64(out.aligned)/n, 0.0, 0.0
	for c := range classes {
		expected += machine[c] * person[c]
		mean := (machine[c] + person[c]) / 2
		guessed += mean * (1 - mean) / float64(len(classes)-1)
	}
	out.kappa = (observed - expected) / (1 - expected)
	out.ac1 = (observed - guessed) / (1 - guessed)
	return out
}
