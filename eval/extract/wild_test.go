package extract

import "testing"

// TestChoicesInTheWild has what models write, by what is to be read.
func TestChoicesInTheWild(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	for want, texts := range map[string][]string{
		"B": {
			"The answer is a cat, not a dog.", "Not a dog, but a cat.", "I would rule out A and C. It must be B.",
			"The answer can't be A, so it has to be B.", "B!!!", "B best describes the picture", "Answer: B\n\nQuestion: What else?\nA. x\nAnswer: D", "B\n\nQuestion: Next?\nAnswer: D", "B :)", "(b)", "b) cat", "b. cat", "Answer:\nB", "Answer :B",
			"**Answer**: B", "Answer => B", "Answer → B", "ANSWER IS: B", "The Answer is B", "The final answer is $\\boxed{B}$.",
			"The final answer is: $\\boxed{\\text{B}}$. I hope it is correct.",
			"Final Answer: The final answer is B. I hope it is correct.", "[ANSWER] B", "[B]", "<<B>>", "Answer: <B>", "###B",
			"Answer: B</answer>", "<b>B</b>", "My final choice is option B", "Choosing option B", "I'm going with B.",
			"I am confident that the answer is B.", "I'm not sure, but I think it's B.", "I am not certain but the answer is probably B",
			"Probably B", "Definitely B.", "Maybe B", "Likely B", "Clearly, B.", "Obviously B", "B, I think.", "B (I think)", "B?",
			"Hmm, B.", "Sure, B.", "Sure! B", "OK: B", "Yes, B.", "Well, the answer would be B", "It looks like B is the right one.",
			"B seems to be the correct answer.", "B appears correct.", "B would be correct.", "B must be the answer", "B: This is right",
			"The only correct option is B", "Only B is correct.", "Only option B is right", "Option B is the most suitable.",
			"Option B is the answer", "Option B best matches the picture.", "A, C and D are wrong, so B.",
			"A and C are incorrect. D is impossible. Therefore B.", "A is incorrect. B is correct. C is incorrect. D is incorrect.",
			"A was my first thought. However, the correct answer is B.", "Initially I chose A. After reconsidering, I choose B.",
			"My answer: A. Correction: B.", "A. Sorry, B.", "A - no wait, B", "A, sorry I mean B", "The answer is A, I mean B.",
			"The answer could be A or B, but I'd go with B.", "It is between A and B. The answer is B.", "答案是 **B**", "答案：（B）",
			"答案: B. cat", "最终答案：B", "最终答案是B。", "选项B是正确的。", "我认为答案是B。", "我认为是B", "应该选B", "应该是B", "本题选B", "这道题选B。", "此题答案为B", "根据图像，选B。",
			"综上所述，答案为B。", "因此选B", "所以答案是选项B：cat", "B选项", "B 选项是正确答案", "选择 (B)", "正确的选项是B。", "答案应为 B。", "答案不是A，是B。", "A错误，B正确",
			"A选项错误，B选项正确。", "A不正确，选B", "不能选A，应选B", "答案是A吗？不，是B。", "I cannot see the image, but the answer is likely B.",
			"Sorry, I can't be sure. The answer is B.", "I can't tell, so I'll guess B.", "As an AI I can't view it; however I'd pick B.",
			"cat cat cat", "The image shows a cat. There is no dog.", "Figure B shows a cat",
		},
		"C": {
			"c", "the answer is c", "The answer is C because A, B and D are wrong.", "A red bus is parked.",
			"No dog, no cat, no people: a red bus",
		},
		"A": {
			"a", "(a)", "a) dog", "a.", "Answer: a", "The answer is A, because B is a cat.", "I would choose A over B.", "A instead of B",
			"There is a dog in the image.", "The animal isn't a cat but a dog",
		},
		"D": {
			"d.", "The correct answer is D. A is wrong because there is no dog. B is wrong because there is no cat.",
		},
	} {
		for _, text := range texts {
			check(text, want)
		}
	}
}

// TestAbstentionsInTheWild has what no choice is to be read from; "-" is any
// abstention.
func TestAbstentionsInTheWild(t *testing.T) {
	check := checker(t, opts("dog", "cat", "red bus", "two people"))
	for want, texts := range map[string][]string{
		"-": {
			"B fits best.", "Option B is not correct.", "Option B isn't right", "Option B is false",
			"B is false", "B is not the answer", "B is definitely wrong", "B can be ruled out", "We can eliminate B", "We can rule out B.",
			"not B", "definitely not B", "B is unlikely", "anything but B", "all except B", "All options except B are correct",
			"none but B", "A, C and D are wrong", "A: Incorrect.\nB: Correct.\nC: Incorrect.\nD: Incorrect.", "A) No\nB) Yes\nC) No\nD) No",
			"A ❌\nB ✅\nC ❌\nD ❌", "I prefer A to B", "A+B", "AB", "A B", "A as well as B", "A, or maybe B", "AC", "A;B", "A\nB", "A\n\nB",
			"A | B", "A、B、C、D都不对", "这张图片无法显示", "No comment", "I'd rather not say.", "The image is too blurry to tell.", "None.", "Neither",
			"All of the above", "I see no dog and no cat", "A man is standing next to a bus.", "A bus", "The bus is red", "dogs",
			"cats and dogs", "There is no cat.", "It's not a cat", "isn't a cat", "C'est B", "C# is a language", "C++", "C language",
			"D major", "A+", "A-", "Grade A", "Vitamin C", "Type B", "Section C", "Class A", "E. coli", "A.I.", "U.S.A", "D.C.",
			"J. D. Salinger", "3D", "B2B", "x = A", "P(A)", "f(B)", "A = πr²", "A/C", "B-52", "A4", "plan A failed, so plan B",
			"From A to B", "point A", "points A and B", "at B", "row C", "Let A be the area.", "Triangle ABC", "angle A is 30 degrees",
			"Set A contains B.",
		},
		"ambiguous": {
			"The answers are A, B.", "A & B", "A and/or B", "both A and B", "(A) and (B)", "A,B", "A、B", "A和B", "A和B都对",
			"The dog and the cat", "A cat is sitting next to a dog", "cat\ndog",
		},
		"none": {
			"没有正确答案", "It is impossible to determine.", "Not enough information.", "None of the given options match the picture.",
			"None of them", "There's no correct option", "The correct answer is not listed.", "The correct answer is none of the above.",
			"No answer is correct",
		},
		"refused": {
			"我不知道", "对不起，我不能回答", "作为AI，我无法查看图片。", "I'm unable to see images. Please describe it.", "I can't assist with that.",
			"I must decline.", "I won't answer that.", "I don't have enough information to answer.",
		},
		"missing": {
			"Error: connection refused", "nan", "None", "null", "[]", "{}", "...", "-", "N/A", "?", "*", "I", "I.",
		},
	} {
		for _, text := range texts {
			check(text, want)
		}
	}
}

// TestLabelsAgainstTexts has letters beside the text of another option.
func TestLabelsAgainstTexts(t *testing.T) {
	check := checker(t, opts("dog", "dog house", "a hot dog", "cat", "狗"))
	check("A. cat", "ambiguous")
	check("D: dog house", "ambiguous")
	check("The answer is D. Dog.", "ambiguous")
	check("(A) cat", "ambiguous")
	check("A: 狗", "ambiguous")
	check("B. dog house", "B")
	check("B. A house for dogs", "B")
	check("A. dog", "A")
	check("A\ncat food is near", "A")
	check("A. dogs and cats", "A")
	check("E. 狗", "E")
	check("The answer is D. The dog is elsewhere.", "D")
}
