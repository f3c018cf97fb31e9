package prompt

import (
	"fmt"
	"regexp"
	"slices"
	"unicode"

	"concord/eval"
)

// For is the template that asks a question of that kind, "" for no kind.
// Worked examples decide before the modality does: they teach the form of the
// reply, whatever is shown beside them.
func For(k eval.Kind, m eval.Modality, shots int) string {
	switch k {
	case eval.KindYesNo:
		return YesNo
	case eval.KindOpen:
		return Open
	case eval.KindChoice:
		switch {
		case shots > 0:
			return ChoiceShots
		case m == eval.TextOnly || m == eval.BaseText:
			return ChoiceTextOnly
		}
		return Choice
	case eval.KindUnset:
	}
	return ""
}

// Reads is the template by which a judge reads answers to questions of that
// kind, "" for kinds whose answers hold no choice.
func Reads(k eval.Kind) string {
	switch k {
	case eval.KindChoice:
		return ExtractChoice
	case eval.KindYesNo:
		return ReadYesNo
	case eval.KindOpen, eval.KindUnset:
	}
	return ""
}

// Compares is the template by which a judge that sees this of a picture
// compares two answers, "" for no input.
func Compares(i eval.Input) string {
	switch i {
	case eval.SeesImage:
		return Vote
	case eval.SeesCaption:
		return VoteCaption
	case eval.SeesDetections:
		return VoteDetections
	case eval.SeesBoth:
		return VoteBoth
	case eval.InputUnset, eval.SeesNothing: // what a vote came to, never what is asked for
	}
	return ""
}

// Names are the templates that a run over a dataset of these kinds fills in.
func Names(kinds []eval.Kind, m eval.Modality, shots int) []string {
	var out []string
	for _, k := range kinds {
		if n := For(k, m, shots); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// Language is the language that a question is asked in: the forced one, or
// else Chinese when the question holds a CJK character.
func Language(question, forced string) string {
	if forced != "" {
		return forced
	}
	for _, r := range question {
		if unicode.Is(unicode.Han, r) {
			return Chinese
		}
	}
	return English
}

func checkLanguage(lang string) error {
	if lang != "" && lang != English && lang != Chinese {
		return fmt.Errorf("unknown language %q: want %s, %s or none", lang, English, Chinese)
	}
	return nil
}

// instruction finds the instruction to answer yes or no. In Chinese, "是否"
// alone is only the word for whether.
var instruction = regexp.MustCompile(`(?i)\byes["'”’*]*,?\s*(?:or|/|\||或|或者)\s*["'“‘*]*no\b` +
	`|是["'”’」]?\s*(?:或者?|还是|/)\s*["'“‘「]?(?:否|不是)`)

// Fill renders a template. The text must be one of refs: what a run or judge
// has not in its settings, it is not asked with.
func (s *Set) Fill(refs []eval.PromptRef, name string, i Item) (eval.Chat, eval.PromptRef, error) {
	f, err := s.find(refs, name, i.Language)
	if err != nil {
		return eval.Chat{}, eval.PromptRef{}, err
	}
	chat, err := f.fill(i)
	if err != nil {
		return eval.Chat{}, eval.PromptRef{}, configuration("fill in template %s/%s: %v", name, i.Language, err)
	}
	return chat, f.text.Ref, nil
}

// FillPlaced renders a template about an item with so many pictures: where its
// question, hint or options name one, it stands there in the chat.
func (s *Set) FillPlaced(refs []eval.PromptRef, name string, i Item, pictures int) (eval.Chat, eval.PromptRef, error) {
	chat, ref, err := s.Fill(refs, name, i.marked(pictures))
	if err == nil {
		chat.Places = takeMarks(&chat.Turns[0].Text)
	}
	return chat, ref, err
}

// Again renders what a judge is told whose reply to Fill does not parse.
func (s *Set) Again(refs []eval.PromptRef, name string, i Item) (string, error) {
	f, err := s.find(refs, name, i.Language)
	if err != nil {
		return "", err
	}
	text, err := f.render(againBlock, i)
	if err != nil {
		return "", configuration("fill in template %s/%s: %v", name, i.Language, err)
	}
	return text, nil
}

func (s *Set) find(refs []eval.PromptRef, name, lang string) (*file, error) {
	f := s.templates[name+"/"+lang]
	if f == nil || !slices.ContainsFunc(refs, func(r eval.PromptRef) bool {
		return r.Name == name && r.Language == lang && r.Hash == f.text.Ref.Hash
	}) {
		return nil, configuration("the settings name no template %s/%s", name, lang)
	}
	return f, nil
}

func configuration(format string, args ...any) error {
	return &eval.Failure{Kind: eval.FailureConfiguration, Message: fmt.Sprintf(format, args...)}
}
