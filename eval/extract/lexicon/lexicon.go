package lexicon

// Class is what a word says about the letter that it stands near.
type Class uint32

// The classes. A word may be of several.
const (
	Plain     Class = 0
	Answer    Class = 1 << iota // names the answer: "answer", "choice" with a copula
	Option                      // names options: "option B"
	Copula                      // joins the answer to its name
	Chooses                     // a verb of choosing
	Filler                      // may stand between cue and letter
	Negates                     // turns the letter down
	Wrong                       // says that something is wrong
	Right                       // says that something is right
	Iffy                        // makes a supposition of it
	Corrects                    // takes back what was said before
	Concludes                   // closes a reasoning
	Joins                       // and, or: makes a list of letters
	Others                      // the options beside the answer
	Follows                     // may follow a letter that is an answer: "B because"
	Also                        // says that it is not the only one
	Fits                        // says that it may be right
)

// lists are the English words of each class, in lower case. A word may be
// of several.
var lists = []struct {
	class Class
	words string
}{
	{Answer, "answer ans anwser verdict response solution respuesta antwort resposta risposta pick's"},
	{Option, "option choice letter alternative selection opt"},
	{Copula, "is be are was equals remains becomes being answer's it's that's 's i'd were been es est ist"},
	{Chooses, `choose chose chosen choosing select selected selecting pick picked picking leaves leaving makes making
		say guess guessing think believe opting picks chooses selects go going went vote`},
	{Filler, `the likely most probably definitely clearly simply just only as to for with also still would should must
		will indeed certainly obviously maybe perhaps might may could can seems appears either both labeled labelled
		marked number my final correct best right me him one single that it have of by`},
	{Negates, `not isn't wasn't never cannot can't aren't don't doesn't didn't won't ruled eliminate eliminated
		eliminates eliminating exclude excludes excluded excluding except neither nor unlike than reject rejected discard
		discarded avoid versus vs couldn't shouldn't wouldn't without ruling fails lacks contradicts out over`},
	{Wrong, `incorrect wrong false invalid inaccurate impossible unlikely untrue irrelevant implausible inappropriate
		inconsistent unrelated misleading`},
	{Right, "correct best right final accurate appropriate true closest valid better suitable fitting ideal"},
	{Iffy, "if whether suppose supposing assume assuming unless were's had"},
	{Corrects, "no wait actually correction sorry mean oops change revise hmm instead rather"},
	{Concludes, "therefore thus so hence finally conclusion conclude overall consequently ultimately"},
	{Joins, "and or"},
	{Others, "other others remaining rest"},
	{Follows, `as for with that of over instead rather but and or because since which based due given where while after
		from in at on when here i`},
	{Also, "also equally alternatively too"},
	{Fits, "possible plausible acceptable reasonable good valid correct right likely"},
	{Filler, "equally possibly correcta correta richtige la"},
}
