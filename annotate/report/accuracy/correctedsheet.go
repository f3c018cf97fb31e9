package accuracy

import (
	"fmt"

	"concord/annotate/report"
	"concord/annotate/report/table"
)

// correctedSheet lays judge only, people only and corrected out side by side.
func correctedSheet(rows []*Row) table.Table {
	t := table.Table{
		Name: "corrected accuracy", Title: "corrected by people's labels",
		Columns: table.Columns(report.SheetColumns, table.List("dataset split extractor strategy target"), report.CorrectionColumns),
	}
	for _, r := range rows {
		line := append(r.SheetCells(), table.Text(string(r.Dataset)), table.Text(r.Split), table.Text(r.Extractor), table.Text(r.Strategy), table.Text(r.Target))
		figures, o := r.Line(table.Computed), r.opener()
		for i := range figures {
			figures[i] = report.Over(figures[i], o, report.Right, report.Wrong)
		}
		t.Rows = append(t.Rows, append(line, figures...))
		t.Notes = append(t.Notes, r.Remarks(fmt.Sprintf("Run %d, %s", r.Run, r.Strategy), table.Computed)...)
	}
	return t
}
