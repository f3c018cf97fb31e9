package main

import (
	"concord/annotate/report"
)

var _ report.VoteFacts = facts{}
