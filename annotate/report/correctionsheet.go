package report

import (
	"concord/annotate/report/table"
)

// CorrectionColumns are those of the cells of a line.
var CorrectionColumns = []table.Column{
	{Name: "judge_only", Kind: table.KindScore},
	{Name: "people_only", Kind: table.KindScore},
	{Name: "corrected", Kind: table.KindScore},
	{Name: "bounds"},
	{Name: "labels"},
	{Name: "gain"},
	{Name: "needs"},
}
