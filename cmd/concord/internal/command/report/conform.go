package report

import (
	"concord/annotate/report/pairwise"
	"concord/cmd/concord/internal/facts"
)

var _ pairwise.VoteFacts = facts.Source{}
