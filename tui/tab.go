package tui

// Tab is one of the places at the top. The zero value is the home screen.
type Tab uint8

// The tabs.
const (
	TabRuns Tab = iota
	TabReview
	TabReport
	TabCriteria
	TabCurate // absent where nothing can be curated
	tabCount
)

var tabNames = [tabCount]string{"Runs", "Review", "Report", "Criteria", "Curate"}
