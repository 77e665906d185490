// Package tabletest plays games from files: transcripts in the notation, and cases, which are rounds with what
// must come of them.
//
// Every test package below table imports it, so that its flags are known to all of them:
//
//	go test ./table/... -run Cases -args -cases DIR    plays every case below an absolute folder
//	go test ./table/blackjack -run "Transcripts|Layouts" -args -update    rewrites what came of transcripts
package tabletest

import "flag"

var (
	casesDir = flag.String("cases", "", "an absolute folder of cases to play instead of testdata/cases; walked recursively")
	update   = flag.Bool("update", false, "rewrite what came of transcripts; read the difference before you commit it")
)
