package concord_test

// Where a word is retired. Text is a string literal that people see: a phrase,
// or the label of a key. A name is exported or, in package main, declared by
// the package. Files and packages are matched by their whole name.
const (
	inText    = "word.text"
	inName    = "word.name"
	inFile    = "word.file"
	inPackage = "word.package"
)

var (
	wordKinds  = []string{inFile, inName, inPackage, inText}
	onScreens  = []string{inText}
	inCode     = []string{inFile, inName, inPackage}
	inNames    = []string{inName}
	inFiles    = []string{inFile}
	inFolders  = []string{inPackage}
	everywhere = wordKinds
)

// retired are the words that gave way to a term of the field. Commands, flags,
// fields of files, statuses, terms of the vocabulary and plain English are not
// among them. In names, matching is by whole words: BallotBox is "ballot box".
// An empty pattern is the word and its plural.
var retired = []struct {
	word    string
	places  []string
	pattern string
	except  string // removed from the text before it is searched
	instead string
}{
	// What people read.
	{"aligned", onScreens, "", "", "agreement with humans"},
	{"answer given", onScreens, `answers? given`, "", "response, ground truth"},
	{"answer to read", onScreens, `answers? to read`, "", "model response"},
	{"answerable", onScreens, `answerable`, `answerable without (the )?image|, answerable,`, "answerable without image"},
	{"as written", onScreens, "as written", "", "raw"},
	{"at once", onScreens, `(?:questions|votes|calls|asked for|worked on) at once`, "", "concurrency"},
	{"author's turn", onScreens, `author's turn`, "", "waiting for author"},
	{"beside or below", onScreens, `beside or below`, "", "side by side, stacked"},
	{"answer in the question", onScreens, `answer in the question|wrong or ambiguous`, "", "leaked in question, faulty"},
	{"both right/wrong", onScreens, `both right/wrong`, "", "tie (both fine)"},
	{"by majority", onScreens, `by (?:the )?majority`, `by majority vote`, "majority vote"},
	{"by rules", onScreens, "by rules", "", "rule extraction"},
	{"case", onScreens, `case (?:ii?|one|two)`, `\(case ii?\)`, "agree, disagree (the paper's case in brackets)"},
	{"come in", onScreens, `(?:may|to|can) come in`, "", "access"},
	{"compute again", onScreens, `computes? (?:it |them )?again`, "", "refresh"},
	{"did again", onScreens, "did again", "", "redone"},
	{"experts differ", onScreens, `(?:experts|people|what) differs?(?: on)?|read differently`, "", "disagreements"},
	{"figures", []string{inFile, inName, inText}, "figures", "", "report"},
	{"final choice", onScreens, "final choice", "", "adjudication"},
	{"folded", onScreens, `folded|another layout`, "", "collapse, expand; change view"},
	{"given image", onScreens, `given image|gr[ea]y base`, "", "input: image, text only, gray image"},
	{"goes on", onScreens, `go(?:es)? on`, "", "continues"},
	{"hand in", onScreens, `hand(?:s|ed|ing)? in`, "", "submit"},
	{"have judged", onScreens, `ha(?:ve|s) (?:it|votes|runs|\w+) judged`, "", "run judge, judge pairs"},
	{"hits", onScreens, "hits", "", "correct without image"},
	{"how sure", onScreens, "how sure", "", "confidence"},
	{"in front", onScreens, "in front", "", "selected"},
	{"in parallel", onScreens, "in parallel", "", "concurrency"},
	{"inspectors", onScreens, "inspectors?", `(concord |report )inspectors`, "text-only probe models"},
	{"judging", onScreens, "judgings?", "", "judge run"},
	{"label answers", onScreens, "label answers", "", "new annotation queue"},
	{"let somebody in", onScreens, `lets? (?:somebody|people|others|them|you) in`, "", "add user"},
	{"machine reads", onScreens, `machines? (?:has |have )?reads?`, "", "extracted answer"},
	{"made of it", onScreens, "made of it", "", "result"},
	{"more room", onScreens, "more room", "", "enlarge, shrink"},
	{"needs image", onScreens, `needs (?:the |its )?(?:image|picture)`, "", "image needed"},
	{"new facts", onScreens, "new facts", "", "new data"},
	{"next for me", onScreens, `next for me|next open item`, "", "next unlabeled"},
	{"outside", onScreens, `(?:pictures?|open|shows? it) outside`, "", "open in viewer"},
	{"picture", onScreens, `pictures?|pictured`, "", "image"},
	{"reading", onScreens, "readings?", `reading\.kind`, "extracted answer"},
	{"ruling", onScreens, "rulings?", "", "adjudication"},
	{"settle", []string{inFile, inName, inText}, `settl(?:e|es|ed|ing)`, "", "adjudicate, resolve"},
	{"stands", onScreens, "stands?", `stands? in\b`, "is"},
	{"stay after", onScreens, "stay after an? answer", "", "auto-advance"},
	{"stratum", onScreens, `priority stratum|stratum (?:random|priority)`, "", "sampling: random, targeted"},
	{"taken to be", onScreens, "taken to be", "", "assumed"},
	{"told", onScreens, "told", "", "listed, reported"},
	{"truth", onScreens, "truths?", "ground truth", "ground truth"},
	{"turned by", onScreens, "turned by", "", "rotation"},
	{"type to find", onScreens, "types? to find", "", "type to search"},
	{"undecided dropped", onScreens, `(?:policy [a-z]*|consensus [a-z]*|%s), undecided`, "", "no consensus: excluded"},
	{"unparsable", onScreens, "unparsable", `-- unparsable`, "unparsed"},
	{"who works", onScreens, `who(?:ever)? works|work as (?:somebody|someone)`, "", "who is annotating, switch user"},
	{"without agreement", onScreens, "without agreement", "", "without consensus"},

	// What engineers read.
	{"album", everywhere, "", "", "image cache"},
	{"arbiter", everywhere, "", "", "judging.Jobs"},
	{"ballot box", everywhere, "ballot ?box(?:es)?", "", "vote import"},
	{"begin", inFolders, "", "", "importer"},
	{"bout", everywhere, "", "", "pair"},
	{"chronicle", everywhere, `chronicles?|chroniclers?`, "", "audit"},
	{"compare", inFolders, "", "", "disagreements"},
	{"connect", inFolders, "", "", "endpoint"},
	{"connector", inCode, "", "", "endpoint"},
	{"contest", everywhere, "", "", "pairwise"},
	{"crew", everywhere, `crews?(?: ?list)?`, "", "annotators, workers"},
	{"crown", everywhere, `crown(?:s|ed)?`, "", "best"},
	{"desk", everywhere, "", "", "queue view"},
	{"docket", everywhere, "", "", "judging form"},
	{"drape", everywhere, `draped?s?`, "", "visibility, blinding"},
	{"duel", everywhere, "", "", "pairwise"},
	{"easel", everywhere, "", "", "image renderer"},
	{"enrol", everywhere, `enrol(?:l(?:ed|ing|er))?s?`, "", "new queue, add"},
	{"errand", everywhere, `errands?(?: ?summary)?`, "", "job"},
	{"finder", []string{inFile, inName}, "", "", "search"},
	{"floor", inCode, "", "", "assign.Pool"},
	{"furnish", everywhere, `furnish(?:es|ed|ing)?`, "", "load"},
	{"gate", []string{inPackage, inText}, "", "gates? (?:not )?met", "ssh"},
	{"goldmine", everywhere, "", "", "gold items"},
	{"golds", inCode, "golds", "", "gold items"},
	{"ground", []string{inFile, inName}, "", "ground truth", "evidence"},
	{"growth", []string{inFile, inName}, "", "", "growing queues"},
	{"guides", []string{inFile, inName}, "guides", "", "guideline"},
	{"hall", everywhere, "", "", "server"},
	{"hearing", everywhere, "", "", "judging job"},
	{"host", inFiles, "", "", "listener"},
	{"ink", everywhere, `inks?|inked`, "", "cached style"},
	{"kin", everywhere, "kin", "", "base model"},
	{"lab", everywhere, "", "", "jobs.Factory"},
	{"lend", everywhere, `lends?|lent`, "", "column widths"},
	{"lens", everywhere, `lens(?:es)?`, "", "viewport"},
	{"linear", inFolders, "", "", "accessible"},
	{"live", inFiles, `live(?:job)?|follow`, "", "scheduler"},
	{"lobby", everywhere, `lobb(?:y|ies)`, "", "queues"},
	{"loupe", everywhere, "", "", "crop"},
	{"meter", []string{inFile, inName}, "", "", "progress"},
	{"moment", []string{inFile, inName}, "", "", "time argument"},
	{"offer", []string{inFile, inPackage}, "", "", "label options"},
	{"pace", everywhere, "", "", "speed"},
	{"pointer", inCode, "", "", "outlier"},
	{"poll", inCode, "", "", "tally"},
	{"prose", inCode, "", "", "markdown"},
	{"pull", inFolders, "", "", "pager"},
	{"reception", everywhere, "", "", "guests"},
	{"roll", []string{inFile, inName}, "", "", "authorized keys"},
	{"room", inCode, "", "", "queue, size"},
	{"runs", inFolders, "runs", "", "home"},
	{"sealed", everywhere, "sealed", "", "blinded"},
	{"seat", everywhere, `seats?|seated`, "", "claim"},
	{"shelf", everywhere, `shelf|shelves`, "", "output folder"},
	{"sight", inNames, "", "", "visibility"},
	{"sitting", everywhere, `sittings?(?:test)?`, "", "annotation session"},
	{"specimen", everywhere, "", "", "sample"},
	{"stage", inCode, "", "", "fullscreen"},
	{"starter", inCode, "", "", "scheduler"},
	{"strew", everywhere, `strew(?:s|n|ed)?`, "", "insert gold items"},
	{"survey", []string{inFile, inName}, "", "", "dataset facts"},
	{"taste", inCode, "", "", "preferences"},
	{"teller", everywhere, "", "", "audit reader"},
	{"unmask", everywhere, `unmask(?:s|ed)?`, "", "reveal"},
	{"veil", everywhere, `veil(?:s|ed)?`, "", "visibility"},
	{"visit", everywhere, `visits?|visitors?|visited`, "", "connection"},
}
