package report

import "concord/eval"

// Ranking is what models are ranked by.
type Ranking struct {
	Name    string           `json:"name"`
	Kind    string           `json:"kind"` // votes, people, accuracy, mme or external
	Dataset eval.DatasetName `json:"dataset"`
	Sources []string         `json:"sources,omitempty"` // of external ones

	Values map[string]float64 `json:"-"` // by model
}

// FindOrAddRanking finds the ranking of a name in a list, and adds it at the end.
func FindOrAddRanking(all *[]*Ranking, r Ranking) *Ranking {
	for _, have := range *all {
		if have.Name == r.Name {
			return have
		}
	}
	r.Values = make(map[string]float64)
	*all = append(*all, &r)
	return &r
}
