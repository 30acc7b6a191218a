// `mysql2` brings tables of all character sets, half of its size. Only the version in a server's greeting is read by one, and
// is ASCII; all that we say and hear is UTF-8.
const { Buffer } = process.getBuiltinModule("node:buffer");
exports.getDecoder = () => ({ write: (bytes) => Buffer.from(bytes).toString("utf8"), end: () => undefined });
exports.getEncoder = () => ({ write: (text) => Buffer.from(text, "utf8"), end: () => undefined });
