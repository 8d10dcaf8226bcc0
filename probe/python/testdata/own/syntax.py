def f(x:
