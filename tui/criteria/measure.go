package criteria

import (
	"fmt"

	"concord/annotate/criteria"
)

// measuredPicture is the size of a picture; err when it cannot be read.
type measuredPicture struct {
	size criteria.Size
	err  error
}

// listWarnings lists those about a row, of its pictures too as far as they were measured.
func (m *sampleSet) listWarnings(r *Row) []criteria.Warning {
	out := r.Set.Warnings(&r.Sample)
	held := false
	for _, p := range r.Sample.Pictures {
		if p.Hash == "" {
			continue
		}
		held = true
		switch s, known := m.sizes[p.Hash]; {
		case known && s.err != nil:
			return append(out, criteria.BrokenPicture)
		case known && !s.size.IsClear():
			return append(out, criteria.SmallPicture)
		}
	}
	if !held {
		out = append(out, criteria.NoPicture)
	}
	return out
}

func (m *sampleSet) describeWarning(w criteria.Warning, r *Row) string {
	switch w {
	case criteria.NoCriteria:
		return "no criteria"
	case criteria.ManyCriteria:
		return fmt.Sprintf("%d criteria, more than %d", len(r.Set.Criteria()), criteria.Most)
	case criteria.UntypedText:
		return "a criterion without a type"
	case criteria.NoType:
		return "question without a type"
	case criteria.NoPicture:
		return "no image here"
	case criteria.BrokenPicture:
		return "the image cannot be read"
	case criteria.SmallPicture:
		for _, p := range r.Sample.Pictures {
			if s, ok := m.sizes[p.Hash]; ok && s.err == nil && !s.size.IsClear() {
				return fmt.Sprintf("short edge %d px, under %d", s.size.ShortEdge(), criteria.ShortEdge)
			}
		}
	case criteria.WarningUnset:
	}
	return w.String()
}
