package report

import (
	"concord/annotate/curation"
	"concord/eval/stat"
)

// hitTally counts the samples of a pool, or of one source of it.
type hitTally struct {
	row    *InspectorsRow
	source string

	pool, whole, abnormal, majority, filtered int // whole: every inspector has decided them
	graded, doubtful, candidates, accepted    int
	hits, sighted                             []int
	levels                                    [curation.Difficulties]int
}

func newHitTally(r *InspectorsRow, source string) *hitTally {
	t := &hitTally{row: r, source: source, hits: make([]int, len(r.Inspectors)+1)}
	if len(r.Graders) > 0 {
		t.sighted = make([]int, len(r.Graders)+1)
	}
	return t
}

func (t *hitTally) add(f *curation.Finding) {
	t.pool++
	if t.row.accepted[f.Sample] {
		t.accepted++
	}
	if f.Candidate() {
		t.candidates++
	}
	if f.Fate == curation.Incomplete {
		return
	}
	t.whole++
	t.hits[f.Blind.K]++
	if f.Abnormal {
		t.abnormal++
	}
	if f.Majority {
		t.majority++
	}
	if !passed(f) {
		return
	}
	t.filtered++
	if f.Difficulty == curation.Ungraded {
		return
	}
	t.graded++
	t.levels[f.Difficulty]++
	t.sighted[f.Sighted.K]++
	if f.Fate == curation.Doubtful {
		t.doubtful++
	}
}

// passed reports a sample that the coarse filter keeps.
func passed(f *curation.Finding) bool { return f.Fate == curation.Kept || f.Fate == curation.Doubtful }

// levels are the levels of difficulty, the easiest first.
func levels() []curation.Difficulty {
	return []curation.Difficulty{curation.Easy, curation.Moderate, curation.Hard, curation.Tough}
}

// part is what was counted.
func (t *hitTally) part() InspectedPart {
	const undecided, ungraded = "no sample decided by all inspectors", "no sample graded"
	p := InspectedPart{
		Source: t.source, Pool: t.pool, Incomplete: t.pool - t.whole, Ungraded: t.filtered - t.graded,
		Hits: []HitShare{}, Levels: []LevelGroup{}, Sighted: []HitShare{},
		Abnormal: portion(t.abnormal, t.whole, undecided), Majority: portion(t.majority, t.whole, undecided),
		Filtered: portion(t.filtered, t.whole, undecided), Doubtful: portion(t.doubtful, t.graded, ungraded),
		Candidates: portion(t.candidates, t.pool, "no samples"),
	}
	for n, samples := range t.hits {
		p.Hits = append(p.Hits, HitShare{n, portion(samples, t.whole, undecided)})
	}
	for n, samples := range t.sighted {
		p.Sighted = append(p.Sighted, HitShare{n, portion(samples, t.graded, ungraded)})
	}
	if len(t.row.Graders) > 0 {
		for _, d := range levels() {
			p.Levels = append(p.Levels, LevelGroup{d.String(), portion(t.levels[d], t.graded, ungraded)})
		}
	} else {
		p.Doubtful, p.Ungraded = stat.Undefined("no run with the picture"), 0
	}
	if t.row.accepted != nil {
		accepted := portion(t.accepted, t.pool, "no samples")
		p.Accepted = &accepted
	}
	return p
}
