module example.com/balance

go 1.24
