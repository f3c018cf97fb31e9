package keymap

import (
	"slices"
	"strings"
)

// Place is where keys have their meanings: a screen, or a part of one in which
// they mean something else. The zero value is where keys mean what they say,
// whatever somebody chose: text that is typed, a question that waits for yes
// or no.
type Place string

// The places. A name with two words is a part of the screen that the first
// word names.
const (
	Everywhere       Place = "everywhere" // all the others
	Runs             Place = "runs"
	Queues           Place = "queues"
	Review           Place = "review"
	ReviewEnd        Place = "review end"     // nothing is left to answer
	ReviewMarking    Place = "review marking" // the options of an ambiguous answer
	Votes            Place = "votes"
	Criteria         Place = "criteria"
	CriteriaPage     Place = "criteria page"
	CriteriaDatasets Place = "criteria datasets" // which dataset
	Curate           Place = "curate"
	CurateDatasets   Place = "curate datasets"
	Compare          Place = "compare"
	Adjudicate       Place = "adjudicate"
	Report           Place = "report"
	Samples          Place = "samples"
	Pairs            Place = "pairs"
	Judging          Place = "duels"

	// Where a picture fills the screen.
	ReviewPicture     Place = "review image"
	VotesPicture      Place = "votes image"
	AdjudicatePicture Place = "compare image"
	CuratePicture     Place = "curate image"
	SamplesPicture    Place = "samples image"
	PairsPicture      Place = "pairs image"
	CriteriaPicture   Place = "criteria image"
)

// Action is one thing that keys do at a place.
type Action struct {
	Name string
	Desc string
	// Keys are those that it has unless a person chose others, by the names
	// that bubbletea gives keys. The screen is sent the first.
	Keys []string
	// Former are its keys in the former layout; nil: the same.
	Former []string
	// Fixed is why no others can be chosen; "" when they can.
	Fixed string
	// Page reports whether it opens a page, which is found by its name.
	Page bool
}

// Letters tells what letters are at a place.
type Letters uint8

// What letters are.
const (
	Commands Letters = iota // keys like others
	Reserved                // no command; they are, in the former layout
	Options                 // options of an item, in either case; in the former layout in upper case alone
)

// Section is all that keys do at a place, beside what they do everywhere. The
// digits from 1 to 9 are labels everywhere.
type Section struct {
	Place   Place
	Letters Letters
	Actions []Action
}

// Catalogue is every action of the app, place by place, Everywhere first.
func Catalogue() []Section {
	return append([]Section{
		{Place: Everywhere, Actions: everywhereActions()},
		{Place: Runs, Actions: runActions()},
		{Place: Judging, Actions: judgingActions()},
		{Place: Queues, Actions: queueActions()},
		{Place: Review, Letters: Options, Actions: reviewActions()},
		{Place: ReviewEnd, Letters: Options, Actions: reviewEndActions()},
		{Place: ReviewMarking, Letters: Options, Actions: []Action{newAction("save_marked", "save as several", "enter")}},
		{Place: Votes, Letters: Reserved, Actions: voteActions()},
		{Place: Compare, Actions: disagreementActions()},
		{Place: Adjudicate, Letters: Options, Actions: adjudicationActions()},
		{Place: Report, Actions: reportActions()},
		{Place: Samples, Actions: sampleActions()},
		{Place: Pairs, Actions: pairActions()},
		{Place: Criteria, Actions: criteriaListActions()},
		{Place: CriteriaPage, Actions: criteriaPageActions()},
		{Place: CriteriaDatasets, Actions: datasetListActions()},
		{Place: Curate, Letters: Reserved, Actions: curationActions()},
		{Place: CurateDatasets, Actions: datasetListActions()},
	}, append(pageSections(), pictureSections()...)...)
}

func newAction(name, desc string, keys ...string) Action {
	return Action{Name: name, Desc: desc, Keys: keys}
}

// formerly says which keys an action has in the former layout.
func (a Action) formerly(keys ...string) Action {
	a.Former = append([]string{}, keys...)
	return a
}

// moveActions are the keys through a list or a text.
func moveActions(bottom ...string) []Action {
	return []Action{
		newAction("up", "up", "up", "k"),
		newAction("down", "down", "down", "j"),
		newAction("top", "to the top", "g", "home"),
		newAction("bottom", "to the end", append(bottom, "end")...),
		newAction("page_up", "page up", "ctrl+u", "pgup"),
		newAction("page_down", "page down", "ctrl+d", "pgdown"),
	}
}

// listMoves are the moves of a list of which a row is copied.
func listMoves() []Action {
	return append(moveActions("G"), newAction("copy_this", "copy what is selected", "y"))
}

// SameScreen is a place and the others of the same screen.
func (m *Keymap) SameScreen(p Place) []Place {
	screen, _, _ := strings.Cut(string(p), " ")
	out := []Place{p}
	for _, s := range m.allSections() {
		if first, _, _ := strings.Cut(string(s.Place), " "); first == screen && s.Place != p {
			out = append(out, s.Place)
		}
	}
	return out
}

// HasAction reports whether there is an action at a place, by its name.
func (m *Keymap) HasAction(at Place, action string) bool {
	for _, s := range m.allSections() {
		if s.Place == at {
			return slices.ContainsFunc(s.Actions, func(a Action) bool { return a.Name == action })
		}
	}
	return false
}

// pictureActions is what keys do where an image fills the screen. more is what the
// screen has there too.
func pictureActions(more ...Action) []Action {
	return append([]Action{
		newAction("zoom", "back to the text", "*").formerly("z"),
		newAction("zoom_in", "enlarge", "+"),
		newAction("zoom_out", "shrink", "_").formerly("-"),
		wholeAction(),
		newAction("outside", "open in viewer", "ctrl+o").formerly("o"),
		newAction("previous", "to the left", "left"),
		newAction("next", "to the right", "right"),
		newAction("up", "up", "up"),
		newAction("down", "down", "down"),
	}, more...)
}

// wholeAction ends what zoom_in began, beside the text as well.
func wholeAction() Action { return newAction("whole_picture", "the whole image", "\\").formerly("=") }

func nextImage(former string) Action {
	return newAction("next_image", "next image", ".").formerly(former)
}

// pictureSections are the places of images that fill the screen.
func pictureSections() []Section {
	items := pictureActions(nextImage("p"))
	lists := pictureActions(newAction("next_sample", "the next one", "n"), newAction("previous_sample", "the one before", "p"), nextImage("f"))
	return []Section{
		{Place: ReviewPicture, Letters: Options, Actions: items},
		{Place: VotesPicture, Letters: Reserved, Actions: slices.Clone(items)},
		{Place: AdjudicatePicture, Letters: Options, Actions: slices.Clone(items)},
		{Place: CuratePicture, Letters: Reserved, Actions: pictureActions(nextImage("f"))},
		{Place: SamplesPicture, Actions: lists},
		{Place: PairsPicture, Actions: slices.Clone(lists)},
		{Place: CriteriaPicture, Actions: pictureActions(newAction("next_unlabeled", "next unlabeled", " ").formerly(".", "n"), nextImage("t"))},
	}
}

// The places of pages: screens that open by a message of their own.
const (
	Guideline  Place = "guideline"
	People     Place = "people"
	SecondLook Place = "second_look"
	Begin      Place = "begin" // where a file was brought in, or nothing is there yet
)

// newPageAction is the key of a page on the screen of runs.
func newPageAction(name, desc, key string) Action {
	return Action{Name: name, Desc: desc, Keys: []string{key}, Page: true}
}

// pageSections are what keys do on pages. A page declares its keys here and nowhere
// else: its place above, its section below.
func pageSections() []Section {
	return []Section{
		{Place: Guideline, Actions: append(listMoves(),
			newAction("edit", "write the next version", "e"),
			newAction("older", "older version", "<", "left").formerly("<", ",", "left"),
			newAction("newer", "newer version", ">", "right"),
		)},
		{Place: People, Actions: append(listMoves(),
			newAction("let_in", "add user", "n"),
			newAction("edit", "another role", "e"),
			newAction("give_key", "a further key", "K"),
			newAction("take_away", "remove user, remove key, end session", "x"),
			newAction("undo", "undo", "ctrl+z").formerly("u"),
			newAction("redo", "redo", "ctrl+y").formerly("ctrl+r"),
			newAction("other", "keys and sessions, or people", "tab"),
			newAction("other_back", "keys and sessions, or people", "shift+tab"),
			newAction("filter", "filter", "/"),
		)},
		{Place: SecondLook, Actions: append(listMoves(),
			newAction("open", "open the item", "enter"),
			newAction("comment", "comment", ","),
			newAction("flag", "flag, or take the own flag away", "!"),
			newAction("resolve", "resolve", "x"),
			newAction("resolve_all", "resolve all that is listed", "X"),
			newAction("exclude", "exclude the item from reports", "e"),
			newAction("exclude_all", "exclude all listed items from reports", "E"),
			newAction("include", "include the item again", "i"),
			newAction("undo", "undo the last decision", "ctrl+z"),
			newRefreshAction("refresh"),
			newAction("filter", "filter", "/"),
			newAction("other", "next kind", "tab"),
			newAction("other_back", "kind before", "shift+tab"),
			newAction("resolved", "with resolved entries, or without", "r"),
		)},
		{Place: Begin, Actions: append(moveActions("G"),
			newAction("open", "take it, continue", "enter"),
			newAction("import", "import another file", "i"),
			newRefreshAction("check again"),
		)},
	}
}

func everywhereActions() []Action {
	quit := newAction("quit", "save and quit", "ctrl+c")
	quit.Fixed = "ctrl+c quits wherever one is, also where text is typed"
	back := newAction("back", "one level back", "esc")
	back.Fixed = "esc leaves wherever one is, also where text is typed"
	return []Action{
		newAction("palette", "everything there is, by name", "ctrl+p", ":"),
		newAction("help", "help", "?", "f1"),
		newAction("leave", "leave; at the top, quit", "q"),
		back, quit,
		newAction("end_tour", "end the tour of the demo", "ctrl+t").formerly("ctrl+e"),
		newAction("redraw", "draw again", "ctrl+l"),
		newAction("copy", "copy what is selected, or an error that is shown", "alt+y"),
		newAction("work_as", "switch user", "ctrl+w"),
		newAction("previous_tab", "previous tab", "["),
		newAction("next_tab", "next tab", "]"),
		newAction("show_runs", "runs", "h"),
		newAction("show_review", "review", "v"),
		newAction("show_report", "report", "a"),
		newAction("show_criteria", "criteria", "b"),
	}
}

func runActions() []Action {
	return append(append(moveActions("G"),
		newAction("new_run", "new run", "n"),
		newAction("import", "import a file", "i"),
		newAction("connect", "connect a model", "m"),
		newAction("new_queue", "new queue of answers to label", "l"),
		newAction("copy_this", "copy what is selected", "y"),
		newAction("open", "open what is under the cursor", "enter"),
		newAction("other", "next list or part", "tab"),
		newAction("other_back", "list or part before", "shift+tab"),
		newAction("details", "details", "d"),
		newAction("errors", "errors", "e"),
		newAction("pause", "pause or resume", "p"),
		newAction("cancel", "cancel", "c"),
		newAction("retry", "retry errors", "t"),
		newAction("filter", "filter", "/"),
		newAction("judge", "run judge", "J"),
		newAction("judge_votes", "judge pairs", "V"),
		newAction("report", "its report", "r"),
		newAction("guideline_page", "the queue's guideline, to read and to write", "ctrl+g"),
		newPageAction("people", "people", "P"),
		newPageAction("second_look", "second look", "L"),
		newRefreshAction("newest"),
	), paneActions()...)
}

func judgingActions() []Action {
	return append(append(listMoves(),
		newAction("open", "open what is under the cursor", "enter"),
		newAction("other", "next list or part", "tab"),
		newAction("other_back", "list or part before", "shift+tab"),
		newAction("errors", "errors", "e"),
		newAction("pause", "pause or resume", "p"),
		newAction("cancel", "cancel", "c"),
		newAction("retry", "retry errors", "t"),
		newAction("judge_votes", "votes like these", "V"),
		newAction("previous", "reply before", "left"),
		newAction("next", "next reply", "right"),
	), paneActions()...)
}

func queueActions() []Action {
	return append(listMoves(),
		newAction("open", "open the queue", "enter"),
		newAction("what_differs", "disagreements between people and extractors", "w"),
		newAction("new_queue", "new queue to label", "l"),
		newAction("report", "its report", "r"),
		newAction("guideline_page", "its guideline", "ctrl+g", ";").formerly("i", "ctrl+g"),
		newAction("new_pairs", "new queue of pairs", "c"),
		newAction("filter", "filter", "/"),
	)
}

func datasetListActions() []Action {
	return append(moveActions("G"), newAction("open", "open the dataset", "enter"))
}

func reportActions() []Action {
	return append(moveActions("G"),
		newAction("open", "what is behind it", "enter"),
		newAction("other", "next report", "tab"),
		newAction("other_back", "report before", "shift+tab"),
		newAction("expand", "the next column", "right"),
		newAction("collapse", "the column before", "left"),
		newAction("filter", "all reports", "/"),
		newAction("detail", "change view", "d"),
		newAction("bars", "the column as bars, or as numbers", "B"),
		newAction("next_queue", "next queue or dataset", "n"),
		newAction("previous_queue", "queue or dataset before", "p"),
		newAction("anchor", "another anchor", "c"),
		newAction("what_differs", "disagreements between people and extractors", "w"),
		newAction("save_report", "save", "S"),
		newAction("export_report", "write LaTeX and HTML", "E"),
		newRefreshAction("refresh"),
	)
}

// pagedListActions are the moves of lists that are read a page at a time.
func pagedListActions() []Action {
	out := moveActions("G")
	i := slices.IndexFunc(out, func(a Action) bool { return a.Name == "page_down" })
	out[i] = out[i].formerly(append(slices.Clone(out[i].Keys), " ")...)
	return out
}

func sampleActions() []Action {
	return drilldownActions("sample", "next list, other part",
		newAction("next", "next pass", "right"),
		newAction("previous", "pass before", "left"))
}

func pairActions() []Action {
	return drilldownActions("pair", "next list", newAction("differences", "mark where the answers differ", "d"))
}

// drilldownActions are the actions of a list behind a figure, and of the page of one thing
// on it.
func drilldownActions(thing, other string, own ...Action) []Action {
	out := append(pagedListActions(),
		newAction("copy_this", "copy what is selected", "y"),
		newAction("open", "the "+thing, "enter"),
		newAction("other", other, "tab"),
		newAction("other_back", "list before", "shift+tab"),
		newAction("filter", "filter", "/"),
		newAction("next_sample", "next "+thing, "n"),
		newAction("previous_sample", thing+" before", "p"))
	out = append(append(out, own...),
		newAction("zoom", "image", "*").formerly("z"),
		nextImage("f"),
		wholeAction(),
		newRefreshAction("read the list again"))
	return append(out, paneActions()...)
}
