/** Values of every type, as bytes from the protocol's description, and what they are: for our reader and for another's. */
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { hex, LATIN1, max, NULL, UTF8, u8, u16, u32, ucs2 } from "../../support/tds-messages.ts";

export interface TypedValue {
  readonly name: string;
  /** TYPE_INFO. */
  readonly type: Buffer;
  readonly bytes: Buffer;
  readonly logical: LogicalType;
  readonly value: Value;
  /** The value in `tedious`, in JSON form; absent if it equals the value. */
  readonly otherwise?: unknown;
}

const byte = (...parts: readonly Buffer[]): Buffer => {
  const all = Buffer.concat(parts);
  return Buffer.concat([u8(all.length), all]);
};
const short = (bytes: Buffer): Buffer => Buffer.concat([u16(bytes.length), bytes]);
const text = (value: string) => short(ucs2(value));
const nvarchar = Buffer.concat([hex("e7 40 1f"), LATIN1]);
const varchar = (collation: Buffer) => Buffer.concat([hex("a7 40 1f"), collation]);
const variant = hex("62 49 1f 00 00");
const long = (bytes: Buffer) => Buffer.concat([u32(bytes.length), bytes]);
const pointed = (bytes: Buffer) => Buffer.concat([u8(16), Buffer.alloc(16, 0xaa), Buffer.alloc(8, 0xbb), long(bytes)]);

const STRING: LogicalType = { kind: "string" };
const BINARY: LogicalType = { kind: "binary" };
const TIMESTAMP: LogicalType = { kind: "timestamp", unit: "ns", zone: undefined };
const INSTANT: LogicalType = { kind: "timestamp", unit: "ns", zone: "UTC" };
const TIME: LogicalType = { kind: "time", unit: "ns" };
const UUID: LogicalType = { kind: "uuid" };
const VARIANT: LogicalType = { kind: "opaque", name: "sql_variant" };
const decimal = (precision: number, scale: number): LogicalType => ({ kind: "decimal", precision, scale });
const at = (iso: string, nanoseconds = 0n): bigint => BigInt(Date.parse(iso)) * 1_000_000n + nanoseconds;

const LARGEST = 10n ** 38n - 1n;
const magnitude = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn, 0);
  bytes.writeBigUInt64LE(value >> 64n, 8);
  return bytes;
};

export const VALUES: readonly TypedValue[] = [
  // Whole numbers, by what tells their length: the type, or each value.
  { name: "tinyint", type: hex("30"), bytes: hex("ff"), logical: { kind: "uint8" }, value: 255 },
  { name: "smallint", type: hex("34"), bytes: hex("00 80"), logical: { kind: "int16" }, value: -32_768 },
  { name: "int", type: hex("38"), bytes: hex("00 00 00 80"), logical: { kind: "int32" }, value: -2_147_483_648 },
  {
    name: "bigint",
    type: hex("7f"),
    bytes: hex("00 00 00 00 00 00 00 80"),
    logical: { kind: "int64" },
    value: -9_223_372_036_854_775_808n,
    otherwise: "-9223372036854775808",
  },
  {
    name: "bigint that may be NULL",
    type: hex("26 08"),
    bytes: byte(hex("ff ff ff ff ff ff ff 7f")),
    logical: { kind: "int64" },
    value: 9_223_372_036_854_775_807n,
    otherwise: "9223372036854775807",
  },
  {
    name: "tinyint that may be NULL",
    type: hex("26 01"),
    bytes: byte(u8(200)),
    logical: { kind: "uint8" },
    value: 200,
  },
  { name: "a NULL int", type: hex("26 04"), bytes: NULL.byte, logical: { kind: "int32" }, value: null },
  { name: "bit", type: hex("32"), bytes: u8(1), logical: { kind: "boolean" }, value: true },
  { name: "bit that may be NULL", type: hex("68 01"), bytes: byte(u8(0)), logical: { kind: "boolean" }, value: false },
  // Numbers with digits behind the point.
  { name: "real", type: hex("3b"), bytes: hex("00 00 c0 3f"), logical: { kind: "float32" }, value: 1.5 },
  {
    name: "float",
    type: hex("3e"),
    bytes: hex("9a 99 99 99 99 99 b9 3f"),
    logical: { kind: "float64" },
    value: 0.1,
  },
  {
    name: "float that may be NULL",
    type: hex("6d 08"),
    bytes: byte(hex("00 00 00 00 00 00 00 80")),
    logical: { kind: "float64" },
    value: -0,
    otherwise: 0,
  },
  {
    name: "decimal(38, 0), the largest",
    type: hex("6a 11 26 00"),
    bytes: byte(u8(1), magnitude(LARGEST)),
    logical: decimal(38, 0),
    value: "9".repeat(38),
    // Digits are lost there, which is why its values are not taken.
    otherwise: 1e38,
  },
  {
    name: "decimal(38, 10), negative",
    type: hex("6c 11 26 0a"),
    bytes: byte(u8(0), magnitude(12_345_678_901_234_567_890_123_456_789n)),
    logical: decimal(38, 10),
    value: "-1234567890123456789.0123456789",
    otherwise: -1_234_567_890_123_456_800,
  },
  {
    name: "decimal(5, 2)",
    type: hex("6c 05 05 02"),
    bytes: byte(u8(1), u32(5)),
    logical: decimal(5, 2),
    value: "0.05",
    otherwise: 0.05,
  },
  {
    name: "a decimal below zero that is zero",
    type: hex("6c 05 05 02"),
    bytes: byte(u8(0), u32(0)),
    logical: decimal(5, 2),
    value: "0.00",
    otherwise: 0,
  },
  {
    name: "money",
    type: hex("3c"),
    bytes: hex("ff ff ff 7f ff ff ff ff"),
    logical: decimal(19, 4),
    value: "922337203685477.5807",
    otherwise: 922_337_203_685_477.6,
  },
  {
    name: "money below zero",
    type: hex("6e 08"),
    bytes: byte(hex("ff ff ff ff ff ff ff ff")),
    logical: decimal(19, 4),
    value: "-0.0001",
    otherwise: -0.0001,
  },
  {
    name: "smallmoney",
    type: hex("6e 04"),
    bytes: byte(u32(-123_456)),
    logical: decimal(10, 4),
    value: "-12.3456",
    otherwise: -12.3456,
  },
  // Texts.
  { name: "nvarchar", type: nvarchar, bytes: text("真夜中 𝒳"), logical: STRING, value: "真夜中 𝒳" },
  { name: "an empty nvarchar", type: nvarchar, bytes: text(""), logical: STRING, value: "" },
  { name: "a NULL nvarchar", type: nvarchar, bytes: NULL.short, logical: STRING, value: null },
  { name: "nchar", type: Buffer.concat([hex("ef 06 00"), LATIN1]), bytes: text("a  "), logical: STRING, value: "a  " },
  { name: "varchar", type: varchar(LATIN1), bytes: short(hex("63 61 66 e9 80")), logical: STRING, value: "café€" },
  {
    name: "varchar in UTF-8",
    type: varchar(UTF8),
    bytes: short(Buffer.from("café 真")),
    logical: STRING,
    value: "café 真",
  },
  {
    name: "varchar, Cyrillic",
    type: varchar(hex("19 04 d0 00 00")),
    bytes: short(hex("cf f0")),
    logical: STRING,
    value: "Пр",
  },
  {
    name: "varchar, Japanese",
    type: varchar(hex("11 04 d0 00 00")),
    bytes: short(hex("90 5e 96 e9")),
    logical: STRING,
    value: "真夜",
  },
  {
    name: "varchar, OEM",
    type: varchar(hex("09 04 d0 00 1e")),
    bytes: short(hex("82 e1")),
    logical: STRING,
    value: "éß",
  },
  {
    name: "char",
    type: Buffer.concat([hex("af 03 00"), LATIN1]),
    bytes: short(Buffer.from("ab ")),
    logical: STRING,
    value: "ab ",
  },
  {
    name: "nvarchar(max) in chunks",
    type: Buffer.concat([hex("e7 ff ff"), LATIN1]),
    bytes: max(ucs2("åbcdéfg"), 5),
    logical: STRING,
    value: "åbcdéfg",
  },
  {
    name: "nvarchar(max) of unknown length",
    type: Buffer.concat([hex("e7 ff ff"), LATIN1]),
    bytes: Buffer.concat([hex("fe ff ff ff ff ff ff ff"), u32(2), ucs2("x"), u32(0)]),
    logical: STRING,
    value: "x",
  },
  {
    name: "an empty nvarchar(max)",
    type: Buffer.concat([hex("e7 ff ff"), LATIN1]),
    bytes: Buffer.concat([Buffer.alloc(8), u32(0)]),
    logical: STRING,
    value: "",
  },
  {
    name: "a NULL nvarchar(max)",
    type: Buffer.concat([hex("e7 ff ff"), LATIN1]),
    bytes: NULL.max,
    logical: STRING,
    value: null,
  },
  {
    name: "text",
    type: Buffer.concat([hex("23 ff ff ff 7f"), LATIN1, u8(1), u16(1), ucs2("t")]),
    bytes: pointed(hex("e9")),
    logical: STRING,
    value: "é",
  },
  {
    name: "ntext",
    type: Buffer.concat([hex("63 fe ff ff 7f"), LATIN1, u8(1), u16(1), ucs2("t")]),
    bytes: pointed(ucs2("真")),
    logical: STRING,
    value: "真",
  },
  {
    name: "a NULL text",
    type: Buffer.concat([hex("23 ff ff ff 7f"), LATIN1, u8(1), u16(1), ucs2("t")]),
    bytes: u8(0),
    logical: STRING,
    value: null,
  },
  { name: "xml", type: hex("f1 00"), bytes: max(ucs2("<a>é</a>")), logical: STRING, value: "<a>é</a>" },
  // Bytes.
  {
    name: "varbinary",
    type: hex("a5 40 1f"),
    bytes: short(hex("00 ff")),
    logical: BINARY,
    value: Uint8Array.of(0, 255),
  },
  { name: "binary", type: hex("ad 02 00"), bytes: short(hex("01 00")), logical: BINARY, value: Uint8Array.of(1, 0) },
  {
    name: "varbinary(max)",
    type: hex("a5 ff ff"),
    bytes: max(hex("01 02 03"), 2),
    logical: BINARY,
    value: Uint8Array.of(1, 2, 3),
  },
  {
    name: "image",
    type: Buffer.concat([hex("22 ff ff ff 7f"), u8(1), u16(1), ucs2("t")]),
    bytes: pointed(hex("07")),
    logical: BINARY,
    value: Uint8Array.of(7),
  },
  // Dates and times.
  {
    name: "date",
    type: hex("28"),
    bytes: byte(hex("00 00 00")),
    logical: { kind: "date" },
    value: -719_162,
    otherwise: "0001-01-01T00:00:00.000Z",
  },
  {
    name: "the last date",
    type: hex("28"),
    bytes: byte(hex("da b9 37")),
    logical: { kind: "date" },
    value: 2_932_896,
    otherwise: "9999-12-31T00:00:00.000Z",
  },
  {
    name: "time(7)",
    type: hex("29 07"),
    bytes: byte(hex("ff bf 69 2a c9")),
    logical: TIME,
    value: 86_399_999_999_900,
    otherwise: "1970-01-01T23:59:59.999Z",
  },
  {
    name: "time(0)",
    type: hex("29 00"),
    bytes: byte(hex("01 00 00")),
    logical: TIME,
    value: 1_000_000_000,
    otherwise: "1970-01-01T00:00:01.000Z",
  },
  {
    name: "time(3)",
    type: hex("29 03"),
    bytes: byte(hex("01 00 00 00")),
    logical: TIME,
    value: 1_000_000,
    otherwise: "1970-01-01T00:00:00.001Z",
  },
  {
    name: "datetime2(7)",
    type: hex("2a 07"),
    bytes: byte(hex("ff bf 69 2a c9 da b9 37")),
    logical: TIMESTAMP,
    value: at("9999-12-31T23:59:59Z", 999_999_900n),
    otherwise: "9999-12-31T23:59:59.999Z",
  },
  {
    name: "datetime2(0)",
    type: hex("2a 00"),
    bytes: byte(hex("01 00 00 80 46 0b")),
    logical: TIMESTAMP,
    value: at("2024-02-29T00:00:01Z"),
    otherwise: "2024-02-29T00:00:01.000Z",
  },
  {
    name: "datetime",
    type: hex("3d"),
    bytes: hex("ff ff ff ff 01 00 00 00"),
    logical: TIMESTAMP,
    value: at("1899-12-31T00:00:00.003Z"),
    otherwise: "1899-12-31T00:00:00.003Z",
  },
  {
    name: "the last datetime",
    type: hex("6f 08"),
    bytes: byte(hex("7f 24 2d 00 ff 81 8b 01")),
    logical: TIMESTAMP,
    value: at("9999-12-31T23:59:59.997Z"),
    otherwise: "9999-12-31T23:59:59.997Z",
  },
  {
    name: "smalldatetime",
    type: hex("3a"),
    bytes: hex("ff ff 9f 05"),
    logical: TIMESTAMP,
    value: at("2079-06-06T23:59:00Z"),
    otherwise: "2079-06-06T23:59:00.000Z",
  },
  {
    name: "datetimeoffset(7)",
    type: hex("2b 07"),
    // 10:00 UTC, which was written as 12:00 +02:00.
    bytes: byte(hex("00 10 ac d1 53 80 46 0b 78 00")),
    logical: INSTANT,
    value: at("2024-02-29T10:00:00Z"),
    otherwise: "2024-02-29T10:00:00.000Z",
  },
  // Identifiers.
  {
    name: "uniqueidentifier",
    type: hex("24 10"),
    bytes: byte(hex("33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff")),
    logical: UUID,
    value: "00112233-4455-6677-8899-AABBCCDDEEFF",
  },
  { name: "a NULL uniqueidentifier", type: hex("24 10"), bytes: NULL.byte, logical: UUID, value: null },
  {
    name: "hierarchyid",
    type: Buffer.concat([hex("f0 ff ff"), u8(0), u8(3), ucs2("sys"), u8(11), ucs2("hierarchyid"), u16(1), ucs2("x")]),
    bytes: max(hex("58")),
    logical: { kind: "opaque", name: "hierarchyid" },
    value: "0x58",
    otherwise: { type: "Buffer", data: [0x58] },
  },
  // Values that bring their types along.
  {
    name: "int as sql_variant",
    type: variant,
    bytes: long(hex("38 00 ff ff ff ff")),
    logical: VARIANT,
    value: "-1",
    otherwise: -1,
  },
  {
    name: "bit as sql_variant",
    type: variant,
    bytes: long(hex("32 00 01")),
    logical: VARIANT,
    value: "1",
    otherwise: true,
  },
  {
    name: "nvarchar as sql_variant",
    type: variant,
    bytes: long(Buffer.concat([hex("e7 07"), LATIN1, u16(8000), ucs2("真")])),
    logical: VARIANT,
    value: "真",
  },
  {
    name: "varchar as sql_variant",
    type: variant,
    bytes: long(Buffer.concat([hex("a7 07"), LATIN1, u16(8000), hex("e9")])),
    logical: VARIANT,
    value: "é",
    // It reads the length first, where the protocol has the collation.
    otherwise: "Θ",
  },
  {
    name: "decimal as sql_variant",
    type: variant,
    bytes: long(Buffer.concat([hex("6c 02 26 0a 01"), magnitude(10_000_000_001n)])),
    logical: VARIANT,
    value: "1.0000000001",
    otherwise: 1.000_000_000_1,
  },
  {
    name: "varbinary as sql_variant",
    type: variant,
    bytes: long(hex("a5 02 40 1f ab")),
    logical: VARIANT,
    value: "0xAB",
    otherwise: { type: "Buffer", data: [0xab] },
  },
  {
    name: "date as sql_variant",
    type: variant,
    bytes: long(hex("28 00 da b9 37")),
    logical: VARIANT,
    value: "9999-12-31",
    otherwise: "9999-12-31T00:00:00.000Z",
  },
  {
    name: "uniqueidentifier as sql_variant",
    type: variant,
    bytes: long(hex("24 00 33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff")),
    logical: VARIANT,
    value: "00112233-4455-6677-8899-AABBCCDDEEFF",
  },
  { name: "a NULL sql_variant", type: variant, bytes: u32(0), logical: VARIANT, value: null },
];
