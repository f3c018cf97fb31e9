package report

// Audience is who may see a row of a report. Every row type has to state it: a
// row is shown to everybody because somebody decided so, and for no other reason.
type Audience uint8

// The audiences.
const (
	AudienceUnset Audience = iota // nobody has decided: hidden
	Everyone                      // it tells nothing of single people, nor how single items were answered
	InPart                        // everybody may see what the row's Public leaves of it
	Insiders                      // who has nothing left to answer: it tells of single people or of a few items
)

// ForEveryone is embedded in rows that everybody may see.
type ForEveryone struct{}

// Audience is Everyone.
func (ForEveryone) Audience() Audience { return Everyone }

// partly is a row of which a part is for everybody.
type partly interface {
	Public() Row // without what tells of single people or of a few items
}

// Whole is the report as everybody may see it: rows for Insiders are left out, and
// so is of others what is not Public. What SavedReport keeps of it is not changed.
func (r Report) Whole() Report {
	r.Rows, r.Overall = forEveryone(r.Rows), forEveryone(r.Overall)
	r.Sheets = nil // they were laid out from all rows
	return r
}

func forEveryone(rows []Row) []Row {
	out := make([]Row, 0, len(rows))
	for _, row := range rows {
		switch row.Audience() {
		case Everyone:
			out = append(out, row)
		case InPart:
			if p, ok := row.(partly); ok {
				out = append(out, p.Public())
			}
		case AudienceUnset, Insiders:
		}
	}
	return out
}
