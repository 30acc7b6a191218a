// Of what `mysql2` brings, what no connection of ours comes to: a cloud's certificates, placeholders with names, code that is
// made at run time.
module.exports = {};
