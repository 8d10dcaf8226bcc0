module github.com/lastbit/lastbit

go 1.26
