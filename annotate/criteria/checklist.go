package criteria

// Item names a point of the checklist.
type Item string

// The checklist of the cross-review (MLLM-Bench, Table 9).
const (
	Currency    Item = "data_currency"
	License     Item = "license_friendliness"
	Clarity     Item = "image_clarity"
	Impartial   Item = "impartiality"
	Cohesion    Item = "instruction_image_cohesion"
	Diversity   Item = "diverse_response_formats"
	ShortEdge        = 512 // pixels that the short edge of a clear picture has at least
	maxTicks         = 64
	maxTickName      = 64
)

// Point is a point of the checklist with what it asks.
type Point struct {
	Item Item
	Asks string
}

// Checklist is what a reviewer goes through.
func Checklist() []Point {
	return []Point{
		{Currency, "Is the image recent enough that no model is likely to have been trained on it with this question?"},
		{License, "May the image be used and passed on?"},
		{Clarity, "Is the image clear, its short edge at least 512 pixels?"},
		{Impartial, "Are image, question and criteria free of bias against any group?"},
		{Cohesion, "Does the question need the image, and the image answer the question?"},
		{Diversity, "Does the question add to the variety of forms that answers take?"},
	}
}

// Tick is a reviewer's answer to one point of the checklist.
type Tick struct {
	Item Item
	OK   bool
}
