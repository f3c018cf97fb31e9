package extract

// class is what a word says about the letter that it stands near.
type class uint16

const (
	plain     class = 0
	answer    class = 1 << iota // names the answer: "answer", "choice" with a copula
	option                      // names options: "option B"
	copula                      // joins the answer to its name
	chooses                     // a verb of choosing
	filler                      // may stand between cue and letter
	negates                     // turns the letter down
	wrong                       // says that something is wrong
	right                       // says that something is right
	iffy                        // makes a supposition of it
	corrects                    // takes back what was said before
	concludes                   // closes a reasoning
	joins                       // and, or: makes a list of letters
	others                      // the options beside the answer
	follows                     // may follow a letter that is an answer: "B because"
)

// lexicon are the English words of each class, in lower case. A word may be
// of several.
var lexicon = []struct {
	class class
	words string
}{
	{answer, "answer ans anwser verdict response solution respuesta antwort resposta risposta pick's"},
	{option, "option choice letter alternative selection opt"},
	{copula, "is be are was equals remains becomes being answer's it's that's 's i'd were been es est ist"},
	{chooses, `choose chose chosen choosing select selected selecting pick picked picking leaves leaving makes making
		say guess guessing think believe opting picks chooses selects go going went vote`},
	{filler, `the likely most probably definitely clearly simply just only as to for with also still would should must
		will indeed certainly obviously maybe perhaps might may could can seems appears either both labeled labelled
		marked number my final correct best right me him one single that it have of by`},
	{negates, `not isn't wasn't never cannot can't aren't don't doesn't didn't won't ruled eliminate eliminated
		eliminates eliminating exclude excludes excluded excluding except neither nor unlike than reject rejected discard
		discarded avoid versus vs couldn't shouldn't wouldn't without ruling fails lacks contradicts out over`},
	{wrong, `incorrect wrong false invalid inaccurate impossible unlikely untrue irrelevant implausible inappropriate
		inconsistent unrelated misleading`},
	{right, "correct best right final accurate appropriate true closest valid better suitable fitting ideal"},
	{iffy, "if whether suppose supposing assume assuming unless were's had"},
	{corrects, "no wait actually correction sorry mean oops change revise hmm instead rather"},
	{concludes, "therefore thus so hence finally conclusion conclude overall consequently ultimately"},
	{joins, "and or"},
	{others, "other others remaining rest"},
	{follows, `as for with that of over instead rather but and or because since which based due given where while after
		from in at on when here i`},
}
