package keymap

import "slices"

// acts are what people do to the item in front wherever they work through
// items, beside answering it.
func acts() []Action {
	return []Action{
		does("undo", "undo", "u"),
		does("redo", "redo", "ctrl+r"),
		does("note", "note", "n"),
		does("save_again", "save again", "ctrl+s"),
		does("zoom", "image", "z"),
		whole(),
		does("previous", "previous item", "left"),
		does("next", "next item", "right"),
	}
}

// annotating lists what the screens share on which labels and votes are given.
func annotating() []Action {
	return append(acts(),
		does("skip", "skip", "s"),
		does("flag", "flag", "f"),
		does("next_picture", "next image", "p"),
		does("next_open", "next unlabeled", "enter"),
		does("stay", "auto-advance on / off", "o"),
		does("guideline", "guideline", "i"),
		does("guideline_page", "its versions, and writing the next", "ctrl+g"),
		does("reveal", "reveal or hide the extracted answers", "r"),
		does("other_pane", "scroll the other pane", "tab"),
	)
}

// room is how the pane that is read gets more of the screen.
func room() []Action {
	return []Action{
		does("more_room", "enlarge", "+"),
		does("less_room", "shrink", "_"),
	}
}

func readings() []Action {
	return []Action{
		does("none", "none of the options", "x"),
		does("ambiguous", "several options", "m"),
		does("refused", "refused to answer", "d"),
	}
}

// review has w, which means one thing while there are items and another at
// the end.
func review(w Action) []Action {
	return slices.Concat(readings(), annotating(), moves("e"), []Action{
		w, does("confidence", "confidence", "c"),
		does("copy_this", "copy what is selected", "y"),
	}, room())
}

func votes() []Action {
	return slices.Concat(annotating(), moves("G", "e"), []Action{
		does("tie", "both right or wrong", "t"),
		does("both_bad", "both bad", "w"),
		does("reason", "why you say so", "y"),
		does("confidence", "confidence", "%"),
		does("differences", "mark where the answers differ", "d"),
		does("layout", "side by side, stacked", "c"),
		does("raw", "raw, rendered", "m"),
		does("scroll_apart", "scroll together or apart", "l"),
	}, room())
}

func settle() []Action {
	return slices.Concat(readings(), acts(), moves("e"), []Action{
		does("who_was_right", "who was right", "c"),
		does("copy_this", "copy what is selected", "y"),
		does("next_picture", "next image", "p"),
		does("next_open", "next unsettled; as the choice says", "enter"),
	}, room())
}

func compare() []Action {
	return append(moves("G"),
		does("open", "open what is under the cursor", "enter"),
		does("settle_next", "adjudicate the next", "."),
		does("other", "matrix or list", "tab"),
		does("other_back", "matrix or list", "shift+tab"),
		does("next_extractor", "next extractor", "n"),
		does("previous_extractor", "extractor before", "p"),
		does("rulings", "with or without adjudications", "r"),
		does("experts", "expert disagreements, or the queue", "e"),
		does("read_again", "read again", "R"),
		does("left", "cell to the left", "left"),
		does("right", "cell to the right", "right"),
		does("filter", "filter", "/"),
		does("filter_differs", "who differs", "d"),
		does("filter_unsettled", "not adjudicated yet", "o"),
		does("filter_case", "agree (Case I) or II", "c"),
		does("filter_cause", "who was right", "y"),
		does("filter_model", "model", "m"),
		does("filter_category", "category", "t"),
		does("filter_annotator", "annotator", "w"),
		does("filter_unsure", "less sure than", "s"),
	)
}

// writing is what the list of samples with their criteria and the page of one
// have in common.
func writing() []Action {
	return append(moves("G"),
		does("next_open", "next unlabeled", ".", "n"),
		does("edit", "write", "e"),
		does("hand_in", "submit", "s"),
		does("open_ended", "open-ended", "o"),
		does("closed_ended", "closed-ended", "l"),
		does("compound", "compound", "p"),
		does("assign", "assign", "w"),
		does("discard", "discard", "d"),
		does("replace", "add its replacement", "+"),
		does("undo", "undo", "u"),
		does("redo", "redo", "ctrl+r"),
		does("save_again", "save again", "ctrl+s"),
	)
}

func criteria() []Action {
	return append(writing(),
		does("open", "open", "enter"),
		does("filter", "filter", "/"),
		does("next_state", "state shown", "tab"),
		does("previous_state", "state before", "shift+tab"),
		does("whose", "whose", "m"),
		does("fold", "close or open a group", " "),
		does("fold_all", "close or open all groups", "c"),
		does("read_again", "read it again", "R"),
		does("datasets", "another dataset", "D"),
	)
}

func criteriaPage() []Action {
	return append(writing(),
		does("accept", "accept", "y"),
		does("request_changes", "request changes", "x"),
		does("verify", "verify", "f"),
		does("comment", "comment", "m"),
		does("other", "next part", "tab"),
		does("other_back", "part before", "shift+tab"),
		does("guideline", "guideline", "i"),
		does("previous", "sample before", "left"),
		does("next", "next sample", "right"),
		does("older", "older revision", "<", ","),
		does("newer", "newer revision", ">"),
		does("zoom", "image", "z"),
		does("next_picture", "next image", "t"),
		whole(),
	)
}

func curate() []Action {
	return slices.Concat(acts(), moves("G"), []Action{
		does("skip", "skip", "s"),
		does("copy_this", "copy what is selected", "y"),
		does("axis", "axis", "p"),
		does("others", "others", "o"),
		does("balance", "balance", "w"),
		does("next_picture", "next image", "f"),
		does("guideline", "guideline", "i"),
		does("truth", "show or hide the answer", "t"),
		does("difficulty", "show or hide models and difficulty", "d"),
		does("next_open", "next unlabeled", "enter", "."),
		does("filter", "filter", "/"),
		does("next_state", "state", "tab"),
		does("previous_state", "state before", "shift+tab"),
		does("source", "source", "c"),
		does("only_axis", "only this axis, or all", "x"),
		does("settle", "adjudicate disagreements, or judge", "m"),
		does("experts", "expert disagreements", "e"),
		does("read_again", "read it again", "R"),
		does("datasets", "another dataset", "D"),
	}, room())
}
