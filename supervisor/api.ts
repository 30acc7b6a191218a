/** Process 1 of the API's image, behind `init.sh`: workerd with the API, and workerd with the files Worker. Wiring only. */
import { fileURLToPath } from "node:url";
import {
  apiConfigurationName,
  apiProcess,
  filesProcess,
  isSecureSidecar,
  metricsAddressOf,
  WorkerSockets,
} from "./api-processes.ts";
import { checkedSettings, runUntilSignal, supervisionBy, wordsOf } from "./image.ts";
import { Supervised } from "./supervised.ts";

/** A file that `npm run build` writes to the directory of this program. */
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const settings = checkedSettings(beside("checked-settings.mjs"), "api");
const supervision = supervisionBy(settings);
const hasFilesWorker = settings.FILES_WORKER === "on";
const shared = {
  binary: beside("workerd"),
  sockets: new WorkerSockets(),
  heapMib: settings.WORKER_HEAP_MIB,
  isGroup: true,
  words: wordsOf,
};
const { ALLOW_PRIVATE_HOSTS, SIDECAR_URL } = process.env;
const { PROJECTS_DIRECTORY: projects } = settings;
const isSidecarSecure = isSecureSidecar(SIDECAR_URL);
const api = apiProcess({
  ...shared,
  configuration: beside(apiConfigurationName({ hasFilesWorker, isSidecarSecure, hasProjects: projects !== undefined })),
  environment: process.env,
  // Where it listens and where the sidecar does. SIDECAR_URL alone leads to a sidecar with TLS: its host is what the certificate
  // is checked against, and workerd refuses an address that its configuration has no place for.
  arguments: [
    ...process.argv.slice(2).filter((word) => !isSidecarSecure || !word.startsWith("--external-addr=sidecar=")),
    `--directory-path=explorer=${beside("explorer")}`,
    ...(projects === undefined ? [] : [`--directory-path=projects=${projects}`]),
  ],
  metricsAddress: metricsAddressOf(settings),
  hasFilesWorker,
});
const files = filesProcess({ ...shared, configuration: beside("files.capnp"), environment: { ALLOW_PRIVATE_HOSTS } });
// Running requests may still call the files Worker, so it ends last.
await runUntilSignal(
  [api, ...(hasFilesWorker ? [files] : [])].map((each) => new Supervised({ ...supervision, ...each })),
);
