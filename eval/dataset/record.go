package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/profile"
)

// record is a row's meaning: a question as asked in a pass, and the model's answer where the file has one.
type record struct {
	line     int
	index    string // as written
	group    string // g_index as written; "" without one
	sample   eval.Sample
	answered bool   // the row has a prediction, empty or not
	text     string // the prediction
	model    string // that made it, where the row says so
	asks     bool   // the row holds what a sample needs
	repeats  repeatPolicy
	scores   []profile.LogScore
	notes    []string
}

var (
	errNoIndex      = errors.New("the row has no index")
	errNoPrediction = errors.New("the row has no prediction")
)

// readRow makes the record of a row. Pictures are left out.
func (r *record) readRow(w *profile.Row) error {
	h := w.Head
	r.line, r.index, r.group = w.Line, w.ID(h.Index), w.ID(h.Group)
	switch {
	case r.index == "":
		return errNoIndex
	case !profile.IsValidID(r.index):
		return fmt.Errorf("%.20q... is no index", r.index)
	case !profile.IsValidID(r.group):
		return fmt.Errorf("%.20q... is no g_index", r.group)
	}
	if err := checkRowBounds(w); err != nil {
		return err
	}
	s := &r.sample
	s.Question, s.Hint = r.replaceInvalidUTF8(w.Cell(h.Question), "question"), r.replaceInvalidUTF8(w.Cell(h.Hint), "hint")
	if h.QuestionType >= 0 {
		s.Kind, s.Type = eval.KindOpen, r.readQuestionType(w, h.QuestionType)
	} else if err := r.readOptionsAndTruth(w); err != nil {
		return err
	} else {
		s.Type = r.readQuestionType(w, h.Typed)
	}
	eval.NumberImageMarks(s)
	s.Taxonomy = readTaxonomy(w, r)
	s.Split, s.Source = r.replaceInvalidUTF8(w.Cell(h.Split), "split"), r.replaceInvalidUTF8(w.Cell(h.Source), "source")
	if b := r.replaceInvalidUTF8(w.Cell(h.Bench), "bench"); b != "" {
		s.Source = b
	}
	r.asks = len(s.Options) > 0 || s.Question != "" && (s.Kind == eval.KindOpen && w.Name(h.Kind) != "" || !column.IsOptionLetter(w.Name(h.Answer))) || w.Name(h.Bare) != "" && (s.Answer != "" || s.Reference != "")
	s.Metric, s.Groups, r.repeats = r.replaceInvalidUTF8([]byte(w.Name(h.Metric)), "metric"), readSampleSets(w), repeating[w.Name(h.Repeat)]
	r.model = r.replaceInvalidUTF8([]byte(w.Name(h.Model)), "model")
	if w.Broken {
		r.notes = append(r.notes, "the row is not valid UTF-8: the bytes that are not were replaced")
	}
	if w.Cell(h.Prediction) != nil {
		r.answered, r.text = true, r.replaceInvalidUTF8(w.Cell(h.Prediction), "prediction")
	}
	s.Columns = collectFurtherColumns(w)
	r.scores = w.LogScores()
	return nil
}

// textLimit is how many bytes a row's text may have beside its pictures: it must fit a transaction.
const textLimit = 12 << 20

func checkRowBounds(r *profile.Row) error {
	size := 0
	for i, c := range r.Cells {
		if i != r.Head.Image {
			size += len(c)
		}
	}
	if size > textLimit {
		return fmt.Errorf("the row has %d MB of text, over the limit of %d MB", size>>20, textLimit>>20)
	}
	return nil
}

// replaceInvalidUTF8 makes a cell valid UTF-8, and notes it when it was not: storage and JSON hold nothing else.
func (r *record) replaceInvalidUTF8(cell []byte, what string) string {
	if utf8.Valid(cell) {
		return string(cell)
	}
	r.notes = append(r.notes, what+" is not valid UTF-8: the bytes that are not were replaced")
	return strings.ToValidUTF8(string(cell), "\uFFFD")
}

// readQuestionType reads the type of a question. One row of the released file holds an address
// there: what is no type is reported, and the sample kept without one.
func (r *record) readQuestionType(w *profile.Row, column int) eval.QuestionType {
	written := r.replaceInvalidUTF8(w.Cell(column), profile.BenchType)
	t, err := profile.ParseQuestionType(written)
	if err != nil && column == w.Head.QuestionType {
		r.notes = append(r.notes, fmt.Sprintf("question type %.60q of sample %s is none: the sample is kept without one", written, r.index))
	}
	return t
}

// collapseSpace makes all white space single, for comparisons.
func collapseSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// Limits of the further columns of a dataset that are kept.
const (
	columnsKept = 32       // the first ones
	valueKept   = 64       // bytes of a value; of a longer one its hash is kept
	valueRead   = 64 << 10 // a longer one is left out
)

// collectFurtherColumns collects the cells that mean nothing to an import, but may name what
// samples share: a template, a dialogue, a page. Pictures and other long cells are none.
func collectFurtherColumns(r *profile.Row) []eval.Column {
	var out []eval.Column
	for _, i := range r.Head.Further[:min(columnsKept, len(r.Head.Further))] {
		name, value := r.Head.Names[i], strings.ToValidUTF8(r.Name(i), "\uFFFD")
		if value == "" || len(value) > valueRead || len(name) > valueKept {
			continue
		}
		if len(value) > valueKept {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:16])
		}
		out = append(out, eval.Column{Name: strings.ToValidUTF8(name, "\uFFFD"), Value: value})
	}
	return out
}

// readTaxonomy returns the row's path from coarse to fine. The two spellings mean opposite
// things: l2-category (MMBench) is coarser than category, l2_category (MMStar) finer. MME
// writes its subtasks alone: the ability goes before them. Empty levels are left out. Exports
// of this package write the path as a list.
func readTaxonomy(r *profile.Row, rec *record) []string {
	var path []string
	add := func(level string) {
		if level = strings.TrimSpace(level); level != "" {
			path = append(path, level)
		}
	}
	if also := r.Cell(r.Head.Also); len(also) > 0 && also[0] == '[' && json.Unmarshal(also, &rec.sample.Also) != nil {
		rec.sample.Also = nil // of another program
	}
	if list, ok := fastio.ParseTextList(r.Cell(r.Head.Taxonomy)); ok {
		for _, level := range list {
			add(rec.replaceInvalidUTF8(level, "taxonomy"))
		}
		return path
	}
	coarse := rec.replaceInvalidUTF8(r.Cell(r.Head.Coarse), "l2-category")
	add(profile.FirstLevelOf(coarse))
	add(coarse)
	category := rec.replaceInvalidUTF8(r.Cell(r.Head.Category), "category")
	var further []string
	if r.Name(r.Head.Also) == string(eval.Yes) {
		several := strings.Split(category, ",")
		category, further = several[0], several[1:]
	}
	rec.sample.Also = append(rec.sample.Also, eval.Map(further, func(one string) []string { return append(slices.Clone(path), strings.TrimSpace(one)) })...)
	add(category)
	add(rec.replaceInvalidUTF8(r.Cell(r.Head.Fine), "l2_category"))
	if rec.sample.Kind == eval.KindYesNo && len(path) == 1 {
		if ability := eval.MMEAbilityOf(path[0]); ability != "" {
			path = []string{ability, path[0]}
		}
	}
	return path
}

// readOptions reads the options from their columns, from a list of them, or out of the
// question. An empty or absent cell is no option; letters may have gaps.
func (r *record) readOptions(w *profile.Row) error {
	for i, column := range w.Head.Letters {
		if cell := w.Cell(column); len(bytes.TrimSpace(cell)) > 0 {
			r.addOption(i, r.replaceInvalidUTF8(cell, "option"))
		}
	}
	list := bytes.TrimSpace(w.Cell(w.Head.OptionList))
	switch {
	case len(r.sample.Options) > 0 || len(list) == 0:
	case list[0] == '{':
		return r.parseOptionObject(list)
	case list[0] == '[':
		texts, ok := fastio.ParseTextList(list)
		if !ok || len(texts) > 26 {
			return fmt.Errorf("options %.40q are no list of at most 26 texts", list)
		}
		lettered := haveOwnLetters(texts)
		for i, t := range texts {
			if lettered {
				t = ownLetter.ReplaceAll(t, nil)
			}
			if len(bytes.TrimSpace(t)) > 0 {
				r.addOption(i, r.replaceInvalidUTF8(t, "option"))
			}
		}
	default:
		text := "\n" + r.replaceInvalidUTF8(list, "options")
		if _, r.sample.Options = splitOffOptions(text, ""); len(r.sample.Options) == 0 {
			_, r.sample.Options = splitOffOptions(optionBehind.ReplaceAllStringFunc(text, func(mark string) string { return "\n" + strings.ToUpper(strings.Trim(mark, "; \n")) }), "")
		}
		if len(r.sample.Options) == 0 {
			return fmt.Errorf("options %.40q are neither a list nor an object", list)
		}
	}
	if !slices.ContainsFunc(r.sample.Options, func(o eval.Option) bool { return o.Text != "-" }) {
		r.sample.Options = nil // CMMMU's questions without options
	}
	if len(r.sample.Options) == 0 && w.Head.Letter < 0 && w.Head.OptionList < 0 {
		r.sample.Question, r.sample.Options = splitOffOptions(r.sample.Question, strings.TrimSpace(w.Text(w.Head.Answer)))
	}
	return nil
}

func (r *record) addOption(letter int, text string) {
	r.sample.Options = append(r.sample.Options, eval.Option{Letter: eval.Choice(rune('A' + letter)), Text: text})
}

// parseOptionObject reads {"A": "text", ...}, in the order of the letters.
func (r *record) parseOptionObject(object []byte) error {
	members, err := fastio.ParseLenientObject(object, nil)
	if err != nil {
		return fmt.Errorf("options %.40q are no object: %w", object, err)
	}
	var texts [26][]byte
	for _, m := range members {
		if !column.IsOptionLetter(m.Name) {
			return fmt.Errorf("option %q has no letter from A to Z", m.Name)
		}
		texts[m.Name[0]-'A'] = fastio.TextOfJSON(m.Value)
	}
	for i, t := range texts {
		if len(bytes.TrimSpace(t)) > 0 {
			r.addOption(i, r.replaceInvalidUTF8(t, "option"))
		}
	}
	return nil
}

// ownLetter is the letter that a text of a list of options begins with.
var ownLetter = regexp.MustCompile(`^\s*(?:\(([A-Z])\)|([A-Z])[.:)])\s+`)

// haveOwnLetters reports that all of several texts begin with the letter of their place.
func haveOwnLetters(texts [][]byte) bool {
	for i, t := range texts {
		m := ownLetter.FindSubmatch(t)
		if m == nil || string(m[1])+string(m[2]) != string(rune('A'+i)) {
			return false
		}
	}
	return len(texts) > 1
}

// Options inside the question, as older files of MMStar write them: on one
// line behind "Options:", or a line each behind their letters.
var (
	inlineOptions = regexp.MustCompile(`(?i)\n[ \t]*Options:[ \t]*A: `)
	lineOption    = regexp.MustCompile(`\n[ \t]*(?:\(([A-Z])\)|([A-Z])[.:)])`)
	instruction   = regexp.MustCompile(`(?i)\n[ \t]*(?:answer|please)\b[^\n]*\s*$`)
	optionBehind  = regexp.MustCompile(`(?:;|\s)\s*(?:\([A-Za-z]\)|[A-Z][.:)])\s`) // in one line: "(a) x (b) y", "A. x;B. y"
	choicesTail   = regexp.MustCompile(`(?i)\n[ \t]*(?:choices|options):[ \t]*$`)
)

// splitOffOptions takes the options out of a question; without any it returns the question as it
// is. The answer's letter helps where nothing else can: "nan" is what pandas wrote for an empty
// cell, so such options at the end are none, unless one of them is right. A letter with nothing
// behind it is no option, as an empty cell is none.
func splitOffOptions(question, answer string) (string, []eval.Option) {
	text, options := parseOptionLine(question)
	if options == nil {
		text, options = parseOptionLines(question)
	}
	if options == nil {
		return question, nil
	}
	options = slices.DeleteFunc(options, func(o eval.Option) bool { return o.Text == "" })
	for n := len(options); n > 0; n-- {
		last := options[n-1]
		if last.Text != "nan" || string(last.Letter) == answer {
			break
		}
		options = options[:n-1]
	}
	if len(options) < 2 {
		return question, nil
	}
	return text, options
}

// parseOptionLine reads "\nOptions: A: x, B: y". An option may hold a comma and colons, so each
// letter is looked for behind the one before it, and only the letter that is due splits.
func parseOptionLine(question string) (string, []eval.Option) {
	at := inlineOptions.FindAllStringIndex(question, -1)
	if at == nil {
		return question, nil
	}
	last := at[len(at)-1]
	rest := question[last[1]:]
	options := []eval.Option{{Letter: "A"}}
	for letter := 'B'; letter <= 'Z'; letter++ {
		mark := ", " + string(letter) + ": "
		i := strings.Index(rest, mark)
		if i < 0 {
			break
		}
		options[len(options)-1].Text = strings.TrimSpace(rest[:i])
		options = append(options, eval.Option{Letter: eval.Choice(letter)})
		rest = rest[i+len(mark):]
	}
	options[len(options)-1].Text = strings.TrimSpace(rest)
	return question[:last[0]], options
}

// parseOptionLines reads options on lines of their own, "(A) x" or "A. x". The
// last line that opens with A starts them; their letters follow in order.
func parseOptionLines(question string) (string, []eval.Option) {
	marks := lineOption.FindAllStringSubmatchIndex(question, -1)
	letter := func(m []int) string {
		if m[2] >= 0 {
			return question[m[2]:m[3]]
		}
		return question[m[4]:m[5]]
	}
	first := -1
	for i, m := range marks {
		if letter(m) == "A" {
			first = i
		}
	}
	if first < 0 {
		return question, nil
	}
	var options []eval.Option
	from := 0 // where the text of the last option starts
	for _, m := range marks[first:] {
		if len(options) == 26 || letter(m) != string(rune('A'+len(options))) {
			continue
		}
		if n := len(options); n > 0 {
			options[n-1].Text = strings.TrimSpace(question[from:m[0]])
		}
		options, from = append(options, eval.Option{Letter: eval.Choice(letter(m))}), m[1]
	}
	last := question[from:]
	if at := instruction.FindStringIndex(last); at != nil {
		last = last[:at[0]] // what a harness puts behind the options
	}
	options[len(options)-1].Text = strings.TrimSpace(last)
	text := question[:marks[first][0]]
	if tail := choicesTail.FindStringIndex(text); tail != nil {
		text = text[:tail[0]]
	}
	return text, options
}
