// Package form has the fields of forms: names that are picked, numbers that are typed or stepped,
// choices side by side, and the lines in which they stand. It knows no form: which fields there are,
// what follows from one in another, and why one means nothing now is each screen's.
package form
