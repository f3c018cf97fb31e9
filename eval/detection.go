package eval

// Detection is an object that a detector found in a sample's picture, which
// stands for the picture where a judge is shown none (MLLM-Bench, App. F).
type Detection struct {
	Label      string
	Confidence float64 // 0 to 1
	X1, Y1     float64 // upper left corner of its box, from the picture's upper left
	X2, Y2     float64 // lower right corner
}
