select * from read_csv('orders.csv')
