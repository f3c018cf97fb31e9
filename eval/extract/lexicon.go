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

// classOf is the class of an English word in lower case.
func classOf(w string) class {
	switch w {
	case "answer", "ans", "anwser", "verdict", "response", "solution", "respuesta", "antwort", "resposta", "risposta", "pick's":
		return answer
	case "option", "choice", "letter", "alternative", "selection", "opt":
		return option
	case "is", "be", "are", "was", "equals", "remains", "becomes", "being", "answer's", "it's", "that's", "'s", "i'd", "were", "been", "es", "est", "ist":
		return copula
	case "choose", "chose", "chosen", "choosing", "select", "selected", "selecting", "pick", "picked", "picking",
		"leaves", "leaving", "makes", "making", "say", "guess", "guessing", "think", "believe", "opting", "picks", "chooses", "selects", "go", "going", "went", "vote":
		return chooses
	case "the", "likely", "most", "probably", "definitely", "clearly", "simply", "just", "only", "as", "to", "for",
		"with", "also", "still", "would", "should", "must", "will", "indeed", "certainly", "obviously",
		"maybe", "perhaps", "might", "may", "could", "can", "seems", "appears", "either", "both", "labeled", "labelled", "marked",
		"number", "my", "final", "correct", "best", "right", "me", "him", "one", "single", "that", "it", "have", "of", "by":
		return filler | rightness(w)
	case "not", "isn't", "wasn't", "never", "cannot", "can't", "aren't", "don't", "doesn't", "didn't", "won't",
		"ruled", "eliminate", "eliminated", "eliminates", "eliminating", "exclude", "excludes", "excluded", "excluding", "except",
		"neither", "nor", "unlike", "than", "reject", "rejected", "discard", "discarded", "avoid", "versus", "vs",
		"couldn't", "shouldn't", "wouldn't", "without", "ruling", "fails", "lacks", "contradicts", "out":
		return negates
	case "other", "others", "remaining", "rest":
		return others
	case "over":
		return negates | follows
	case "instead", "rather":
		return corrects | follows
	case "but":
		return follows
	case "incorrect", "wrong", "false", "invalid", "inaccurate", "impossible", "unlikely", "untrue", "irrelevant",
		"implausible", "inappropriate", "inconsistent", "unrelated", "misleading":
		return wrong
	case "accurate", "appropriate", "true", "closest", "valid", "better", "suitable", "fitting", "ideal":
		return right
	case "if", "whether", "suppose", "supposing", "assume", "assuming", "unless", "were's", "had":
		return iffy
	case "no", "wait", "actually", "correction", "sorry", "mean", "oops", "change", "revise", "hmm":
		return corrects
	case "therefore", "thus", "so", "hence", "finally", "conclusion", "conclude", "overall", "consequently", "ultimately":
		return concludes
	case "and", "or":
		return joins | follows
	case "because", "since", "which", "based", "due", "given", "where", "while", "after", "from", "in", "at", "on", "when", "here", "i":
		return follows
	}
	return plain
}

func rightness(w string) class {
	switch w {
	case "correct", "best", "right", "final":
		return right
	case "as", "for", "with", "that", "of":
		return follows
	}
	return plain
}

const longestWord = 16

// wordClass is classOf for a word as it is written.
func wordClass(w string) class {
	if len(w) > longestWord || w == "" {
		return plain
	}
	var b [longestWord]byte
	for i := range len(w) {
		b[i] = lower(w[i])
	}
	return classOf(string(b[:len(w)]))
}
