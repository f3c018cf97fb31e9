package report

import (
	"strconv"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
)

// SheetColumns are those of a head, in a table whose title says dataset and
// split.
var SheetColumns = table.List("run:count model modality")

// SheetCells are the cells of SheetColumns.
func (h *Head) SheetCells() []table.Cell { return SheetCellsOf(h.Cells()) }

// SheetCellsOf are those of a head's cells that such a table has.
func SheetCellsOf(head []table.Cell) []table.Cell { return []table.Cell{head[0], head[3], head[4]} }

// Place is what the title of a table says of its rows.
func (h *Head) Place() string { return string(h.Dataset) + ", split " + h.Split }

// Contender names a row's run in a chart.
func (h *Head) Contender() string {
	out := h.Named() + " #" + strconv.Itoa(int(h.Run))
	if h.Modality != "" && h.Modality != eval.WithImage.String() {
		out += " (" + h.Modality + ")"
	}
	return out
}

// Head says which predictions a row is about.
type Head struct {
	Run       eval.RunID       `json:"run,omitzero"`
	Dataset   eval.DatasetName `json:"dataset"`
	Split     string           `json:"split"`
	Model     string           `json:"model" as:"named"`
	Modality  string           `json:"modality"`
	Shots     int              `json:"shots"`             // worked examples before a question
	Setting   string           `json:"setting,omitempty"` // in which it differs from another run of its model
	Synthetic bool             `json:"synthetic,omitempty"`
}

// HeadOf is the head of a row on a run's split.
func HeadOf(r eval.Run, split string) Head {
	return Head{
		Run: r.ID, Dataset: r.Config.Dataset, Split: split, Model: r.Config.Model,
		Modality: r.Config.Modality.String(), Synthetic: r.Config.Synthetic, Shots: r.Config.Settings.Shots, Setting: r.Setting,
	}
}

// Named is the model's name, with the settings in which its runs differ, and
// with the word that its answers were made up.
func (h *Head) Named() string {
	name := h.Model
	if h.Setting != "" {
		name += " [" + h.Setting + "]"
	}
	if h.Synthetic && !strings.Contains(h.Model, "(synthetic)") { // some names say it
		return name + " (synthetic)"
	}
	return name
}

// Cells are those of HeadColumns.
func (h *Head) Cells() []table.Cell {
	return []table.Cell{table.Count(int(h.Run)), table.Text(string(h.Dataset)), table.Text(h.Split), table.Text(h.Named()), table.Text(h.Modality)}
}

// HeadNames are the measures of a head in a Layout, and SheetNames those in a
// table whose title says dataset and split.
const (
	HeadNames  = "run dataset split model modality "
	SheetNames = "run model modality "
)

// HeadColumns are those of a head.
var HeadColumns = table.List("run:count dataset split model modality")
