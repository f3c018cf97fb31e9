package keymap

import "slices"

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
