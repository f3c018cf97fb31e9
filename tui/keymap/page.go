package keymap

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
		{Place: Guideline, Actions: append(moves("G"),
			does("copy_this", "copy what is selected", "y"),
			does("edit", "write the next version", "e"),
			does("older", "older version", "<", "left").was("<", ",", "left"),
			does("newer", "newer version", ">", "right"),
		)},
		{Place: People, Actions: append(moves("G"),
			does("copy_this", "copy what is selected", "y"),
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
		{Place: SecondLook, Actions: append(moves("G"),
			does("copy_this", "copy what is selected", "y"),
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
