import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** A small file that several processes change, each seeing what the others did. */
export interface VersionedFile {
  /**
   * Turns the newest text into the next one, again if another process was faster; undefined before the first.
   * No change is lost; one is made twice where its process is halted while dozens of others follow it.
   * Throws the system's error where the folder cannot be written.
   */
  update<Result>(change: (text: string | undefined) => Changed<Result>): Result;
}

export interface Changed<Result> {
  readonly text: string;
  readonly result: Result;
}

export interface VersionedFileOptions {
  /** Tells this opener from every other. */
  readonly name: string;
  readonly now: () => number;
}

/** Versions that are kept: a process halted for shorter than these take knows what became of its own. */
const keptVersions = 64;
const mostTries = 200;
/** A draft as old as this belongs to a process that was killed. */
const abandonedMs = 60_000;

/**
 * Opens the file that is kept as numbered versions in a folder of its own, which only its owner may enter. There is no lock that a killed or halted process could keep: a version is written
 * aside and then linked to its number, which the system does whole, and for one alone.
 */
export function openVersionedFile(folder: string, { name, now }: VersionedFileOptions): VersionedFile {
  const draft = join(folder, `${name}.draft`);
  let isPrepared = false;
  return {
    update(change) {
      if (!isPrepared) prepare(folder, now() - abandonedMs);
      isPrepared = true;
      for (let tries = 0; tries < mostTries; tries += 1) {
        const version = newestVersion(folder);
        const text = version === 0 ? undefined : readVersion(folder, version);
        if (version > 0 && text === undefined) continue;
        const changed = change(text);
        if (publish(folder, draft, { version: version + 1, text: changed.text })) return changed.result;
      }
      throw new Error(`${folder} is changed by others all the time`);
    },
  };
}

function prepare(folder: string, abandonedAtMs: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of readdirSync(folder).filter((file) => file.endsWith('.draft'))) {
    const stats = statSync(join(folder, file), { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < abandonedAtMs) rmSync(join(folder, file), { force: true });
  }
}

function newestVersion(folder: string): number {
  return Math.max(0, ...versions(folder));
}

function versions(folder: string): number[] {
  return readdirSync(folder)
    .filter((file) => /^\d{1,15}$/.test(file))
    .map(Number);
}

/** Undefined where others have moved on so far that the version is gone. */
function readVersion(folder: string, version: number): string | undefined {
  try {
    return readFileSync(join(folder, String(version)), 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Whether the text became that version; false where another process made one first. */
function publish(
  folder: string,
  draft: string,
  { version, text }: { readonly version: number; readonly text: string },
): boolean {
  const target = join(folder, String(version));
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    linkSync(draft, target);
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(draft, { force: true });
  }
  const all = versions(folder).toSorted((a, b) => a - b);
  // Versions are cleared away in their order, so where none was or the one before still is, this number was free.
  const isOwn = Math.max(...all) <= keptVersions || existsSync(join(folder, String(version - 1)));
  for (const old of all.slice(0, -keptVersions)) rmSync(join(folder, String(old)), { force: true });
  return isOwn;
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
