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
	return *eval.FindOrAdd(all, func(have **Ranking) bool { return (*have).Name == r.Name }, func() *Ranking {
		r.Values = make(map[string]float64)
		return &r
	})
}
