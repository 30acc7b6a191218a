select * from read_csv('customers.csv')
