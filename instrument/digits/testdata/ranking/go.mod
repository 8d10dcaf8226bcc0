module example.com/ranking

go 1.24
