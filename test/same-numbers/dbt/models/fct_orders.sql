{% if target.type == 'duckdb' %}select * from read_csv('orders.csv'){% else %}select * from stored_orders{% endif %}
