package mqtt

import "embed"

// Schema holds the JSON Schemas (draft 2020-12) of every payload, schema/NAME.json: status, layout, call, floor, settlement,
// floor-state, reply, command-game, command-floor, and defs, to which they refer. The ones of what the table sends allow no member
// that is not in them; a reader in the field should, because members may be added.
//
//go:embed schema/*.json
var Schema embed.FS
