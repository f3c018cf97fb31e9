package curation

import (
	"testing"

	"concord/eval"
	"concord/eval/stat"
)

func runs(n int) []Inspector { return make([]Inspector, n) }

func TestFind(t *testing.T) {
	in := Inspection{Settings: MMStarSettings(), Probes: runs(8), Graders: runs(16)}
	check := func(blind, sighted stat.Count, want Finding) {
		t.Helper()
		want.HitMark = HitMark{7, blind, sighted}
		if got := in.DeriveFinding(want.HitMark); got != want {
			t.Errorf("%v blind, %v sighted: %+v, want %+v", blind, sighted, got, want)
		}
	}
	of := func(k, n int) stat.Count { return stat.Count{K: k, N: n} }
	check(of(2, 8), of(12, 16), Finding{Fate: Kept, Difficulty: Easy})
	check(of(3, 8), of(12, 16), Finding{Fate: Answerable})
	check(of(4, 8), stat.Count{}, Finding{Fate: Answerable})
	check(of(5, 8), stat.Count{}, Finding{Fate: Answerable, Majority: true})
	check(of(6, 8), stat.Count{}, Finding{Fate: Answerable, Majority: true, Abnormal: true})
	check(of(0, 8), of(16, 16), Finding{Fate: Kept, Difficulty: Easy})
	check(of(0, 8), of(11, 16), Finding{Fate: Kept, Difficulty: Moderate})
	check(of(0, 8), of(8, 16), Finding{Fate: Kept, Difficulty: Moderate})
	check(of(0, 8), of(7, 16), Finding{Fate: Kept, Difficulty: Hard})
	check(of(0, 8), of(4, 16), Finding{Fate: Kept, Difficulty: Hard})
	check(of(0, 8), of(3, 16), Finding{Fate: Kept, Difficulty: Tough})
	check(of(0, 8), of(0, 16), Finding{Fate: Kept, Difficulty: Tough})
	check(of(0, 8), of(15, 15), Finding{Fate: Kept})
	check(of(7, 7), of(16, 16), Finding{Fate: Incomplete})
	in.Settings.Doubtful = Share{0, 16}
	check(of(0, 8), of(0, 16), Finding{Fate: Doubtful, Difficulty: Tough})
	check(of(0, 8), of(1, 16), Finding{Fate: Kept, Difficulty: Tough})
	check(of(0, 8), of(0, 15), Finding{Fate: Kept})
	in.Probes, in.Graders = runs(3), runs(2)
	check(of(0, 3), of(1, 2), Finding{Fate: Kept, Difficulty: Moderate})
	check(of(1, 3), stat.Count{}, Finding{Fate: Answerable})
	check(of(2, 3), stat.Count{}, Finding{Fate: Answerable, Majority: true})
	in.Probes, in.Graders = nil, nil
	check(stat.Count{}, stat.Count{}, Finding{Fate: Incomplete})
}

func TestCandidates(t *testing.T) {
	in := Inspection{Settings: MMStarSettings(), Probes: runs(8), Marks: []HitMark{
		{1, stat.Count{K: 3, N: 8}, stat.Count{}}, {4, stat.Count{K: 2, N: 8}, stat.Count{}}, {5, stat.Count{K: 0, N: 7}, stat.Count{}},
	}}
	got := func() (out []eval.Ordinal) {
		for _, f := range in.Candidates() {
			out = append(out, f.Sample)
		}
		return out
	}
	if c := got(); len(c) != 1 || c[0] != 4 {
		t.Errorf("candidates %v, want sample 4", c)
	}
	in.Settings.Keep = Share{1, 2}
	if c := got(); len(c) != 2 || c[0] != 1 || c[1] != 4 {
		t.Errorf("candidates by majority %v, want samples 1 and 4", c)
	}
}

func TestSettings(t *testing.T) {
	check := func(change func(*Settings), ok bool) {
		t.Helper()
		s := MMStarSettings()
		change(&s)
		if err := s.Validate(); (err == nil) != ok {
			t.Errorf("%+v: %v", s, err)
		}
	}
	check(func(*Settings) {}, true)
	check(func(s *Settings) { s.Keep = Share{} }, false)
	check(func(s *Settings) { s.Keep = Share{3, 4} }, false)
	check(func(s *Settings) { s.Keep = Share{1, 2} }, true)
	check(func(s *Settings) { s.Doubtful = Share{0, 3} }, true)
	check(func(s *Settings) { s.Doubtful = Share{4, 3} }, false)
	check(func(s *Settings) { s.Hard = Share{1, 2} }, false)
	check(func(s *Settings) { s.Moderate = Share{3, 4} }, false)
}

func TestParseShare(t *testing.T) {
	check := func(text string, want Share) {
		t.Helper()
		got, err := ParseShare(text)
		if got != want || (err == nil) != (want != Share{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	check("2/8", Share{2, 8})
	check(" 0/3 ", Share{0, 3})
	check("9/8", Share{})
	check("-1/8", Share{})
	check("0/0", Share{})
	check("0.25", Share{})
	check("", Share{})
	if s := (Share{2, 8}).String(); s != "2/8" {
		t.Errorf("written as %s", s)
	}
}
