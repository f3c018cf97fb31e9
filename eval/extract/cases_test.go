package extract

import (
	"strings"
	"testing"

	"concord/eval"
)

// opts makes options from texts, lettered from A.
func opts(texts ...string) []eval.Option {
	var out []eval.Option
	for i, t := range texts {
		out = append(out, eval.Option{Letter: eval.Choice(rune('A' + i)), Text: t})
	}
	return out
}

func lettered(pairs ...string) []eval.Option {
	var out []eval.Option
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, eval.Option{Letter: eval.Choice(pairs[i]), Text: pairs[i+1]})
	}
	return out
}

// checker reads texts against options; what is wanted is a letter or the
// name of a status.
func checker(t *testing.T, options []eval.Option) func(text, want string) {
	rd := readerOf(t, Default, eval.KindChoice)
	return func(text, want string) {
		t.Helper()
		e := rd.Read(options, text)
		got := string(e.Choice)
		if got == "" {
			got = e.Status.String()
		}
		if want == "-" && got != "" && e.Choice == "" {
			return
		}
		if got != want {
			t.Errorf("%q: got %s by %s, want %s", text, got, e.Method, want)
		}
	}
}

func TestLetterForms(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	for _, text := range []string{
		"B", "b", "B.", "B)", "(B)", "[B]", "{B}", "B:", "B,", "*B*", "**B**", "**B.**", "**(B)**", "`B`", "\"B\"", "'B'", "$B$", "$$B$$", "\\(B\\)", "\\[B\\]",
		"\\boxed{B}", "$\\boxed{B}$", "\\boxed{\\text{B}}", "$\\boxed{\\textbf{(B)}}$", "\\boxed{B. cat}", "<answer>B</answer>", "<answer> B </answer>", "<answer>(B)</answer>",
		"<ANSWER>\nB\n</ANSWER>", "Ｂ", "（Ｂ）", "Ｂ．", "Ⓑ", "𝐁", "**𝐁**", "  B  ", "\n\nB\n", "#B", "# B", "- B", "> B", "B cat", "B cat.", "B. cat", "B) cat", "(B) cat", "B: cat", "B - cat", "B – cat",
		"**B. cat**", "**B**. cat", "**B:** cat", "B\ncat", "B\r\ncat", "B</s>", "B<|im_end|>",
		"B because cats have whiskers.", "B, because cats have whiskers.", "B since it meows", "B is correct.", "B is the correct answer.", "B is the best answer.",
		"Option B", "Option B.", "option b", "Option (B)", "Choice B", "Letter B", "The letter B", "Option B: cat", "option B is the correct one",
		"Answer: B", "Answer:B", "answer: b", "ANSWER: B", "**Answer:** B", "**Answer: B**", "Answer - B", "Answer is B", "Answer B", "Ans: B", "Final answer: B", "Final Answer: (B)",
		"**Final Answer**\n\nB", "### Answer\n**B**", "## Final Answer:\nB. cat", "Answer:\n\nB", "Answer:\n\n(B) cat", "Correct answer: B", "The correct option: B",
		"The answer is B", "The answer is B.", "The answer is: B", "The answer is (B).", "The answer is **B**.", "The answer is \"B\".", "The answer is option B.", "The answer is B, a cat.",
		"The answer is B (cat).", "The answer is B. cat", "The answer is b).", "the correct answer is b) cat", "The correct answer is  b) Random.", "The correct choice is B", "The best option is B.",
		"The most appropriate answer would be B.", "The answer should be B.", "The answer must be B", "The answer is clearly B.", "The answer is most likely B.", "My answer is B", "So the answer is B",
		"Therefore, the answer is (B).", "Thus, B is the correct answer.", "Hence the correct option is B.", "I choose B", "I would choose B.", "I'd choose option B.", "I pick B", "I select B.", "I'll go with B.",
		"I would go with option B", "I think the answer is B.", "I believe the answer is B", "I think it's B.", "It's B.", "It is B", "It would be B.", "My choice is B.", "My guess is B", "I'd say B.", "Let's go with B.",
		"The answer to the question is B.", "The answer to this question is option (B).", "{\"answer\": \"B\"}", "{\"answer\":\"B\", \"why\": \"it meows\"}", "answer = B", "```json\n{\"choice\": \"B\"}\n```",
		"Sure! The answer is:\n\nB. cat", "Sure, here is the answer:\n\n**Answer:** B\n\nA cat has whiskers.", "The picture shows the following:\n\nB. cat", "Looking at the image, the animal is (B) cat.",
		"The animal in the picture is a cat (B).", "This is best described by option B.", "Based on the picture, B is the most accurate answer.", "B\n\nExplanation: A long text about dogs.",
		"B. cat\n\nThe other options are wrong: A is a dog, C is a bus and D shows people.", "The correct answer is B. A dog would bark.", "<think>Maybe A. Perhaps C.</think>\nB", "<think>\nIs it A?\n</think>\n\nThe answer is B.",
		"答案是B", "答案：B", "答案是：B", "答案为B。", "答案 B", "选B", "选择B", "我选B", "我选 B 。", "选项 B", "选项B", "应选B", "故选B。", "正确答案是B", "正确答案为：B", "正确选项是B", "答案是选项B", "【答案】B", "B，因为", "B、", "B。", "B是正确的", "B选项正确", "因此，答案是（B）。", "所以选择B选项。", "根据图片，答案应该是B。",
		"La réponse est (B).", "Respuesta: B", "Antwort: B", "答え：B", "Ответ: B",
	} {
		check(text, "B")
	}
}

func TestReasoning(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	check("A... no, B", "B")
	check("A. Wait, no. The answer is B.", "B")
	check("The answer is A. Actually, the answer is B.", "B")
	check("I first thought A, but the answer is B.", "B")
	check("Let's see. A is a dog. B is a cat. C is a bus. The animal meows, so the answer is B.", "B")
	check("Option A is wrong because there is no dog. Option C is wrong too. Therefore, option B is correct.", "B")
	check("A: no dog here.\nB: a cat is visible.\nC: no bus.\nD: no people.\n\nAnswer: B", "B")
	check("(A) dog (B) cat (C) red bus (D) two people\nAnswer: (B)", "B")
	check("Options:\nA. dog\nB. cat\nC. red bus\nD. two people\n\nThe answer is B.", "B")
	check("It is not A. It is B.", "B")
	check("Not A but B.", "B")
	check("B, not A.", "B")
	check("B rather than A", "B")
	check("The answer is B, not C.", "B")
	check("A is wrong, C is wrong, D is wrong. So B.", "B")
	check("If it were a dog the answer would be A. It meows. So the answer is B.", "B")
	check("Eliminate A, C and D. The answer is B.", "B")
	check("The answer is B and not A", "B")
	check("Between A and B, I choose B.", "B")
	check("Both A and C are wrong. The correct answer is B.", "B")
	check("B is correct. A is incorrect since dogs bark.", "B")
	check("首先，A不对，C也不对，因此答案是B。", "B")
	check("不是A，而是B。", "B")
	check("The answer is not A. The answer is B.", "B")
	check("The answer isn't A; it's B.", "B")
	check("Step 1: A is a dog.\nStep 2: compare.\n\n**Therefore, the correct answer is B.**", "B")
	check("The answer is A.\n\nHmm, wait. Whiskers. So the final answer is B.", "B")
}

func TestAbstains(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	check("", "missing")
	check("  \n\t ", "missing")
	check("Failed to obtain answer via API. B", "missing")
	check("Error: 429 Too Many Requests", "missing")
	check("A or B", "ambiguous")
	check("A and B", "ambiguous")
	check("Either A or B.", "ambiguous")
	check("A, B", "ambiguous")
	check("A/B", "ambiguous")
	check("A, B, C, D", "ambiguous")
	check("The answer is A or B.", "ambiguous")
	check("The answer is (A) or (C).", "ambiguous")
	check("The correct answers are A and C.", "ambiguous")
	check("A. dog\nB. cat", "ambiguous")
	check("A. dog\nB. cat\nC. red bus\nD. two people", "ambiguous")
	check("答案是A或B", "ambiguous")
	check("The answer is A. The answer is B.", "ambiguous")
	check("Not A", "-")
	check("A is wrong", "-")
	check("Option A is wrong", "-")
	check("The answer is not B.", "-")
	check("It can't be C.", "-")
	check("B is incorrect.", "-")
	check("不选A", "-")
	check("A不对", "-")
	check("Option C cannot be the correct answer.", "-")
	check("None of the above", "none")
	check("None of the options A, B, C, or D is correct.", "none")
	check("There is no correct answer.", "none")
	check("None of these.", "none")
	check("以上都不是", "none")
	check("The correct answer is not among the options provided.", "none")
}

func TestRefusals(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	check("I'm sorry, I can't help with that.", "refused")
	check("I cannot provide an answer to this question.", "refused")
	check("I'm sorry, but I can't assist with that request.", "refused")
	check("As an AI language model, I cannot see images.", "refused")
	check("I apologize, but I cannot answer this question as it goes against ethical standards.", "refused")
	check("抱歉，我无法回答这个问题。", "refused")
	check("无法回答", "refused")
	check("I don't know.", "refused")
	check("Sorry, I can’t help with identifying people in images.", "refused")
	check("A spider", "missing")
	check("An animal with four legs", "missing")
	check("I think this is a picture.", "missing")
	check("A", "A")
	check("A big animal sits on the sofa.", "missing")
	check("Let me think about each option. Option A: the dog", "-")
	check("Is the answer B?", "-")
	check("If the answer is B, then", "-")
	check("E", "missing")
	check("Z", "missing")
	check("The note is a D minor chord", "missing")
	check("It is not a dog.", "-")
	check("hotdog", "missing")
	check("a dog and a cat", "ambiguous")
	check("The vitamin C content is high.", "missing")
	check("Plan B", "-")
	check("He was born in Washington D.C.", "missing")
	check("Hepatitis B.", "-")
	check("written in C.", "-")
}

func TestContent(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	for text, want := range map[string]string{
		"dog": "A", "Dog": "A", "DOG.": "A", "a dog": "A", "the dog": "A", "A dog": "A", "A cat": "B", "A red bus.": "C", "It is a dog.": "A", "This is a cat": "B", "The answer is cat.": "B",
		"Answer: red bus": "C", "2 people": "D", "Two people.": "D", "There are two people in the picture.": "D", "\"cat\"": "B", "**cat**": "B", "The answer is a dog because it barks.": "A",
		"It is not a dog, it is a cat.": "B", "the red  bus": "C", "答案是cat": "B", "I see a red bus.": "C", "\\boxed{cat}": "B", "<answer>cat</answer>": "B",
	} {
		check(text, want)
	}
	check = checker(t, opts("1", "12", "3.5", "1,000"))
	for text, want := range map[string]string{
		"1": "A", "12": "B", "12.": "B", "3.5": "C", "3.50": "C", "1000": "D", "1,000": "D", "There are 12.": "B", "13": "missing", "0.1": "missing", "112": "missing", "one": "A", "twelve": "B", "1/2": "missing", "-1": "missing", "1%": "missing",
		"The answer is 12": "B", "10": "missing", "2.1": "missing", "1:6": "missing",
	} {
		check(text, want)
	}
	check = checker(t, opts("Yes", "No"))
	for text, want := range map[string]string{
		"Yes": "A", "no": "B", "No.": "B", "Yes, it is": "A", "No, there is no dog": "B", "Yes, there is no person": "A", "I do not know": "refused", "know": "missing", "Yes and No": "-", "Nothing": "missing", "**Yes**": "A", "The answer is yes": "A", "A": "A", "B. No": "B",
	} {
		check(text, want)
	}
	check = checker(t, opts("dog", "hot dog", "dog house", "cat"))
	for text, want := range map[string]string{"hot dog": "B", "a hot dog": "B", "It is a hot dog.": "B", "dog": "A", "The dog house": "C", "hotdog": "missing"} {
		check(text, want)
	}
	check = checker(t, opts("泰迪熊", "兔子", "猫", "狗"))
	for text, want := range map[string]string{
		"泰迪熊": "A", "答案是泰迪熊": "A", "一只猫": "C", "这是一只狗。": "D", "热狗": "missing", "熊猫": "missing", "兔子 兔子": "B", "不是兔子": "-", "猫和狗": "-", "图中是兔子": "B", "A. 泰迪熊": "A",
	} {
		check(text, want)
	}
	check = checker(t, opts("A", "B", "C", "D"))
	for text, want := range map[string]string{"A": "A", "B. B": "B", "(C)": "C", "The answer is D": "D"} {
		check(text, want)
	}
	check = checker(t, opts("D", "A", "B", "C"))
	for text, want := range map[string]string{"A. D": "A", "B": "B", "D. C": "D", "C: B": "C"} {
		check(text, want)
	}
	check = checker(t, opts("Vitamin A", "Vitamin B", "Vitamin C", "Vitamin D"))
	for text, want := range map[string]string{"Vitamin C": "C", "Vitamin D.": "D", "The answer is Vitamin A": "A", "A. Vitamin A": "A", "C": "C"} {
		check(text, want)
	}
	check = checker(t, opts("both A and B", "A only", "B only", "neither A nor B"))
	for text, want := range map[string]string{"A. both A and B": "A", "The answer is B. A only": "B", "C. B only": "C", "neither A nor B": "D", "D. neither A nor B": "D", "A": "A"} {
		check(text, want)
	}
}

func TestMeaningOfOptions(t *testing.T) {
	check := checker(t, opts("steal", "none of the above", "lie", "all of the above"))
	check("B", "B")
	check("None of the above.", "B")
	check("all of the above", "D")
	check("B. none of the above", "B")
	check("The answer is B. None of the above.", "B")
	check = checker(t, opts("5", "10", "15", "Cannot be determined"))
	check("D. Cannot be determined", "D")
	check("It cannot be determined from the picture.", "D")
	check("The answer is D.", "D")
	check("cannot be determined", "D")
	check = checker(t, opts("Wrong", "Refused", "I do not know", "No correct answer is given"))
	check("A. Wrong", "A")
	check("B. Refused", "refused")
	check("The answer is C.", "refused")
	check("D. No correct answer is given", "none")
	check = checker(t, opts("None", "NA", "null", "1.0"))
	check("None", "A")
	check("NA", "B")
	check("null", "C")
	check("1.0", "D")
	check("1", "D")
	check = checker(t, lettered("I", "f(w,w)", "A", "(I, II) only", "B", "I only", "C", "II only"))
	check("I think B is right", "B")
	check("I", "I")
	check("B. I only", "B")
	check("The answer is A.", "A")
	check("I am not sure", "-")
	check("I would choose C.", "C")
	check = checker(t, lettered("A", "dog", "C", "bus"))
	check("C", "C")
	check("The answer is B", "missing")
	check("A dog? Not sure.\n\nAnswer: B", "missing")
	check("bus", "C")
	check = checker(t, lettered("A", "only"))
	check("A", "A")
	check("only", "A")
	check("B", "missing")
	check = checker(t, nil)
	check("A", "missing")
	check = checker(t, opts("", "x", "", "y"))
	check("x", "B")
	check("nothing", "missing")
	check("A", "A")
	check = checker(t, opts("dog", "dog", "cat"))
	check("dog", "-")
	check("cat", "C")
	check = checker(t, opts(strings.Split("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega aleph beth", " ")...))
	check("Z", "Z")
	check("The answer is K.", "K")
	check("eta", "G")
	check("zeta", "F")
	check("Answer: I", "I")
	check("I. iota", "I")
}

func TestWorkedThrough(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	analysis := "Let's analyze each option:\n\n- **A. dog**: There is none.\n- **B. cat**: No.\n- **C. red bus**: Yes, visible.\n- **D. two people**: no."
	check(analysis, "-")
	check(analysis+"\n\nTherefore, the correct answer is **C. red bus**.", "C")
	check("Let's analyze each option:\n\n1. **Option A: dog** - There is no dog.\n2. **Option B: cat** - No.", "-")
	check("To answer, consider the options:\n\nA. dog", "-")
	check("Question: What is it?\nA. dog\nB. cat\nC. red bus\nD. two people\nAnswer with the letter.\n\nC", "C")
	check("It's definitely not A. B is also unlikely. D doesn't fit. That leaves C.", "C")
	check("This makes C the correct answer", "C")
	check("Among A, B, C, and D, the best is C.", "C")
	check("Answer: (A)(C)", "ambiguous")
	check("A. dog\n\nC. red bus", "ambiguous")
	check("La respuesta correcta es C", "C")
	check("Die Antwort ist C.", "C")
	check("正解はCです", "C")
	check("A dog? No, a cat.", "B")
	check("Neither a dog nor a cat is visible. There is a red bus.", "C")
	check = checker(t, opts("0", "1", "2", "3"))
	check("There are 2 dogs.", "C")
	check("Answer: 1, 2", "ambiguous")
	check("The first one", "missing")
	check("In 2019 there were 3", "D")
	check("2.5", "missing")
	check("20", "missing")
	check = checker(t, opts("10%", "20%", "5%", "0.5"))
	check("10 percent", "A")
	check("0.50", "D")
	check("0.5%", "missing")
	check("50%", "missing")
	check = checker(t, opts("Paris, France", "London, UK", "Paris, Texas", "none of the above"))
	check("paris france", "A")
	check("Paris", "missing")
	check("It is Paris, Texas.", "C")
	check("None of the above", "D")
	check = checker(t, opts("True", "False"))
	check("The answer is False", "B")
	check("True, because it is", "A")
	check("not true", "-")
	check("It is true that it is false", "-")
}
