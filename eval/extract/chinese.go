package extract

import (
	"slices"
	"strings"

	"concord/eval/extract/chars"
)

// Chinese writes without spaces, so its cues are endings of what stands
// before a letter and openings of what stands behind it. Full-width
// punctuation has been folded.

var chineseStates = []string{
	"答案是", "答案为", "答案应为", "答案应该是", "答案应是", "答案选", "答案选择", "答案应选", "答案", "正确选项是", "正确选项为",
	"正确的是", "正确的选项是", "正确的选项为", "正确答案是选项", "答案是选项", "答案为选项", "应该是选项", "答", "应选", "应选择", "故选", "故选择", "因此选", "因此选择",
	"所以选", "所以选择", "我选", "我选择", "选择", "选择选项", "我会选", "我会选择", "应该选", "应该选择", "选", "最佳选项是", "最佳答案是",
	"正确答案", "正解は", "答えは", "정답은", "답은", "الصحيحة هي", "الإجابة هي", "结论是", "最合适的是", "最符合的是", "最合适的选项是", "最符合的选项是",
}

var chineseDenies = []string{"不选", "不是", "不应选", "排除", "排除选项", "并非", "不会是", "不可能是", "而非", "不是选项", "不能选", "除了", "不选择", "错误的是", "不正确的是"}

var chineseRight = []string{"가 맞", "이 맞", "가 정답", "이 정답", "选项是正确", "是正确", "正确", "选项正确", "项正确", "为正确", "是对的", "对", "是最佳", "是答案", "选项符合", "最合适", "最符合"}

var chineseWrong = []string{"不", "错", "是错", "选项不", "选项错", "选项是错", "项错", "项不", "并不", "是不", "都不", "均不", "被排除", "可以排除", "排除", "有误", "ではな", "가 아", "이 아", "는 아", "은 아", "일 수", "보다", "도 "}

// gradeByChineseBefore grades a mark by the Chinese text that ends at j. It reports
// whether there was any.
func (a *answerText) gradeByChineseBefore(m *mark, j int) bool {
	s := a.text
	for j > 0 && (s[j-1] == ':' || chars.Kind[s[j-1]]&(chars.Space|chars.Wrap) != 0) {
		j--
	}
	if j < 3 || s[j-1] < 0x80 {
		return false
	}
	head := s[max(0, j-30):j]
	ends := func(w string) bool { return strings.HasSuffix(head, w) }
	if slices.ContainsFunc(chineseDenies, ends) {
		m.negated = true
		return true
	}
	if slices.ContainsFunc(chineseStates, ends) {
		m.grade = max(m.grade, stated)
		m.iffy = m.iffy || strings.Contains(head, "如果")
		return true
	}
	if !slices.ContainsFunc([]string{"选项", "是", "为"}, ends) || ends("因为") {
		return false
	}
	m.grade = max(m.grade, mention)
	if i := strings.LastIndex(head, "答案"); i >= 0 && !strings.ContainsAny(head[i:], ".,;!?\n") && !strings.Contains(head[i:], "不") {
		m.grade = max(m.grade, stated)
	}
	return true
}

// gradeByChineseAfter reads what Chinese text says of a letter. It reports whether
// there was any.
func (a *answerText) gradeByChineseAfter(m *mark, i int) bool {
	s := a.text
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i >= len(s) || s[i] < 0x80 {
		return false
	}
	rest := s[i:]
	if strings.HasPrefix(rest, "吗") || strings.HasPrefix(rest, "还是") {
		m.iffy = true
		return true
	}
	m.rival = m.rival || strings.HasPrefix(rest, "也") && !strings.HasPrefix(rest, "也不")
	begins := func(w string) bool { return strings.HasPrefix(rest, w) }
	switch {
	case slices.ContainsFunc(chineseWrong, begins):
		m.negated = true
	case slices.ContainsFunc(chineseRight, begins):
		m.grade = max(m.grade, picked)
	default:
		return m.delimited
	}
	return true
}

// chineseJoins go on with a list.
var chineseJoins = []string{"和", "或", "与", "及", "以及", "或者", "还是", "和选项", "或选项", "跟", "または", "と", "や", "또는", "か", "와", "과", "이나"}
