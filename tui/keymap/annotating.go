package keymap

import "slices"

// acts are what people do to the item in front wherever they work through
// items, beside answering it, with two keys of the former layout that differ. No
// letter is a command there: an item may have 26 options.
func acts(formerImage, formerCopy string) []Action {
	return append([]Action{
		does("undo", "undo", "ctrl+z").was("u"),
		does("redo", "redo", "ctrl+y").was("ctrl+r"),
		does("comment", "comment", ",").was("n"),
		does("save_again", "save again", "ctrl+k").was("ctrl+s"),
		does("zoom", "image", "*").was("z"),
		does("zoom_in", "enlarge the image", "+").was(),
		does("zoom_out", "shrink it", "_").was(),
		whole(),
		nextImage(formerImage),
		does("next_unlabeled", "next unlabeled", " ").was("enter"),
		does("open", "expand, collapse", "enter").was("ctrl+f"),
		does("previous", "previous", "left"),
		does("next", "next", "right"),
		does("refresh", "refresh", "ctrl+r").was("f5"),
		does("copy_this", "copy what is selected", "f2").was(formerCopy),
	}, room()...)
}

// annotating lists what the screens share on which labels and votes are given.
func annotating(formerCopy string) []Action {
	return append(acts("p", formerCopy),
		does("skip", "skip", "ctrl+n").was("s"),
		does("flag", "flag", "!").was("f"),
		does("stay", "auto-advance on / off", "ctrl+f").was("o"),
		does("guideline", "guideline", ";").was("i"),
		does("guideline_page", "its versions, write", "ctrl+g"),
		does("reveal", "reveal", "ctrl+e").was("r"),
		does("other_pane", "scroll the other pane", "tab"),
	)
}

// scrolls are the keys through the text of an item.
func scrolls(end ...string) []Action {
	return []Action{
		does("up", "up", "up").was("up", "k"),
		does("down", "down", "down").was("down", "j"),
		does("top", "to the top", "home").was("g", "home"),
		does("bottom", "to the end", "end").was(append(end, "end")...),
		does("page_up", "page up", "pgup", "ctrl+u"),
		does("page_down", "page down", "pgdown", "ctrl+d"),
	}
}

// room is how the pane that is read gets more of the screen.
func room() []Action {
	return []Action{
		does("more_room", "enlarge", ">").was("+"),
		does("less_room", "shrink", "<").was("_"),
	}
}

func readings() []Action {
	return []Action{
		does("none", "none", "0").was("x"),
		does("several", "several", "=").was("m"),
		does("refused", "refused", "-").was("d"),
	}
}

func review() []Action {
	return slices.Concat(readings(), annotating("y"), scrolls("e"), []Action{
		does("reason", "why you say so", "ctrl+x").was("w"),
		does("confidence", "confidence", "%").was("c"),
	})
}

// reviewEnd is what there is where no item is left: enter opens what differs.
func reviewEnd() []Action {
	return slices.Concat(slices.DeleteFunc(annotating("y"), func(a Action) bool { return a.Name == "open" }), []Action{
		does("open", "disagreements between people and extractors", "enter").was("w"),
	})
}

func votes() []Action {
	return slices.Concat(annotating("f2"), scrolls("G", "e"), []Action{
		does("tie", "both right or wrong", "=").was("t"),
		does("both_bad", "both bad", "0").was("w"),
		does("reason", "why you say so", "ctrl+x").was("y"),
		does("confidence", "confidence", "%"),
		does("differences", "differences", "$").was("d"),
		does("layout", "side by side, stacked", "|").was("c"),
		does("raw", "raw, rendered", "#").was("m"),
		does("scroll_apart", "scroll together or apart", "&").was("l"),
	})
}

func settle() []Action {
	return slices.Concat(readings(), acts("p", "y"), scrolls("e"), []Action{
		does("who_was_right", "who was right", "ctrl+x").was("c"),
	})
}

func compare() []Action {
	return append(moves("G"),
		does("open", "open what is under the cursor", "enter"),
		does("next_unlabeled", "adjudicate the next", " ").was("."),
		does("other", "matrix or list", "tab"),
		does("other_back", "matrix or list", "shift+tab"),
		does("next_extractor", "next extractor", "n"),
		does("previous_extractor", "extractor before", "p"),
		does("rulings", "with or without adjudications", "r"),
		does("experts", "expert disagreements, or the queue", "e"),
		refresh("read again"),
		does("left", "cell to the left", "left"),
		does("right", "cell to the right", "right"),
		does("filter", "filter", "/"),
		does("filter_differs", "who differs", "d"),
		does("filter_unsettled", "not adjudicated yet", "o"),
		does("filter_case", "none (Case I) or other option (Case II)", "c"),
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
		does("next_unlabeled", "next unlabeled", " ").was(".", "n"),
		does("edit", "write", "e"),
		does("hand_in", "submit", "s"),
		does("open_ended", "open-ended", "o"),
		does("closed_ended", "closed-ended", "l"),
		does("compound", "compound", "p"),
		does("assign", "assign", "w"),
		does("discard", "discard", "d"),
		does("replace", "add its replacement", "+"),
		does("undo", "undo", "ctrl+z").was("u"),
		does("redo", "redo", "ctrl+y").was("ctrl+r"),
		does("save_again", "save again", "ctrl+k").was("ctrl+s"),
	)
}

func criteria() []Action {
	return append(writing(),
		does("open", "open", "enter"),
		does("filter", "filter", "/"),
		does("next_state", "state shown", "tab"),
		does("previous_state", "state before", "shift+tab"),
		does("whose", "whose", "m"),
		does("fold", "close or open a group", "f").was(" "),
		does("fold_all", "close or open all groups", "c"),
		refresh("read it again"),
		does("datasets", "another dataset", "D"),
	)
}

func criteriaPage() []Action {
	return append(writing(),
		does("accept", "accept", "y"),
		does("request_changes", "request changes", "x"),
		does("verify", "verify", "f"),
		does("comment", "comment", ",").was("m"),
		does("other", "next part", "tab"),
		does("other_back", "part before", "shift+tab"),
		does("guideline", "guideline", ";").was("i"),
		does("previous", "sample before", "left"),
		does("next", "next sample", "right"),
		does("older", "older revision", "<").was("<", ","),
		does("newer", "newer revision", ">"),
		does("zoom", "image", "*").was("z"),
		does("next_image", "next image", ".").was("t"),
		whole(),
	)
}

func curate() []Action {
	return slices.Concat(acts("f", "y"), scrolls("G"), []Action{
		does("skip", "skip", "ctrl+n").was("s"),
		does("axis", "axis", "@").was("p"),
		does("others", "others", "ctrl+e").was("o"),
		does("balance", "balance", "#").was("w"),
		does("guideline", "guideline", ";").was("i"),
		does("ground_truth", "show or hide the answer", "$").was("t"),
		does("difficulty", "show or hide models and difficulty", "%").was("d"),
		does("filter", "filter", "/"),
		does("next_state", "state", "tab"),
		does("previous_state", "state before", "shift+tab"),
		does("source", "source", "&").was("c"),
		does("only_axis", "only this axis, or all", "|").was("x"),
		does("settle", "adjudicate disagreements, or judge", "ctrl+x").was("m"),
		does("experts", "expert disagreements by dataset", "ctrl+v").was("e"),
		does("datasets", "another dataset", "ctrl+o").was("D"),
	})
}

// refresh reads again what is shown.
func refresh(desc string) Action { return does("refresh", desc, "ctrl+r").was("R") }
