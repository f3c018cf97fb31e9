package exchange

import (
	"fmt"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval/dataset"
)

// PrintImported prints what an import did: what was kept, also when it ended
// early, and how many rows could not be.
func PrintImported(a *project.Project, sum dataset.Summary, err error) error {
	if err != nil {
		return err
	}
	if a.JSON {
		return a.WriteJSON(sum)
	}
	if line := DescribeColumns(sum); line != "" {
		if _, err := fmt.Fprintf(a.Out, "%s\n", line); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(a.Out, "%s\n", DescribeImport(sum))
	return err
}

// DescribeColumns says what the columns of a file were read as, and which nobody
// reads.
func DescribeColumns(s dataset.Summary) string {
	var read, unread []string
	for _, c := range s.Columns {
		if c.As != c.Name {
			read = append(read, fmt.Sprintf("%s as %s", cli.Visible(c.Name), c.As))
		}
	}
	for _, c := range s.Unread {
		unread = append(unread, fmt.Sprintf("%s (%s)", cli.Visible(c.Name), cli.Visible(c.Example)))
	}
	var out []string
	if len(read) > 0 {
		out = append(out, "columns read: "+strings.Join(read, ", "))
	}
	if len(unread) > 0 {
		out = append(out, "columns that nobody reads, with a value of each: "+strings.Join(unread, ", "))
	}
	return strings.Join(out, "\n")
}

// DescribeImport says in words what an import came to.
func DescribeImport(s dataset.Summary) string {
	out := fmt.Sprintf("%s: %s", cli.Visible(string(s.Dataset)), s)
	if s.Run != 0 {
		out = fmt.Sprintf("run %d on %s: %s", s.Run, cli.Visible(string(s.Dataset)), s)
	}
	if s.Added > 0 {
		out += fmt.Sprintf(", added %d", s.Added)
	}
	if s.Filled > 0 {
		out += fmt.Sprintf(", filled %d with what they lacked", s.Filled)
	}
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Questions, "questions"},
		{s.Irregular, "irregular"},
		{s.NoTruth, "without a ground truth"},
		{s.Pictures, "images"},
		{s.MissingPictures, "missing images"},
		{s.Warnings, "warnings"},
	} {
		if part.n > 0 {
			out += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if s.Scored > 0 {
		out += fmt.Sprintf("; %s counts %d of %d right", cli.Visible(s.Scorer), s.ScoredRight, s.Scored)
	}
	if s.Judgments > 0 {
		out += fmt.Sprintf(", %d extracted answers of it are kept as a judge's", s.Judgments)
	}
	return out
}
