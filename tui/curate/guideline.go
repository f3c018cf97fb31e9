package curate

import (
	"concord/tui/widget"
)

// guideline names keys in braces.
const guideline = `Look at the image, read question and options, and say with one key whether the sample belongs into a benchmark of what is seen.

1 image needed: it cannot be answered without looking.
2 answerable without image: who knows the world, or reasons well, answers it with eyes closed.
3 answer in the question: the words of question or options give it away.
4 wrong or ambiguous: the answer is not right, several are, or the question cannot be understood.
5 duplicate: another sample asks the same of the same image; a note ({comment}) says which.

{axis} says which capability and axis the sample tests; without one the dataset's counts. The balance tells which axes still lack samples: be as strict where they are scarce.

Skip what you want to see again at the end. Everything can be undone, also tomorrow. What other experts say is shown by {others}, once you have said what you think.`

func nameLines(m *Model) []string {
	t := m.theme
	body := append(widget.Wrap("Who is annotating? The name is kept with each of your verdicts, "+
		"and nobody sees what others say before their own.", max(1, min(54, m.size.width-8))), "", t.Key.Render("› ")+m.text.View(), "")
	return t.Dialog("Your name", body, m.size.width, m.size.height)
}
