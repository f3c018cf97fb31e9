// Package bound holds the budgets for everything that comes from outside: files, folders,
// workbooks, images and replies of endpoints. What is over a budget is refused with an [*Error]
// that says what it was and how much is allowed, before the memory for it is taken.
//
// A budget is either that of one thing (a cell, a row, an image) or a [Pool]
// that the whole process shares (decoded images, bodies of replies): a limit
// of one thing alone does not hold when 64 of them come at once.
//
// It knows no format and imports the standard library alone.
package bound
