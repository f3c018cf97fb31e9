package report

import (
	"strconv"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
)

// sheetColumns are those of a head, in a table whose title says dataset and
// split.
var sheetColumns = []table.Column{{Name: "run", Kind: table.KindCount}, {Name: "model"}, {Name: "modality"}}

func (h *Head) sheetCells() []table.Cell { return sheetCells(h.cells()) }

// sheetCells are those of a head's cells that such a table has.
func sheetCells(head []table.Cell) []table.Cell { return []table.Cell{head[0], head[3], head[4]} }

// place is what the title of a table says of its rows.
func (h *Head) place() string { return string(h.Dataset) + ", split " + h.Split }

// contender names a row's run in a chart.
func (h *Head) contender() string {
	out := h.named() + " #" + strconv.Itoa(int(h.Run))
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
	Model     string           `json:"model"`
	Modality  string           `json:"modality"`
	Synthetic bool             `json:"synthetic,omitempty"`
}

func head(r eval.Run, split string) Head {
	return Head{
		Run: r.ID, Dataset: r.Config.Dataset, Split: split, Model: r.Config.Model,
		Modality: r.Config.Modality.String(), Synthetic: r.Config.Synthetic,
	}
}

// named is the model's name, with the word that its answers were made up.
func (h *Head) named() string {
	if h.Synthetic && !strings.Contains(h.Model, "(synthetic)") { // some names say it
		return h.Model + " (synthetic)"
	}
	return h.Model
}

func (h *Head) cells() []table.Cell {
	return []table.Cell{table.Count(int(h.Run)), table.Text(string(h.Dataset)), table.Text(h.Split), table.Text(h.named()), table.Text(h.Modality)}
}

var headColumns = []table.Column{
	{Name: "run", Kind: table.KindCount}, {Name: "dataset"}, {Name: "split"}, {Name: "model"}, {Name: "modality"},
}
