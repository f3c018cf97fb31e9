// Package rubric reports on responses that are graded criterion by criterion:
// their scores by judges and people, and how far judges grade as people do.
//
//	criteria, grades, acts of grading --read--> book --Scores--> a row a model and rater
//	                                             \--Alignment--> a row a judge and type or criterion
package rubric
