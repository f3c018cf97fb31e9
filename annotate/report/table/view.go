package table

// View is a table as the page's template reads it.
type View struct {
	Title   string
	Columns []pageColumn
	Rows    [][]pageCell
	Notes   []string
}

type (
	pageColumn struct {
		Name   string
		Number bool
	}
	pageCell struct {
		Text         string
		Number, Best bool
	}
)

// View is the table without what only a terminal shows.
func (t Table) View() View {
	t = t.Plain()
	out := View{Title: visible(t.Name), Rows: make([][]pageCell, len(t.Rows))}
	if t.Title != "" {
		out.Title = visible(t.heading())
	}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, pageColumn{visible(c.Head()), c.Kind != KindText})
	}
	for i, row := range t.Rows {
		for j, c := range row {
			out.Rows[i] = append(out.Rows[i], pageCell{visible(c.String()), t.Columns[j].Kind != KindText, c.best})
		}
	}
	for _, n := range t.Notes {
		out.Notes = append(out.Notes, visible(n))
	}
	return out
}
