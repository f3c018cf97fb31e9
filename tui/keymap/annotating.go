package keymap

import "slices"

// itemActions are what people do to the item in front wherever they work through
// items, beside answering it, with two keys of the former layout that differ. No
// letter is a command there: an item may have 26 options.
func itemActions(formerImage, formerCopy string) []Action {
	return append([]Action{
		newAction("undo", "undo", "ctrl+z").formerly("u"),
		newAction("redo", "redo", "ctrl+y").formerly("ctrl+r"),
		newAction("comment", "comment", ",").formerly("n"),
		newAction("save_again", "save again", "ctrl+k").formerly("ctrl+s"),
		newAction("zoom", "image", "*").formerly("z"),
		newAction("zoom_in", "enlarge the image", "+").formerly(),
		newAction("zoom_out", "shrink it", "_").formerly(),
		wholeAction(),
		nextImage(formerImage),
		newAction("next_unlabeled", "next unlabeled", " ").formerly("enter"),
		newAction("open", "expand, collapse", "enter").formerly("ctrl+f"),
		newAction("previous", "previous", "left"),
		newAction("next", "next", "right"),
		newAction("refresh", "refresh", "ctrl+r").formerly("f5"),
		newAction("copy_this", "copy what is selected", "f2").formerly(formerCopy),
	}, paneActions()...)
}

// annotationActions lists what the screens share on which labels and votes are given.
func annotationActions(formerCopy string) []Action {
	return append(itemActions("p", formerCopy),
		newAction("skip", "skip", "ctrl+n").formerly("s"),
		newAction("flag", "flag", "!").formerly("f"),
		newAction("stay", "auto-advance on / off", "ctrl+f").formerly("o"),
		newAction("guideline", "guideline", ";").formerly("i"),
		newAction("guideline_page", "its versions, write", "ctrl+g"),
		newAction("reveal", "reveal", "ctrl+e").formerly("r"),
		newAction("other_pane", "scroll the other pane", "tab"),
	)
}

// scrollActions are the keys through the text of an item.
func scrollActions(end ...string) []Action {
	return []Action{
		newAction("up", "up", "up").formerly("up", "k"),
		newAction("down", "down", "down").formerly("down", "j"),
		newAction("top", "to the top", "home").formerly("g", "home"),
		newAction("bottom", "to the end", "end").formerly(append(end, "end")...),
		newAction("page_up", "page up", "pgup", "ctrl+u"),
		newAction("page_down", "page down", "pgdown", "ctrl+d"),
	}
}

// paneActions is how the pane that is read gets more of the screen.
func paneActions() []Action {
	return []Action{
		newAction("more_room", "enlarge", ">").formerly("+"),
		newAction("less_room", "shrink", "<").formerly("_"),
	}
}

func readingActions() []Action {
	return []Action{
		newAction("none", "none", "0").formerly("x"),
		newAction("several", "several", "=").formerly("m"),
		newAction("refused", "refused", "-").formerly("d"),
	}
}

func reviewActions() []Action {
	return slices.Concat(readingActions(), annotationActions("y"), scrollActions("e"), []Action{
		newAction("reason", "why you say so", "ctrl+x").formerly("w"),
		newAction("confidence", "confidence", "%").formerly("c"),
	})
}

// reviewEndActions is what there is where no item is left: enter opens what differs.
func reviewEndActions() []Action {
	return slices.Concat(slices.DeleteFunc(annotationActions("y"), func(a Action) bool { return a.Name == "open" }), []Action{
		newAction("open", "disagreements between people and extractors", "enter").formerly("w"),
	})
}

func voteActions() []Action {
	return slices.Concat(annotationActions("f2"), scrollActions("G", "e"), []Action{
		newAction("tie", "both right or wrong", "=").formerly("t"),
		newAction("both_bad", "both bad", "0").formerly("w"),
		newAction("reason", "why you say so", "ctrl+x").formerly("y"),
		newAction("confidence", "confidence", "%"),
		newAction("differences", "differences", "$").formerly("d"),
		newAction("layout", "side by side, stacked", "|").formerly("c"),
		newAction("raw", "raw, rendered", "#").formerly("m"),
		newAction("scroll_apart", "scroll together or apart", "&").formerly("l"),
	})
}

func adjudicationActions() []Action {
	return slices.Concat(readingActions(), itemActions("p", "y"), scrollActions("e"), []Action{
		newAction("who_was_right", "who was right", "ctrl+x").formerly("c"),
	})
}

func disagreementActions() []Action {
	return append(moveActions("G"),
		newAction("open", "open what is under the cursor", "enter"),
		newAction("next_unlabeled", "adjudicate the next", " ").formerly("."),
		newAction("other", "matrix or list", "tab"),
		newAction("other_back", "matrix or list", "shift+tab"),
		newAction("next_extractor", "next extractor", "n"),
		newAction("previous_extractor", "extractor before", "p"),
		newAction("rulings", "with or without adjudications", "r"),
		newAction("experts", "expert disagreements, or the queue", "e"),
		newRefreshAction("read again"),
		newAction("left", "cell to the left", "left"),
		newAction("right", "cell to the right", "right"),
		newAction("filter", "filter", "/"),
		newAction("filter_differs", "who differs", "d"),
		newAction("filter_unsettled", "not adjudicated yet", "o"),
		newAction("filter_case", "none (Case I) or other option (Case II)", "c"),
		newAction("filter_cause", "who was right", "y"),
		newAction("filter_model", "model", "m"),
		newAction("filter_category", "category", "t"),
		newAction("filter_annotator", "annotator", "w"),
		newAction("filter_unsure", "less sure than", "s"),
	)
}

// criteriaCommonActions is what the list of samples with their criteria and the page of one
// have in common.
func criteriaCommonActions() []Action {
	return append(moveActions("G"),
		newAction("next_unlabeled", "next unlabeled", " ").formerly(".", "n"),
		newAction("edit", "write", "e"),
		newAction("hand_in", "submit", "s"),
		newAction("open_ended", "open-ended", "o"),
		newAction("closed_ended", "closed-ended", "l"),
		newAction("compound", "compound", "p"),
		newAction("assign", "assign", "w"),
		newAction("discard", "discard", "d"),
		newAction("replace", "add its replacement", "+"),
		newAction("undo", "undo", "ctrl+z").formerly("u"),
		newAction("redo", "redo", "ctrl+y").formerly("ctrl+r"),
		newAction("save_again", "save again", "ctrl+k").formerly("ctrl+s"),
	)
}

func criteriaListActions() []Action {
	return append(criteriaCommonActions(),
		newAction("open", "open", "enter"),
		newAction("filter", "filter", "/"),
		newAction("next_state", "state shown", "tab"),
		newAction("previous_state", "state before", "shift+tab"),
		newAction("whose", "whose", "m"),
		newAction("fold", "close or open a group", "f").formerly(" "),
		newAction("fold_all", "close or open all groups", "c"),
		newRefreshAction("read it again"),
		newAction("datasets", "another dataset", "D"),
	)
}

func criteriaPageActions() []Action {
	return append(criteriaCommonActions(),
		newAction("accept", "accept", "y"),
		newAction("request_changes", "request changes", "x"),
		newAction("verify", "verify", "f"),
		newAction("comment", "comment", ",").formerly("m"),
		newAction("other", "next part", "tab"),
		newAction("other_back", "part before", "shift+tab"),
		newAction("guideline", "guideline", ";").formerly("i"),
		newAction("previous", "sample before", "left"),
		newAction("next", "next sample", "right"),
		newAction("older", "older revision", "<").formerly("<", ","),
		newAction("newer", "newer revision", ">"),
		newAction("zoom", "image", "*").formerly("z"),
		newAction("next_image", "next image", ".").formerly("t"),
		wholeAction(),
	)
}

func curationActions() []Action {
	return slices.Concat(itemActions("f", "y"), scrollActions("G"), []Action{
		newAction("skip", "skip", "ctrl+n").formerly("s"),
		newAction("axis", "axis", "@").formerly("p"),
		newAction("others", "others", "ctrl+e").formerly("o"),
		newAction("balance", "balance", "#").formerly("w"),
		newAction("guideline", "guideline", ";").formerly("i"),
		newAction("ground_truth", "show or hide the answer", "$").formerly("t"),
		newAction("difficulty", "show or hide models and difficulty", "%").formerly("d"),
		newAction("filter", "filter", "/"),
		newAction("next_state", "state", "tab"),
		newAction("previous_state", "state before", "shift+tab"),
		newAction("source", "source", "&").formerly("c"),
		newAction("only_axis", "only this axis, or all", "|").formerly("x"),
		newAction("settle", "adjudicate disagreements, or judge", "ctrl+x").formerly("m"),
		newAction("experts", "expert disagreements by dataset", "ctrl+v").formerly("e"),
		newAction("datasets", "another dataset", "ctrl+o").formerly("D"),
	})
}

// newRefreshAction reads again what is shown.
func newRefreshAction(desc string) Action { return newAction("refresh", desc, "ctrl+r").formerly("R") }
