package keymap

import "slices"

// picture is what keys do where a picture fills the screen: + zooms, though it
// means something else beside the text. more is what the screen has there too.
func picture(more ...Action) []Action {
	return append([]Action{
		does("zoom", "back to the text", "z"),
		does("zoom_in", "look closer", "+"),
		does("zoom_out", "look from farther away", "-"),
		whole(),
		does("outside", "open in viewer", "o"),
		does("previous", "to the left", "left"),
		does("next", "to the right", "right"),
		does("up", "up", "up"),
		does("down", "down", "down"),
	}, more...)
}

// whole ends what zoom_in began, beside the text as well.
func whole() Action { return does("whole_picture", "the whole image", "=") }

// pictures are the places of pictures that fill the screen.
func pictures() []Section {
	items := picture(does("next_picture", "next image", "p"))
	lists := picture(does("next_sample", "the next one", "n"), does("previous_sample", "the one before", "p"), does("next_picture", "next image", "f"))
	return []Section{
		{Place: ReviewPicture, Letters: true, Actions: items},
		{Place: VotesPicture, Actions: slices.Clone(items)},
		{Place: AdjudicatePicture, Letters: true, Actions: slices.Clone(items)},
		{Place: CuratePicture, Actions: picture(does("next_picture", "next image", "f"))},
		{Place: SamplesPicture, Actions: lists},
		{Place: PairsPicture, Actions: slices.Clone(lists)},
		{Place: CriteriaPicture, Actions: picture(does("next_open", "next unlabeled", ".", "n"), does("next_picture", "next image", "t"))},
	}
}
