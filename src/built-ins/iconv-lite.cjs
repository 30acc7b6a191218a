// Replaces the tables of all character sets in `mysql2`, which are half of its size. The driver only decodes the version in a
// server's greeting with them, which is ASCII; all other texts of the connectors are UTF-8.
const { Buffer } = process.getBuiltinModule("node:buffer");
exports.getDecoder = () => ({ write: (bytes) => Buffer.from(bytes).toString("utf8"), end: () => undefined });
exports.getEncoder = () => ({ write: (text) => Buffer.from(text, "utf8"), end: () => undefined });
