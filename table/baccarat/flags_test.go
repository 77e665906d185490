package baccarat_test

import _ "sabot/table/tabletest"
