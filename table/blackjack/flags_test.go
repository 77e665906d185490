package blackjack_test

import _ "sabot/table/tabletest"
