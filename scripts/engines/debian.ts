/**
 * Unpacks a server from Debian's archive into its own directory, with every library that it needs, libc included: its own loader
 * runs it, and the machine is not changed. `apt-get` resolves the packages with a separate configuration in which no package is
 * installed.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";
const ARCHIVE = "http://deb.debian.org/debian";

export interface DebianServer {
  readonly name: string;
  /** A Debian suite; a release name rather than an alias, which changes its meaning. */
  readonly suite: string;
  readonly package: string;
  /** Path below the directory; it exists only when the unpacking is complete. */
  readonly program: string;
}

/** Returns whether it had to be fetched. Throws if the machine lacks apt, Debian's keys, or access to its archive. */
export function unpackDebianServer(server: DebianServer, directory: string): boolean {
  if (existsSync(join(directory, server.program))) return false;
  if (!existsSync(KEYS)) throw new Error(`${KEYS} is not there: only Debian and its kin have apt and its keys`);
  // apt drops its privileges while it fetches, and the checkout may be readable only by root.
  const work = join(tmpdir(), `siskin-${server.name}-${process.pid}`);
  const unpacked = `${directory}.unpacking`;
  try {
    for (const path of [`${work}/lists/partial`, `${work}/cache/archives/partial`, unpacked]) {
      mkdirSync(path, { recursive: true, mode: 0o755 });
    }
    writeFileSync(`${work}/status`, "");
    writeFileSync(`${work}/sources.list`, `deb [signed-by=${KEYS}] ${ARCHIVE} ${server.suite} main\n`);
    writeFileSync(`${work}/apt.conf`, aptConfiguration(work));
    const options: ExecFileSyncOptions = {
      env: { ...process.env, APT_CONFIG: `${work}/apt.conf`, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "inherit"],
    };
    execFileSync("apt-get", ["update", "-qq"], options);
    execFileSync("apt-get", ["install", "-y", "-qq", "--download-only", server.package], options);
    const archives = `${work}/cache/archives`;
    for (const archive of readdirSync(archives).filter((name) => name.endsWith(".deb"))) {
      execFileSync("dpkg-deb", ["--extract", join(archives, archive), unpacked], options);
    }
    rmSync(directory, { recursive: true, force: true });
    renameSync(unpacked, directory);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function aptConfiguration(work: string): string {
  const settings = {
    "Dir::Etc::sourcelist": `${work}/sources.list`,
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::Etc::preferences": "/dev/null",
    "Dir::Etc::preferencesparts": "/dev/null",
    "Dir::State::lists": `${work}/lists`,
    "Dir::State::status": `${work}/status`,
    "Dir::Cache": `${work}/cache`,
    "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
    "Acquire::Languages": "none",
    "APT::Install-Recommends": "false",
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} "${value}";\n`)
    .join("");
}
