package wager_test

import _ "sabot/table/tabletest"
