from hello_step import __file__ as where
from hello_step import greeting

print(greeting())
print("installed in", where)
