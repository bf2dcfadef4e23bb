\set id random(1, 100000)
SELECT total FROM orders WHERE id = :id;
UPDATE orders SET total = total + 1 WHERE id = :id;
