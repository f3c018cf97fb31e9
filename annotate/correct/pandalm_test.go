package correct

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"concord/eval/stat"
)

// pandalm reads PandaLM's 999 items: 1 where the people's majority, and where
// GPT-3.5, prefers the first answer.
func pandalm(t *testing.T) []Item {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../shared/data/agreement", "pandalm_votes.csv"))
	if err != nil {
		t.Skipf("real data is not here: %v", err)
	}
	defer func() { _ = f.Close() }()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	people, machine := make(map[string]int), make(map[string]bool)
	for _, l := range lines[1:] {
		switch item, rater, kind, vote := l[0], l[1], l[2], l[3]; {
		case kind == "person" && vote == "1":
			people[item]++
		case rater == "gpt-3.5-turbo":
			machine[item] = vote == "1"
		}
	}
	var out []Item
	for i := range 999 {
		id := fmt.Sprint(i)
		out = append(out, Item{People: one(people[id] >= 2), Machine: one(machine[id])})
	}
	if len(machine) != 999 {
		t.Fatalf("%d items", len(machine))
	}
	return out
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Of 4,000 draws of 60 labelled items of 999, the corrected interval must cover
// what all labels say as often as it claims to, and be narrower than people's
// alone.
func TestCoverageOnPandaLM(t *testing.T) {
	items := pandalm(t)
	truth, judge := 0.0, 0.0
	for _, it := range items {
		truth += it.People / 999
		judge += it.Machine / 999
	}
	if math.Abs(truth-0.4224) > 5e-5 || math.Abs(judge-0.4605) > 5e-5 {
		t.Fatalf("ground truth %.4f, judge %.4f", truth, judge)
	}
	const draws, labels = 4000, 60
	r := rand.New(rand.NewPCG(60, 999))
	var covered, alone, misread int
	var width, aloneWidth, lambda float64
	s := Stratum{Unlabelled: make([]float64, len(items)-labels)}
	for range draws {
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		s.Labelled = items[:labels]
		for i, it := range items[labels:] {
			s.Unlabelled[i] = it.Machine
		}
		score := ComputeScore([]Stratum{s}, Options{High: 1, Confidence: stat.Confidence})
		covered += int(one(covers(score.Corrected, truth)))
		alone += int(one(covers(score.People, truth)))
		by := s.MeasureErrors(stat.Confidence).Share
		misread += int(one(by.Undefined != "" || covers(by, truth)))
		width += score.Corrected.High - score.Corrected.Low
		aloneWidth += score.People.High - score.People.Low
		lambda += *score.Strata[0].Lambda
	}
	coverage, ratio := float64(covered)/draws, width/aloneWidth
	t.Logf("ground truth %.4f, judge only %.4f; coverage corrected %.4f, people only %.4f; width %.4f against %.4f, ratio %.4f; mean lambda %.3f",
		truth, judge, coverage, float64(alone)/draws, width/draws, aloneWidth/draws, ratio, lambda/draws)
	t.Logf("Rogan-Gladen covers %.4f", float64(misread)/draws)
	if float64(misread)/draws < 0.94 {
		t.Errorf("Rogan-Gladen covers %.4f", float64(misread)/draws)
	}
	if coverage < 0.94 || coverage > 0.97 {
		t.Errorf("coverage %.4f", coverage)
	}
	// The normal intervals of both had 0.83; the pseudo-labels, on which the
	// machine is wrong, cost the corrected one more.
	if math.Abs(ratio-0.87) > 0.015 {
		t.Errorf("width ratio %.4f", ratio)
	}
}

func covers(e stat.Estimate, v float64) bool { return e.Low <= v && v <= e.High }
