package box_test

import _ "sabot/table/tabletest" // its flags must be known to every test below table
