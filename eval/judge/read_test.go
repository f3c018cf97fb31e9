package judge

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/prompt"
)

func options(letters string) []eval.Option {
	var out []eval.Option
	for _, l := range letters {
		out = append(out, eval.Option{Letter: eval.Choice(l), Text: "text " + string(l)})
	}
	return out
}

// result writes a reading as the choice, "none", or why it does not parse.
func result(e eval.Extraction, w prompt.ReplyProblem) string {
	switch {
	case w != prompt.WrongUnset:
		return string(w)
	case e.Status == eval.None:
		return "none"
	}
	return string(e.Choice)
}

func TestReadChoice(t *testing.T) {
	item := prompt.Item{Options: options("ABCDI"), Pseudo: "Z"}
	check := func(text, want string) {
		t.Helper()
		e, w := readChoiceReply(item, eval.Reply{Text: text})
		if got := result(e, w); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if w == prompt.WrongUnset && e.Method != Method {
			t.Errorf("%q: method %q", text, e.Method)
		}
	}
	// A letter alone.
	for _, text := range []string{
		"B", " B\n", "B.", "B)", "(B)", "[B]", "**B**", "`B`", "```\nB\n```", "*B*.", "\"B\"", "“B”", "'B'", "{B}", "- B", "### B",
		"Ｂ", "（Ｂ）", "B。", "【B】", "「B」", "b", "b.", "(b)", "\u200bB\ufeff", "\u00a0B", "<think>A or C?</think>\nB", "hm A</think> B",
	} {
		check(text, "B")
	}
	check("I", "I")
	check("i", "I")
	check("Z", "none")
	check("z.", "none")
	// After a lead.
	for _, text := range []string{
		"Answer: B", "Answer：B", "answer: B.", "The answer is B", "The answer is: B.", "the answer is (B).", "So, the answer is B",
		"**Answer:** B", "**Answer: B**", "Answer: **B**", "Final answer: [B]", "Output: B", "Reply: B", "My choice is B", "Option B",
		"The best match is B", "The most similar option is B.", "The correct option is: B", "The matching option is option B",
		"Therefore the correct answer would be B", "Answer = B", "Answer -> B", "Answer: \"B\"", "Choice: ( B )",
		"答案是B", "答案：B", "答案为 B。", "因此，答案是 B。", "最终答案：（B）", "选B", "应选B", "我选择 B", "选项B", "选项：B", "输出：B",
		"最接近的选项是B。", "与该回答意思最接近的选项是 B", "故选Ｂ", "**答案：B**", "正确答案应为选项B",
		"The answer speaks of a dog.\nOption A is about cats.\n\nAnswer: B", "A. a cat\nB. a dog\nAnswer: B\n",
		"Answer:\nB", "It is a dog.\n\n**Answer:**\n\n**B**", "答案是：\nB", "The option B", "Answer: B\n```", "B\nAnswer: B", "回答说的是狗。\n答案：B",
		"dogs\n\nB", "It is B, a dog:\nB", "The answer speaks of a dog.\n\n**B**", "I think the answer is B", "Based on the options, the answer is: B",
	} {
		check(text, "B")
	}
	check("Answer: Z", "none")
	check("答案：Z", "none")
	// Anything else does not parse.
	for _, text := range []string{
		"Based on the answer, no option fits", "Based on...", "Based on the picture the answer is B, it seems", "a dog", "An apple", "Be", "I think so",
		"I'm not sure", "A good match", "The answer is not B", "Nobody knows whether the answer is B", "I doubt it", "If it were a dog, the answer is B", "The answer isn't B",
		"answer: b", "the answer is a", "so a\na", "B?", "-B", "~~B~~", "B (the dog)", "B. a dog", "B: a dog", "B\nbecause it is a dog", "A. a cat\nB.", "I saw a dog\n\nB", "dogs\nOption B", "狗\n选项B",
		"Answer: B\nIs there more?", "not B", "答案不是B", "不选B", "选项B错误", "答案是B吗", "答案", "None", "none of them", "\\boxed{B}", "$B$", "ABC", "1", "Answer:",
		"<think>B", "<think>\nAnswer: B", "ı", "ſ", "Ⓑ", "无法判断", "The answer is none",
	} {
		check(text, "wordy")
	}
	for _, text := range []string{"A or B", "A, B", "A/B", "A and B", "Answer: A or B", "A\nB", "Answer: A\nAnswer: B", "B\nAnswer: A", "A 或 B", "A、B", "A or Z"} {
		check(text, "several")
	}
	for _, text := range []string{"E", "e", "X", "Answer: E", "答案是X", "(Y)."} {
		check(text, "invalid")
	}
	for _, text := range []string{"", " \n\t", "\u200b", "<think>A</think>\n"} {
		check(text, "empty")
	}
	check(strings.Repeat("x ", 20_000)+"\nB", "wordy")
}

func TestReadCutOff(t *testing.T) {
	item := prompt.Item{Options: options("AB"), Pseudo: "Z"}
	check := func(text, want string) {
		t.Helper()
		if got := result(readChoiceReply(item, eval.Reply{Text: text, Finish: "length"})); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	check("A", "A")
	check("The answer is A", "wordy")
	check("", "empty")
}

func TestReadOtherPseudo(t *testing.T) {
	check := func(letters string, want, p eval.Choice, text, reading string) {
		t.Helper()
		item := prompt.Item{Options: options(letters), Pseudo: pseudoLetter(want, options(letters))}
		if item.Pseudo != p {
			t.Errorf("%s, wanted %s: pseudo-choice %s, want %s", letters, want, item.Pseudo, p)
		}
		if got := result(readChoiceReply(item, eval.Reply{Text: text})); got != reading {
			t.Errorf("%s with %s, %q: %s, want %s", letters, p, text, got, reading)
		}
	}
	check("ABCD", "", "Z", "Z", "none")
	check("ABCD", "X", "X", "X", "none")
	check("ABCD", "X", "X", "Z", "invalid")
	check("ABCDEFGHIJKLMNOPQRSTUVWX", "X", "Y", "X", "X")
	check("ABZ", "Z", "Y", "Z", "Z")
	check("ABZ", "Z", "Y", "Answer: Y", "none")
	check("ABCDEFGHIJKLMNOPQRSTUVWXY", "C", "Z", "z", "none")
	check("BCDEFGHIJKLMNOPQRSTUVWXYZ", "", "A", "A", "none")
	check("AB", "B", "C", "C", "none")
	all := "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	check(all, "Z", "NONE", "Z", "Z")
	check(all, "Z", "NONE", "none.", "none")
	check(all, "Z", "NONE", "The answer is NONE", "none")
	check(all, "Z", "NONE", "none of these", "wordy")
}

func TestReadYesNo(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		if got := result(readChoiceReply(prompt.Item{}, eval.Reply{Text: text})); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"yes", "Yes.", "**YES**", "Answer: yes", "The answer is yes.", "是", "“是”", "是。", "答案：是", "输出：“是”", "It shows a lamp.\nAnswer: yes"} {
		check(text, "yes")
	}
	for _, text := range []string{"no", "No.", "'no'", "Answer: No", "否", "不是", "答案是否", "答案：否"} {
		check(text, "no")
	}
	for _, text := range []string{"unknown", "Unknown.", "未知", "“未知”。", "答案：未知"} {
		check(text, "none")
	}
	for _, text := range []string{"Yes, there is a lamp", "No lamp", "Not sure", "Y", "n", "nothing", "是否", "答案不是", "yes!", "not yes"} {
		check(text, "wordy")
	}
	for _, text := range []string{"yes or no", "yes/no", "yes\nno", "是或否"} {
		check(text, "several")
	}
	check("", "empty")
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"B", "Answer: B", "答案是B。", "A or B", "<think>x</think>Z", "**b**", "The best match is option C.", "\xff\xfe", "（Ｂ）\n", "- \n."} {
		f.Add(text, uint8(4))
	}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:n%27]
		item := prompt.Item{Options: options(letters)}
		if n%27 > 0 {
			item.Pseudo = pseudoLetter("", item.Options)
		}
		e, w := readChoiceReply(item, eval.Reply{Text: text})
		again, _ := readChoiceReply(item, eval.Reply{Text: text})
		if e != again {
			t.Fatal("it reads otherwise the second time")
		}
		if w != prompt.WrongUnset {
			if e != (eval.Extraction{}) {
				t.Fatalf("%s and %+v", w, e)
			}
			return
		}
		if e.Status == eval.None {
			return
		}
		if e.Choice == eval.Yes || e.Choice == eval.No {
			if letters == "" {
				return
			}
		}
		if e.Status != eval.Found || len(e.Choice) != 1 || !strings.Contains(letters, string(e.Choice)) {
			t.Fatalf("%q of %q: %+v", text, letters, e)
		}
		if !strings.ContainsAny(foldReply(text), string(e.Choice)+strings.ToLower(string(e.Choice))) {
			t.Fatalf("%q holds no %s", text, e.Choice)
		}
	})
}

// TestReadOfWhatModelsWrite reads models' free answers as if a judge had
// written them: what the strict reading takes for a choice, people do too.
func TestReadOfWhatModelsWrite(t *testing.T) {
	data, err := os.Open("../../../shared/data/extraction/choices.jsonl")
	if err != nil {
		t.Skip("real data is absent: ", err)
	}
	defer func() { _ = data.Close() }()
	d := json.NewDecoder(data)
	seen, right, wrong := 0, 0, 0
	for d.More() {
		var row struct {
			Options    map[string]string
			Prediction string
			Human      *string
			Kind       string `json:"human_kind"`
		}
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		item := prompt.Item{}
		for _, l := range slices.Sorted(maps.Keys(row.Options)) {
			item.Options = append(item.Options, eval.Option{Letter: eval.Choice(l), Text: row.Options[l]})
		}
		item.Pseudo = pseudoLetter("", item.Options)
		e, w := readChoiceReply(item, eval.Reply{Text: row.Prediction})
		if w != prompt.WrongUnset || e.Status != eval.Found || row.Human == nil {
			continue
		}
		seen++
		if row.Kind == "option" && *row.Human == string(e.Choice) {
			right++
		} else {
			wrong++
			t.Logf("%q: %s, a person reads %s (%s)", row.Prediction, e.Choice, *row.Human, row.Kind)
		}
	}
	t.Logf("read %d, right %d, wrong %d", seen, right, wrong)
	if right < 50 || wrong > 0 {
		t.Errorf("read %d, right %d, wrong %d", seen, right, wrong)
	}
}
