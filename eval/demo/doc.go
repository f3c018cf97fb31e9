// Package demo is the synthetic project that a newcomer meets first: pictures drawn by code, questions
// on them, the recorded answers of three made-up models, and a made-up judge's readings of them.
// Everything in it says that it is synthetic; no figure that comes out of it says anything about a real
// model. It refuses to run or to store anything: the command does that.
//
// The questions, and every answer that no rule is meant to read, are written by hand
// (data/*.toml). Which model gives which answer in which pass is dealt out by hashes of names.
//
// Its one invariant: one build gives one project, and of each answer in it is known what a person reads.
package demo
