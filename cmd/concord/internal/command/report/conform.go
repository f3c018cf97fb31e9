package report

import (
	"concord/annotate/report"
	"concord/cmd/concord/internal/facts"
)

var _ report.VoteFacts = facts.Source{}
