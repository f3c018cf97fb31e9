// Package datasetlist is the list of datasets out of which a screen opens one, beside what the one in
// front holds and how far people are with it: what the screens of criteria and of curation have in
// common. What the work is it does not know. A dataset is read in a command when it comes to the front,
// and not again before the datasets are read again.
package datasetlist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// Overview is what a dataset holds, and how far people are with it.
type Overview struct {
	pictures, samples int
	kinds             [eval.KindOpen + 1]int
	questions         []string // the first ones

	Work   func(s *widget.Sheet)            // adds how far people are
	Groups func(width, height int) []string // draws how far each group is
}

// AddSample counts a sample.
func (v *Overview) AddSample(s *eval.Sample) {
	v.samples++
	if slices.ContainsFunc(s.Pictures, func(p eval.Picture) bool { return p.Hash != "" }) {
		v.pictures++
	}
	v.kinds[s.Kind]++
	if len(v.questions) < 60 { // as many as a screen shows
		v.questions = append(v.questions, widget.CutWidth("  "+widget.CleanLine(s.Question), 200))
	}
}

// List is the datasets to choose from.
type List struct {
	Theme        *widget.Theme
	Title, Empty string // over the list, and where there is no dataset
	All          []eval.Dataset
	Known        bool // the datasets were read

	width, height int
	cursor        widget.Cursor
	overviews     map[eval.DatasetName]Overview
	fresh         []eval.DatasetName // read, or about to be
}

// SetDatasets takes the datasets that were read, those alone that are complete, and
// gives the only one; "" when there are more.
func (s *List) SetDatasets(all []eval.Dataset) (only eval.DatasetName) {
	s.Known, s.fresh, s.All = true, nil, slices.DeleteFunc(all, func(d eval.Dataset) bool { return !d.Complete })
	s.Resize(s.width, s.height)
	if len(s.All) == 1 {
		only = s.All[0].Name
	}
	return only
}

// Resize sets the size that DrawLines fills.
func (s *List) Resize(width, height int) {
	s.width, s.height = width, height
	s.cursor.MoveTo(s.cursor.At, len(s.All), s.listHeight())
}

// MoveCursor takes a key that moves the cursor.
func (s *List) MoveCursor(msg tea.KeyMsg) {
	if by, ok := widget.NewMoves().MoveBy(msg, s.listHeight(), len(s.All)); ok {
		s.cursor.MoveBy(by, len(s.All), s.listHeight())
	}
}

// CurrentDataset is the dataset under the cursor; false when there is none.
func (s *List) CurrentDataset() (eval.Dataset, bool) { return widget.RowUnder(&s.cursor, s.All) }

// ReadOverview has an overview of the dataset in front read in a command, unless it was.
// The screen gets what takes it, in a message of its own.
func (s *List) ReadOverview(read func(eval.DatasetName) (Overview, error), message func(take func() tea.Cmd) tea.Msg) tea.Cmd {
	d, ok := s.CurrentDataset()
	if !ok || slices.Contains(s.fresh, d.Name) {
		return nil
	}
	s.fresh = append(s.fresh, d.Name)
	return func() tea.Msg {
		v, err := read(d.Name)
		return message(func() tea.Cmd {
			if err != nil {
				return widget.NotifyCmd(widget.Problem, fmt.Sprintf("read dataset %s: %v", d.Name, err))
			}
			eval.EnsureMap(&s.overviews)[d.Name] = v
			return nil
		})
	}
}

// paneHalves are the rooms of the list and of what is said of the dataset in front.
func (s *List) paneHalves() widget.Halves {
	return widget.SplitListAndDetail(s.width, s.height, max(4, len(s.All)+2))
}

func (s *List) listHeight() int { return max(1, s.paneHalves().List.Height-2) }

// DrawLines draws the datasets, what the one in front holds, and the keys where there is room. Its groups
// stand below the list where the rest stands beside it, and the first questions fill what both leave.
func (s *List) DrawLines(spell func(string) string, keys []key.Binding) []string {
	t, h := s.Theme, s.paneHalves()
	table := widget.Table{
		Columns: []widget.Column{{Title: "dataset", Width: 20, Grow: 2, Name: true}, {Title: "samples", Width: 9, Right: true}, {Title: "added here", Width: 10, Right: true}, {Title: "from", Width: 10, Grow: 1, Name: true}},
		Rows:    len(s.All), Cursor: s.cursor, Focused: true, Empty: s.Empty,
		Row: func(i int) []string {
			d := s.All[i]
			return []string{widget.CleanLine(string(d.Name)), widget.FormatCount(d.Samples), widget.FormatCount(d.Added), widget.CleanLine(d.Origin)}
		},
	}
	list := append([]string{t.DrawSection(s.Title, widget.FormatPlural(len(s.All), "dataset"), true, h.List.Width)},
		t.DrawTable(table, h.List.Width, max(0, h.List.Height-1))...)
	d, ok := s.CurrentDataset()
	if !ok || h.Detail.Height == 0 {
		return list
	}
	list = list[:min(len(list), len(s.All)+2)]
	v := s.overviews[d.Name]
	about := s.drawDatasetDetail(&d, &v, h.Detail.Width)
	at, width, height := &about, h.Detail.Width, h.Detail.Height
	if h.List.Width < s.width {
		at, width, height = &list, h.List.Width, h.List.Height
	}
	if v.Groups != nil {
		*at = append(append(*at, ""), v.Groups(width, max(2, height-len(*at)-1))...)
	}
	about = t.AddKeysBelow(about, h.Detail.Width, h.Detail.Height, spell, keys)
	if len(about) < len(list) {
		at, width = &about, h.Detail.Width
	}
	if len(v.questions) > 0 {
		*at = append(append(*at, "", t.DrawSection("First questions", "", false, width)), v.questions...)
	}
	return t.DrawHalves(h, list, about)
}

// drawDatasetDetail draws what a dataset holds, and how far people are with it.
func (s *List) drawDatasetDetail(d *eval.Dataset, v *Overview, width int) []string {
	a := widget.Sheet{Theme: s.Theme, Width: width, Out: []string{s.Theme.DrawSection("Dataset "+widget.CleanLine(string(d.Name)), "", false, width)}}
	a.AddField("samples", fmt.Sprintf("%s, %s of them without an answer, %s added here", widget.FormatCount(d.Samples), widget.FormatCount(d.NoTruth), widget.FormatCount(d.Added)))
	if d.Origin != "" {
		a.AddField("from", widget.CleanLine(d.Origin))
	}
	if v.Work == nil {
		a.AddText(s.Theme.Faint.Render, "counting its samples…")
		return a.Out
	}
	var kinds []string
	for k, n := range v.kinds {
		if n > 0 {
			kinds = append(kinds, widget.FormatCount(n)+" "+eval.Kind(k).String())
		}
	}
	a.AddField("answers", strings.Join(kinds, " · "))
	a.AddField("images", fmt.Sprintf("%s with · %s without", widget.FormatCount(v.pictures), widget.FormatCount(v.samples-v.pictures)))
	v.Work(&a)
	return a.Out
}
