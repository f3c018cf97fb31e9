package jobs

// voteTokens is a judge's vote with a line or two of reasons.
const voteTokens = 60
