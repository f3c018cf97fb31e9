package report

import (
	"concord/annotate/report/table"
)

var correctionColumns = []table.Column{
	{Name: "judge_only", Kind: table.KindScore},
	{Name: "people_only", Kind: table.KindScore},
	{Name: "corrected", Kind: table.KindScore},
	{Name: "bounds"},
	{Name: "labels"},
	{Name: "gain"},
	{Name: "needs"},
}
