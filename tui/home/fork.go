package home

import (
	"cmp"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/job"
	"concord/tui/widget"
)

// listForkWays lists what can be done about a run that has other settings, by the row
// of the cursor.
func listForkWays(f *runForm) [3]string {
	id := f.Latest.Existing.Run
	return [...]string{
		fmt.Sprintf("continue run %d under its own settings", id),
		"start a new run with these settings",
		"back to the form",
	}
}

func pressFork(f *runForm, msg tea.KeyMsg) tea.Cmd {
	n := len(listForkWays(f))
	switch msg.String() {
	case "up", "k":
		f.fork.MoveBy(-1, n, n)
	case "down", "j":
		f.fork.MoveBy(1, n, n)
	case "1", "2", "3":
		f.fork.Set(int(msg.String()[0]-'1'), n, n)
		return takeForkWay(f)
	case "enter":
		return takeForkWay(f)
	}
	return nil
}

// takeForkWay takes the way under the cursor. The run to be is another one then,
// and so is what it will cost.
func takeForkWay(f *runForm) tea.Cmd {
	at, run := f.fork.At, f.Latest.Existing.Run
	f.Reset()
	switch at {
	case 0:
		f.resume = run
	case 1:
		f.fresh = true
	default:
		return nil
	}
	f.Entered = true
	return f.EstimateNow()
}

// drawFork draw the differences and the ways out.
func drawFork(f *runForm, width, height int) []string {
	t, x := f.m.theme, f.Latest.Existing
	out := []string{
		t.DrawSection("Other settings", fmt.Sprintf("run %d is of the same dataset, model, strategy and modality", x.Run), true, width), "",
	}
	ways := listForkWays(f)
	room := max(2, height-len(out)-len(ways)-2)
	out = append(out, t.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "setting", Width: 14, Grow: 1, Name: true},
			{Title: fmt.Sprintf("run %d", x.Run), Width: 16, Grow: 2, Name: true},
			{Title: "now", Width: 16, Grow: 2, Name: true},
		},
		Rows: len(x.Differences),
		Row: func(i int) []string {
			d := x.Differences[i]
			return []string{job.ClipText(d.Field), textOrAbsent(job.ClipText(d.Was)), textOrAbsent(job.ClipText(d.Is))}
		},
		Cursor: widget.Cursor{At: -1},
		Empty:  "Its settings differ in what is not shown.",
	}, width, min(room, max(2, len(x.Differences)+1)))...)
	if more := len(x.Differences) - room + 1; more > 0 {
		out = append(out, t.Faint.Render(fmt.Sprintf("  and %d more", more)))
	} else {
		out = append(out, "")
	}
	for i, w := range ways {
		out = append(out, t.DrawRow(t.Key.Render(fmt.Sprint(i+1))+" "+w, i == f.fork.At, true, width))
	}
	return out
}

// textOrAbsent writes what is not set.
func textOrAbsent(s string) string {
	return cmp.Or(s, "–")
}
