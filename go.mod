module sabot

go 1.26
