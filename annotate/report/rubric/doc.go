// Package rubric reports on responses that are graded criterion by criterion:
// their scores by judges and people, and how far judges grade as people do.
//
//	criteria, grades, acts --readGrades--> datasetGrades --ReportScores--> a row a model and rater
//	                                                      \--ReportAlignment--> a row a judge and type or criterion
package rubric
