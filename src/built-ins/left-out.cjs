// Replaces modules of `mysql2` that no connection uses: a cloud's certificates, named placeholders, code generated at run time.
module.exports = {};
