/** A store that `siskin push` writes. */
export interface WritableStore {
  read(path: string): Promise<Uint8Array | undefined>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Names of projects. */
  names(): Promise<readonly string[]>;
}

/** Names of projects among names of files. */
export const namesIn = (files: readonly string[]): readonly string[] =>
  files.filter((file) => /^[a-z0-9-]{1,63}\.json$/.test(file)).map((file) => file.slice(0, -".json".length));
