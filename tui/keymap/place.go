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
		{Place: Everywhere, Actions: everywhere()},
		{Place: Runs, Actions: runs()},
		{Place: Judging, Actions: judging()},
		{Place: Queues, Actions: queues()},
		{Place: Review, Letters: Options, Actions: review()},
		{Place: ReviewEnd, Letters: Options, Actions: reviewEnd()},
		{Place: ReviewMarking, Letters: Options, Actions: []Action{does("save_marked", "save as several", "enter")}},
		{Place: Votes, Letters: Reserved, Actions: votes()},
		{Place: Compare, Actions: compare()},
		{Place: Adjudicate, Letters: Options, Actions: settle()},
		{Place: Report, Actions: report()},
		{Place: Samples, Actions: samples()},
		{Place: Pairs, Actions: pairs()},
		{Place: Criteria, Actions: criteria()},
		{Place: CriteriaPage, Actions: criteriaPage()},
		{Place: CriteriaDatasets, Actions: shelf()},
		{Place: Curate, Letters: Reserved, Actions: curate()},
		{Place: CurateDatasets, Actions: shelf()},
	}, append(pages(), pictures()...)...)
}

func does(name, desc string, keys ...string) Action {
	return Action{Name: name, Desc: desc, Keys: keys}
}

// was says which keys an action has in the former layout.
func (a Action) was(keys ...string) Action {
	a.Former = append([]string{}, keys...)
	return a
}

// moves are the keys through a list or a text.
func moves(bottom ...string) []Action {
	return []Action{
		does("up", "up", "up", "k"),
		does("down", "down", "down", "j"),
		does("top", "to the top", "g", "home"),
		does("bottom", "to the end", append(bottom, "end")...),
		does("page_up", "page up", "ctrl+u", "pgup"),
		does("page_down", "page down", "ctrl+d", "pgdown"),
	}
}

// lists are the moves of a list of which a row is copied.
func lists() []Action { return append(moves("G"), does("copy_this", "copy what is selected", "y")) }

// Family is a place and the others of the same screen.
func (m *Keymap) Family(p Place) []Place {
	screen, _, _ := strings.Cut(string(p), " ")
	out := []Place{p}
	for _, s := range m.all() {
		if first, _, _ := strings.Cut(string(s.Place), " "); first == screen && s.Place != p {
			out = append(out, s.Place)
		}
	}
	return out
}

// Has reports whether there is an action at a place, by its name.
func (m *Keymap) Has(at Place, action string) bool {
	for _, s := range m.all() {
		if s.Place == at {
			return slices.ContainsFunc(s.Actions, func(a Action) bool { return a.Name == action })
		}
	}
	return false
}

// picture is what keys do where an image fills the screen. more is what the
// screen has there too.
func picture(more ...Action) []Action {
	return append([]Action{
		does("zoom", "back to the text", "*").was("z"),
		does("zoom_in", "enlarge", "+"),
		does("zoom_out", "shrink", "_").was("-"),
		whole(),
		does("outside", "open in viewer", "ctrl+o").was("o"),
		does("previous", "to the left", "left"),
		does("next", "to the right", "right"),
		does("up", "up", "up"),
		does("down", "down", "down"),
	}, more...)
}

// whole ends what zoom_in began, beside the text as well.
func whole() Action { return does("whole_picture", "the whole image", "\\").was("=") }

func nextImage(former string) Action { return does("next_image", "next image", ".").was(former) }

// pictures are the places of images that fill the screen.
func pictures() []Section {
	items := picture(nextImage("p"))
	lists := picture(does("next_sample", "the next one", "n"), does("previous_sample", "the one before", "p"), nextImage("f"))
	return []Section{
		{Place: ReviewPicture, Letters: Options, Actions: items},
		{Place: VotesPicture, Letters: Reserved, Actions: slices.Clone(items)},
		{Place: AdjudicatePicture, Letters: Options, Actions: slices.Clone(items)},
		{Place: CuratePicture, Letters: Reserved, Actions: picture(nextImage("f"))},
		{Place: SamplesPicture, Actions: lists},
		{Place: PairsPicture, Actions: slices.Clone(lists)},
		{Place: CriteriaPicture, Actions: picture(does("next_unlabeled", "next unlabeled", " ").was(".", "n"), nextImage("t"))},
	}
}

// The places of pages: screens that open by a message of their own.
const (
	Guideline  Place = "guideline"
	People     Place = "people"
	SecondLook Place = "second_look"
	Begin      Place = "begin" // where a file was brought in, or nothing is there yet
)

// page is the key of a page on the screen of runs.
func page(name, desc, key string) Action {
	return Action{Name: name, Desc: desc, Keys: []string{key}, Page: true}
}

// pages are what keys do on pages. A page declares its keys here and nowhere
// else: its place above, its section below.
func pages() []Section {
	return []Section{
		{Place: Guideline, Actions: append(lists(),
			does("edit", "write the next version", "e"),
			does("older", "older version", "<", "left").was("<", ",", "left"),
			does("newer", "newer version", ">", "right"),
		)},
		{Place: People, Actions: append(lists(),
			does("let_in", "add user", "n"),
			does("edit", "another role", "e"),
			does("give_key", "a further key", "K"),
			does("take_away", "remove user, remove key, end session", "x"),
			does("undo", "undo", "ctrl+z").was("u"),
			does("redo", "redo", "ctrl+y").was("ctrl+r"),
			does("other", "keys and sessions, or people", "tab"),
			does("other_back", "keys and sessions, or people", "shift+tab"),
			does("filter", "filter", "/"),
		)},
		{Place: SecondLook, Actions: append(lists(),
			does("open", "open the item", "enter"),
			does("comment", "comment", ","),
			does("flag", "flag, or take the own flag away", "!"),
			does("resolve", "resolve", "x"),
			does("resolve_all", "resolve all that is listed", "X"),
			does("exclude", "exclude the item from reports", "e"),
			does("exclude_all", "exclude all listed items from reports", "E"),
			does("include", "include the item again", "i"),
			does("undo", "undo the last decision", "ctrl+z"),
			refresh("refresh"),
			does("filter", "filter", "/"),
			does("other", "next kind", "tab"),
			does("other_back", "kind before", "shift+tab"),
			does("resolved", "with resolved entries, or without", "r"),
		)},
		{Place: Begin, Actions: append(moves("G"),
			does("open", "take it, continue", "enter"),
			does("import", "import another file", "i"),
			refresh("check again"),
		)},
	}
}

func everywhere() []Action {
	quit := does("quit", "save and quit", "ctrl+c")
	quit.Fixed = "ctrl+c quits wherever one is, also where text is typed"
	back := does("back", "one level back", "esc")
	back.Fixed = "esc leaves wherever one is, also where text is typed"
	return []Action{
		does("palette", "everything there is, by name", "ctrl+p", ":"),
		does("help", "help", "?", "f1"),
		does("leave", "leave; at the top, quit", "q"),
		back, quit,
		does("end_tour", "end the tour of the demo", "ctrl+t").was("ctrl+e"),
		does("redraw", "draw again", "ctrl+l"),
		does("copy", "copy what is selected, or an error that is shown", "alt+y"),
		does("work_as", "switch user", "ctrl+w"),
		does("previous_tab", "previous tab", "["),
		does("next_tab", "next tab", "]"),
		does("show_runs", "runs", "h"),
		does("show_review", "review", "v"),
		does("show_report", "report", "a"),
		does("show_criteria", "criteria", "b"),
	}
}

func runs() []Action {
	return append(append(moves("G"),
		does("new_run", "new run", "n"),
		does("import", "import a file", "i"),
		does("connect", "connect a model", "m"),
		does("new_queue", "new queue of answers to label", "l"),
		does("copy_this", "copy what is selected", "y"),
		does("open", "open what is under the cursor", "enter"),
		does("other", "next list or part", "tab"),
		does("other_back", "list or part before", "shift+tab"),
		does("details", "details", "d"),
		does("errors", "errors", "e"),
		does("pause", "pause or resume", "p"),
		does("cancel", "cancel", "c"),
		does("retry", "retry errors", "t"),
		does("filter", "filter", "/"),
		does("judge", "run judge", "J"),
		does("judge_votes", "judge pairs", "V"),
		does("report", "its report", "r"),
		does("guideline_page", "the queue's guideline, to read and to write", "ctrl+g"),
		page("people", "people", "P"),
		page("second_look", "second look", "L"),
		refresh("newest"),
	), room()...)
}

func judging() []Action {
	return append(append(lists(),
		does("open", "open what is under the cursor", "enter"),
		does("other", "next list or part", "tab"),
		does("other_back", "list or part before", "shift+tab"),
		does("errors", "errors", "e"),
		does("pause", "pause or resume", "p"),
		does("cancel", "cancel", "c"),
		does("retry", "retry errors", "t"),
		does("judge_votes", "votes like these", "V"),
		does("previous", "reply before", "left"),
		does("next", "next reply", "right"),
	), room()...)
}

func queues() []Action {
	return append(lists(),
		does("open", "open the queue", "enter"),
		does("what_differs", "disagreements between people and extractors", "w"),
		does("new_queue", "new queue to label", "l"),
		does("report", "its report", "r"),
		does("guideline_page", "its guideline", "ctrl+g", ";").was("i", "ctrl+g"),
		does("new_pairs", "new queue of pairs", "c"),
		does("filter", "filter", "/"),
	)
}

func shelf() []Action {
	return append(moves("G"), does("open", "open the dataset", "enter"))
}

func report() []Action {
	return append(moves("G"),
		does("open", "what is behind it", "enter"),
		does("other", "next report", "tab"),
		does("other_back", "report before", "shift+tab"),
		does("expand", "the next column", "right"),
		does("collapse", "the column before", "left"),
		does("filter", "all reports", "/"),
		does("detail", "change view", "d"),
		does("bars", "the column as bars, or as numbers", "B"),
		does("next_queue", "next queue or dataset", "n"),
		does("previous_queue", "queue or dataset before", "p"),
		does("anchor", "another anchor", "c"),
		does("what_differs", "disagreements between people and extractors", "w"),
		does("save_report", "save", "S"),
		does("export_report", "write LaTeX and HTML", "E"),
		refresh("refresh"),
	)
}

// read are the moves of lists that are read a page at a time.
func read() []Action {
	out := moves("G")
	i := slices.IndexFunc(out, func(a Action) bool { return a.Name == "page_down" })
	out[i] = out[i].was(append(slices.Clone(out[i].Keys), " ")...)
	return out
}

func samples() []Action {
	return drilled("sample", "next list, other part",
		does("next", "next pass", "right"),
		does("previous", "pass before", "left"))
}

func pairs() []Action {
	return drilled("pair", "next list", does("differences", "mark where the answers differ", "d"))
}

// drilled are the actions of a list behind a figure, and of the page of one thing
// on it.
func drilled(thing, other string, own ...Action) []Action {
	out := append(read(),
		does("copy_this", "copy what is selected", "y"),
		does("open", "the "+thing, "enter"),
		does("other", other, "tab"),
		does("other_back", "list before", "shift+tab"),
		does("filter", "filter", "/"),
		does("next_sample", "next "+thing, "n"),
		does("previous_sample", thing+" before", "p"))
	out = append(append(out, own...),
		does("zoom", "image", "*").was("z"),
		nextImage("f"),
		whole(),
		refresh("read the list again"))
	return append(out, room()...)
}
