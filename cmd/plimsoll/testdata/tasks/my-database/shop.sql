CREATE ROLE app LOGIN;
CREATE DATABASE shop OWNER app;
\c shop app
CREATE TABLE orders (id int PRIMARY KEY, total numeric);
INSERT INTO orders SELECT g, g FROM generate_series(1, 100000) g;
