package keymap

import "slices"

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
	return append(append(moves("G"),
		does("copy_this", "copy what is selected", "y"),
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
	return append(moves("G"),
		does("copy_this", "copy what is selected", "y"),
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
	return append(append(read(),
		does("copy_this", "copy what is selected", "y"),
		does("open", "the sample", "enter"),
		does("other", "next list, other part", "tab"),
		does("other_back", "list before", "shift+tab"),
		does("filter", "filter", "/"),
		does("next_sample", "next sample", "n"),
		does("previous_sample", "sample before", "p"),
		does("next", "next pass", "right"),
		does("previous", "pass before", "left"),
		does("zoom", "image", "*").was("z"),
		nextImage("f"),
		whole(),
		refresh("read the list again"),
	), room()...)
}

func pairs() []Action {
	return append(append(read(),
		does("copy_this", "copy what is selected", "y"),
		does("open", "the pair", "enter"),
		does("other", "next list", "tab"),
		does("other_back", "list before", "shift+tab"),
		does("filter", "filter", "/"),
		does("next_sample", "next pair", "n"),
		does("previous_sample", "pair before", "p"),
		does("differences", "mark where the answers differ", "d"),
		does("zoom", "image", "*").was("z"),
		nextImage("f"),
		whole(),
		refresh("read the list again"),
	), room()...)
}
