package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"concord/annotate/agree"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
)

// gather reads the ratings. Two of one item by one rater leave open which is
// meant: they are an error that names them.
func gather(ctx context.Context, a *project.Project, in io.Reader, path string, f *agreeFlags, o *alignment.AgreeOptions) (*agree.Long, error) {
	name := path
	if path == "-" {
		name = o.File
	}
	g := gatherer{file: name, o: o, chosen: chosen(o), long: new(agree.Long)}
	rows := 0
	for r, err := range rowfile.ReadRatings(in, name, f.columns) {
		if rows++; rows%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			err = g.take(&r)
		}
		var p *dataset.Problem
		switch {
		case errors.As(err, &p) && f.strict:
			return nil, err
		case errors.As(err, &p):
			o.Skipped++
			g.reason = cmp.Or(g.reason, p.String())
			a.Problem(*p)
		case err != nil:
			return nil, err
		}
	}
	return g.long, g.whole(f.columns.Value)
}

// chosen are the raters that the options speak of; nil is all.
func chosen(o *alignment.AgreeOptions) map[string]bool {
	if len(o.Raters) == 0 {
		return nil
	}
	out := make(map[string]bool)
	for _, list := range [][]string{o.Raters, o.Reference.Raters} {
		for _, r := range list {
			out[r] = true
		}
	}
	return out
}

// gatherer puts the rows of a file into a table.
type gatherer struct {
	file   string
	o      *alignment.AgreeOptions
	chosen map[string]bool
	long   *agree.Long
	taken  int
	reason string // why the first row was skipped

	twice []string
	more  int
}

// shownTwice is how many repeated ratings an error names.
const shownTwice = 10

func (g *gatherer) take(r *rowfile.Rating) error {
	value := r.Value
	for i := range g.o.Recoded {
		if c := &g.o.Recoded[i]; c.From == value {
			value = c.To
			c.N++
			break
		}
	}
	if value == "" {
		if r.Value == "" && g.asked(r.Rater) {
			g.o.Missing++
		}
		return nil
	}
	class, err := g.o.Scale.Class(value)
	if err != nil {
		return &dataset.Problem{File: g.file, Line: r.Line, Reason: err.Error()}
	}
	earlier, ok := g.long.Add(r.Item, r.Rater, class, r.Line)
	switch {
	case ok:
		g.taken++
	case !g.asked(r.Rater):
	case len(g.twice) < shownTwice:
		g.twice = append(g.twice, fmt.Sprintf("item %q by %q in lines %d and %d", r.Item, r.Rater, earlier, r.Line))
	default:
		g.more++
	}
	return nil
}

// asked reports whether the options speak of a rater.
func (g *gatherer) asked(rater string) bool { return g.chosen == nil || g.chosen[rater] }

// whole is why there is no table, or nil.
func (g *gatherer) whole(column string) error {
	switch {
	case len(g.twice) > 0:
		more := ""
		if g.more > 0 {
			more = fmt.Sprintf("; and %d more", g.more)
		}
		return fmt.Errorf("%s rates twice: %s%s", g.file, strings.Join(g.twice, "; "), more)
	case g.taken == 0 && g.reason != "":
		return fmt.Errorf("%s holds no rating that can be read: %s", g.file, g.reason)
	case g.taken == 0:
		return fmt.Errorf("%s holds no rating in column %q", g.file, column)
	}
	return nil
}
