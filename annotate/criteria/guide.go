package criteria

// Title is the type's name as people read it.
func (t Type) Title() string {
	return [...]string{"no type", "exact reference", "soft reference", "range", "evaluation guideline"}[min(int(t), len(typeNames)-1)]
}

// Asks is what a criterion of the type demands (after MLLM-Bench, Table 2).
func (t Type) Asks() string {
	switch t {
	case ExactReference:
		return "names the precise answer: anything else is wrong"
	case SoftReference:
		return "names what must be identified or conveyed, in whatever words"
	case Range:
		return "says how far answers may differ and still be good"
	case Guideline:
		return "tells how to weigh answers where several interpretations are sound"
	case TypeUnset:
	}
	return "choose one: it tells the judge how strictly to read"
}

// Example is a question about a picture with one good criterion for it.
type Example struct {
	Type      Type
	Picture   string // what it shows
	Question  string
	Criterion string
}

// Examples are short examples of a type; a person writing sees them beside.
func Examples(t Type) []Example {
	var out []Example
	for _, e := range [...]Example{
		{ExactReference, "a bus stop with a timetable", "When does the last bus leave on Sundays?", "The answer is 22:40. Another time is wrong, also that of weekdays (23:10)."},
		{ExactReference, "a chessboard", "How many white pawns are left?", "The answer is five."},
		{SoftReference, "a kitchen with smoke over a pan", "What should be done first?", "Notices the burning oil and says to cover the pan or turn off the heat; an answer that pours water on it is dangerous."},
		{SoftReference, "a street market at dusk", "Describe the scene.", "Mentions the stalls, the lamps being lit and the crowd; the order and the words are free."},
		{Range, "a jar of beans", "Estimate how many beans are in the jar.", "Between 300 and 500 is good; an answer outside is wrong, one without a number does not answer."},
		{Range, "an empty living room", "Suggest furniture for this room.", "Any three to six pieces that fit the size and the window side are good; more than the room holds is not."},
		{Guideline, "an abstract painting", "What might the painter have felt?", "No feeling is right by itself: prefer answers that ground theirs in colours and shapes of the image, over general words."},
		{Guideline, "a photograph of an umbrella in a desert", "Write a short story about it.", "Prefer stories that make the odd place of the umbrella matter; style and length are secondary."},
	} {
		if e.Type == t {
			out = append(out, e)
		}
	}
	return out
}

// Advice is what a person who writes criteria should know.
func Advice() string {
	return `Say what a good answer to this question about this image must do: for a judge who sees the image, but does not know the right answer.

- One to three criteria, each with one demand. Two demands are two criteria.
- Write what is demanded, not how an answer should sound. Length and politeness earn nothing.
- Look at the image: what can be answered without it makes a bad sample. Discard it.
- Name what counts as a bad mistake, if there is one.
- Somebody else reviews what you wrote, and nobody reviews their own.`
}
