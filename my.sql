\set c random(1, 2000)
BEGIN;
SELECT name FROM customer WHERE id = :c;
SELECT sum(total) FROM orders WHERE customer = :c;
UPDATE customer SET name = 'x' WHERE id = :c;
END;
