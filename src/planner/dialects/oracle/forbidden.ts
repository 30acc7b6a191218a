/**
 * Oracle's read the session, documents by their addresses and files of the server, or run SQL in a text. What begins with `dbms_`,
 * `utl_` or `http` nobody may call anywhere (`functions/safety.ts`).
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Functions.html
 */
export const ORACLE_FORBIDDEN: ReadonlySet<string> = new Set(
  [
    "userenv uid user ora_invoking_user ora_invoking_userid dbtimezone sessiontimezone",
    "bfilename uritype dburitype xdburitype urifactory sys_dburigen",
    "xmltype xmlquery xmltable xmlexists extractvalue existsnode xmltransform xmlisvalid sys_xmlgen sys_xmlagg",
    "sys_guid sys_typeid ora_rowscn ora_partition_validation json_transform treat",
    "owa_util apex_web_service apex_mail ctx_query sdo_util ordsys",
  ]
    .join(" ")
    .split(" "),
);
