package report

// What a page says that has no figures: what to do in the app to get some, and
// then what a shell can do.
const (
	noRuns     = "No runs yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions:\n" + makeRuns + "\nOr look at a ready project:\n  concord demo"
	makeRuns   = "  concord import predictions FILE --dataset N --model M\n  concord eval --dataset N --model M"
	noCircular = "No run under CircularEval yet. On the runs ({h}) {n@runs} asks one, and {i@runs} imports a file in the circular layout:\n" +
		"  concord eval --dataset N --model M --strategy circular\n  concord import predictions FILE --dataset N --model M"
	noPairs     = "It takes two runs of the same settings on a dataset. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions:\n" + makeRuns
	noAbilities = "No run on questions with a taxonomy yet. {h}, then {i@runs} imports the benchmark's own file, with its category columns, and {n@runs} asks a model:\n" +
		"  concord import dataset FILE\n  concord eval --dataset N --model M"
	noMME  = "No run on MME yet. {h}, then {i@runs} imports a file of the kit; its folder comes by\n  concord import predictions FOLDER --dataset mme --model M"
	noText = "No run without the image yet. On the runs ({h}) {n@runs} asks one (given: text), and {i@runs} imports one:\n" +
		"  concord eval --dataset N --model M --modality text\n  concord import predictions FILE --dataset N --model M --modality text"
	noGain = "No run with the image yet. Gain and leakage take one with it, one without, and one of the language base. On the runs ({h}) {n@runs} asks each (given: image, text, base), and {i@runs} imports it:\n" +
		"  concord eval --dataset N --model M\n  concord eval --dataset N --model M --modality text\n  concord eval --dataset N --model BASE --modality base"
	noLeaks = "No text-only run of a model whose language base the configuration names yet ([models.NAME] language_base = ...). On the runs ({h}) {n@runs} asks both (given: text, base):\n" +
		"  concord eval --dataset N --model M --modality text\n  concord eval --dataset N --model BASE --modality base"
	noInspections = "No inspection yet. It takes runs without the image, which {n@runs} on the runs ({h}) asks (given: text), and then, in a shell, what of the pool they answer:\n" +
		"  concord eval --dataset N --model M --modality text\n  concord inspect POOL --dataset N --model M1,M2"
	noDatasets = "No dataset yet. {h}, then {i@runs} imports one:\n  concord import dataset FILE"
	noCriteria = "Nobody has written criteria yet. {b} goes to where they are written:\n" +
		"  concord criteria --dataset N"
	noScores = "No open answers with a reference yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports answers; {v}, then {l@queues} has people score them from 1 to 5. A judge does so in a shell:\n" +
		"  concord import predictions FILE --dataset N --model M\n" +
		"  concord judge scores --dataset N --judge J"
	noGrades = "No verdicts on criteria of responses yet. {b} goes to where criteria are written; verdicts come in a shell:\n" +
		"  concord import rubrics FOLDER --name N\n" +
		"  concord import grades FILE --dataset N"
	noVotes = "No votes yet. On the runs ({h}) {V@runs} has a judge vote on pairs; {v}, then {c@queues} makes a queue of them for people.\nVotes given elsewhere come by\n" +
		"  concord import votes FILE --dataset N"
	noRepeats = "No votes yet. On the runs ({h}) {V@runs} has a judge vote several times on the same pairs (repeats):\n" +
		"  concord judge votes --dataset N --model M --anchor A --judge J --repeats 3"
	noRanks = "No two rankings of models yet. On the runs ({h}) {n@runs} asks several models on a dataset, which makes one, and {V@runs} has a judge vote on their answers, which makes another:\n" +
		"  concord import votes FILE --dataset N\n" +
		"  concord import predictions FILE --dataset N --model M"
	noAgreement = "No judge has voted on pairs that people vote on. {v}, then {c@queues} makes a queue of pairs for people; on the runs ({h}) {V@runs} has a judge vote:\n" +
		"  concord import votes FILE --dataset N"
	noPeople = "No two people have voted on the same pairs. {v}, then {c@queues} makes a queue of pairs for people to vote on, and {v} goes to it:\n" +
		"  concord import votes FILE --dataset N"
	noAnnotators = "Nobody has answered anything in a queue yet. {v} goes to the queues, and {l@queues} makes one there:\n" +
		"  concord queue create NAME --dataset N --from unparsable\n" +
		"  concord review --queue NAME"
	noLabels = "No labels yet. {v}, then {l@queues} makes a queue of what the rules could not read; people label it,\nand this page says how far extracted answers agree with them:\n" +
		"  concord queue create NAME --dataset N --from unparsable\n" +
		"  concord review --queue NAME"

	noAnchor = "The models of this dataset are compared with several others. {c} chooses the one that they are set against."
)
