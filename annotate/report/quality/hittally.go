package quality

import (
	"concord/annotate/curation"
	"concord/annotate/report"
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
	const undecided, ungraded = "no sample decided by all text-only probe models", "no sample graded"
	p := InspectedPart{
		Source: t.source, Pool: t.pool, Incomplete: t.pool - t.whole, Ungraded: t.filtered - t.graded,
		Hits: []report.HitShare{}, Levels: []LevelGroup{}, Sighted: []report.HitShare{},
		Abnormal: report.Portion(t.abnormal, t.whole, undecided), Majority: report.Portion(t.majority, t.whole, undecided),
		Filtered: report.Portion(t.filtered, t.whole, undecided), Doubtful: report.Portion(t.doubtful, t.graded, ungraded),
		Candidates: report.Portion(t.candidates, t.pool, "no samples"),
	}
	for n, samples := range t.hits {
		p.Hits = append(p.Hits, report.HitShare{Hits: n, Samples: report.Portion(samples, t.whole, undecided)})
	}
	for n, samples := range t.sighted {
		p.Sighted = append(p.Sighted, report.HitShare{Hits: n, Samples: report.Portion(samples, t.graded, ungraded)})
	}
	if len(t.row.Graders) > 0 {
		for _, d := range levels() {
			p.Levels = append(p.Levels, LevelGroup{d.String(), report.Portion(t.levels[d], t.graded, ungraded)})
		}
	} else {
		p.Doubtful, p.Ungraded = stat.Undefined("no run with the image"), 0
	}
	if t.row.accepted != nil {
		accepted := report.Portion(t.accepted, t.pool, "no samples")
		p.Accepted = &accepted
	}
	return p
}
