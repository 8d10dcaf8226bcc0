module example.com/single

go 1.24
