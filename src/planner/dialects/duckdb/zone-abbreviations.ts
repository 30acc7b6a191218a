/**
 * PostgreSQL's abbreviations of time zones (its Default set), which are fixed offsets: CET is one hour in summer too. DuckDB lacks
 * most of them, and takes others for zones whose clocks change. From pg_timezone_abbrevs of PostgreSQL 18.
 */
const MINUTES: ReadonlyMap<string, number> = new Map(
  (
    "ACDT 630|ACSST 630|ACST 570|ACT -300|ACWST 525|ADT -180|AEDT 660|AESST 660|AEST 600|AFT 270|AKDT -480|AKST -540|" +
    "ALMST 420|AMST 240|AST -240|AWSST 540|AWST 480|AZOST 0|AZOT -60|BDST 120|BDT 360|BNT 480|BORT 480|BRA -180|BST 60|" +
    "BTT 360|CADT 630|CAST 570|CCT 480|CDT -300|CEST 120|CET 60|CHADT 825|CHAST 765|CHUT 600|CLST -180|CST -360|CXT 420|" +
    "DAVT 420|DDUT 600|EASST -300|EAT 180|EDT -240|EEST 180|EET 120|EGST 0|EGT -60|EST -300|FET 180|FJST 780|FJT 720|" +
    "FNT -120|GALT -360|GFT -180|GMT 0|HKT 480|HST -600|ICT 420|IDT 180|IOT 360|IST 120|JAYT 540|JST 540|KDT 600|" +
    "KST 540|LIGT 600|MAWT 300|MDT -360|MEST 120|MESZ 120|MET 60|MEZ 60|MMT 390|MPT 600|MSD 240|MSK 180|MST -420|" +
    "MUT 240|MVT 300|MYT 480|NDT -150|NFT -210|NPT 345|NST -210|NUT -660|NZDT 780|NZST 720|NZT 720|PDT -420|PET -300|" +
    "PGT 600|PHT 480|PKT 300|PMDT -120|PMST -180|PST -480|PWT 540|SADT 630|SAST 120|SCT 240|SGT 480|TFT 300|TKT 780|" +
    "TRUT 600|TVT 720|UYST -120|VUT 660|WADT 480|WAKT 720|WAST 420|WAT 60|WDT 540|WET 0|WFT 720|WGST -120|WGT -180|" +
    "YAPT 600"
  )
    .split("|")
    .map((entry): [string, number] => {
      const [name = "", minutes = ""] = entry.split(" ");
      return [name, Number(minutes)];
    }),
);

/** Minutes east of UTC; `undefined` for a name that is no abbreviation. */
export function minutesOfAbbreviation(name: string): number | undefined {
  return MINUTES.get(name.trim().toUpperCase());
}
