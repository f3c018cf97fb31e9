package extract

import (
	"testing"

	"concord/eval"
)

func TestYesNo(t *testing.T) {
	rd := readerOf(t, Default, eval.KindYesNo)
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			e := rd.Read(nil, text)
			got := string(e.Choice)
			if got == "" {
				got = e.Status.String()
			}
			if got != want && (want != "-" || e.Choice != "") {
				t.Errorf("%q: got %s by %s, want %s", text, got, e.Method, want)
			}
		}
	}
	check("yes", "yes", "Yes.", "YES", "**Yes**", "'yes'", "\"Yes\"", "Answer: yes", "answer:yes", "The answer is yes.", "Final answer: **Yes**", "Yes, there is a dog, there is no cat.",
		"yes\nno cat here", "Y", "y.", "yeah", "Yep!", "是", "是的", "有", "对", "答案：是", "答：是", "答案是有", "是，图中有一只狗", "Ｙｅｓ", "\\boxed{Yes}", "<answer>yes</answer>", "Yes, there is no person in the picture.",
		"Let me see. There is a dog.\n\nAnswer: Yes", "<think>no no no</think>Yes", "The answer to the question is yes", "There is a dog on the left.\nYes.")
	check("no", "no", "No.", "NO", "**No**", "'no'", "Answer: No", "No, there is no dog.", "no there is no bed in this image", "N", "nope", "否", "不是", "不是的", "没有", "答案：否", "不", "没有，图中没有狗",
		"No, the answer is not in the picture", "no, it's a yes sign", "The answer is no.", "<answer>No</answer>", "\\boxed{\\text{No}}", "No it is not")
	check("ambiguous", "yes/no", "Yes and no", "yes or no", "no, yes", "Yes, no", "yes;no", "yes_no")
	check("missing", "", "  ", "maybe", "nothing", "know", "yesterday", "The sign says \"no smoking\".", "No smoking sign is visible.", "是否", "N/A", "Error: 500")
	check("refused", "I'm sorry, but I cannot confirm whether this artwork is displayed in the museum.", "I don't know", "无法回答", "抱歉，我不能回答", "对不起")
	check("-", "不确定", "It is not possible to determine from the image whether the photo was taken in a botanical garden or not.", "有没有")
}

func TestYesNoOnRealOutputs(t *testing.T) {
	rd := readerOf(t, Default, eval.KindYesNo)
	var read, against, n int
	for _, r := range realRows(t, "mme/yesno.jsonl") {
		e := rd.Read(nil, r.Prediction)
		n++
		if e.IsFound() {
			read++
		}
		if r.MME != "other" && e.IsFound() && string(e.Choice) != r.MME {
			against++
			t.Logf("%q: %s, the MME tool %s", r.Prediction, e.Choice, r.MME)
		}
		if r.MME != "other" && !e.IsFound() {
			t.Logf("%q: %s by %s, the MME tool %s", r.Prediction, e.Status, e.Method, r.MME)
		}
	}
	t.Logf("read %d of %d, %d against the MME tool", read, n, against)
	if against > 0 || read*1000 < n*990 {
		t.Error("want at least 99 % read, none against the MME tool")
	}
}
