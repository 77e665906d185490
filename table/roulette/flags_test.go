package roulette_test

import _ "sabot/table/tabletest"
