/** On MySQL and MariaDB a caller's statement names functions of the catalogue and of a list of pure ones, and no others. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../support/plan.ts";

const columns = [{ name: "x", type: "VARCHAR" }];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { table: "t" }, columns }],
});

function outcome(call: string): string {
  try {
    const [warning] = planned(`SELECT ${call} FROM t`, manifest, { source: "mysql" }).warnings;
    return warning?.code ?? "planned";
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

describe("functions that read keys, write logs or change the server", () => {
  test.each([
    "keyring_key_fetch('k')",
    "keyring_key_generate('k', 'AES', 32)",
    "keyring_key_store('k', 'AES', x)",
    "keyring_key_remove('k')",
    "keyring_aws_rotate_cmk()",
    "audit_log_filter_set_user('%', 'none')",
    "audit_log_filter_remove_filter('f')",
    "audit_log_read()",
    "audit_log_encryption_password_get()",
    "audit_log_rotate()",
    "version_tokens_set('a=b')",
    "version_tokens_show()",
    "version_tokens_lock_exclusive('a', 1)",
    "service_get_write_locks('n', 'l', 1)",
    "group_replication_set_as_primary('x')",
    "group_replication_switch_to_single_primary_mode()",
    "asynchronous_connection_failover_add_source('c', 'h', 1, '', 1)",
    "mysql_firewall_flush_status()",
    "set_firewall_mode('u', 'OFF')",
    "read_firewall_users('u', 'OFF')",
    "gen_rnd_ssn()",
    "gen_blocklist('a', 'b', 'c')",
    "mask_dictionary_remove('d')",
    "masking_dictionary_term_add('d', 't')",
    "mysql_query_attribute_string('a')",
    "ps_current_thread_id()",
    "icu_version()",
    "roles_graphml()",
    "current_role()",
    "last_insert_id(5)",
    "found_rows()",
    "connection_id()",
    "uuid_short()",
    "binlog_gtid_pos('f', 4)",
    "spider_direct_sql('q', 't', 's')",
    "spider_bg_direct_sql('q', 't', 's')",
    "spider_copy_tables('t')",
    "lib_mysqludf_sys_info()",
    "extractvalue(x, '//a')",
    "frobnicate(x)",
  ])("%s", (call) => {
    expect(outcome(call)).toMatch(/^(?:FUNCTION_NOT_FOUND|FUNCTION_NOT_ALLOWED|UNSUPPORTED_ON_SOURCE)$/);
  });
});

describe("functions of its own that read nothing but their arguments", () => {
  test.each([
    "find_in_set(x, 'a,b')",
    "elt(1, x)",
    "json_unquote(json_extract(x, '$.a'))",
    "group_concat(x)",
    "inet_aton(x)",
    "FIND_IN_SET(x, 'a')",
    "soundex(x)",
    "st_astext(st_geomfromtext(x))",
  ])("%s", (call) => {
    expect(outcome(call)).toBe("planned");
  });
});
