import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';

const comment =
  '# Opens the secrets in the database beside it. Keep a copy, but not together with backups.\n';

/**
 * The path of the key file of a SQLite database: beside the file itself, not beside a link to it. Undefined for other
 * engines.
 */
export function toKeyPath(location: string): string | undefined {
  const [, scheme, path = ''] = /^(?:([a-z][a-z0-9+.-]+):)?(.*)$/is.exec(location) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== 'sqlite') return undefined;
  const file = resolve(path);
  return `${existsSync(file) ? realpathSync(file) : file}.key`;
}

/** Reads the keys of a file again whenever it has changed. Undefined while there is none. */
export function createKeyFileReader(path: string): () => readonly SecretKey[] | undefined {
  let seen: { readonly mark: string; readonly keys: readonly SecretKey[] } | undefined;
  return () => {
    const mark = readMark(path);
    if (mark === undefined) return undefined;
    if (seen?.mark !== mark) seen = { mark, keys: parseKeys(readFileSync(path, 'utf8'), path) };
    return seen.keys;
  };
}

/** Creates a key file, complete or not at all. Does nothing if another process has created it. Throws `usage`. */
export function createKeyFile(path: string, keys: readonly SecretKey[]): void {
  write(path, keys, (draft) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  });
}

/** Replaces the keys of a file, completely or not at all; without keys deletes it. Throws `usage`. */
export function replaceKeyFile(path: string, keys: readonly SecretKey[]): void {
  if (keys.length === 0) rmSync(path, { force: true });
  else write(path, keys, (draft) => renameSync(draft, path));
}

/** Deletes what processes left that ended while they wrote keys. No other process may be writing. */
export function removeDrafts(path: string): void {
  const isDraft = (name: string) => name.startsWith(`${basename(path)}.`) && name.endsWith(draftEnding);
  const names = readdirSync(dirname(path)).filter(isDraft);
  for (const name of names) rmSync(join(dirname(path), name), { force: true });
}

const draftEnding = '.new';

function write(path: string, keys: readonly SecretKey[], publish: (draft: string) => void): void {
  // No other process writes the same keys.
  const draft = `${path}.${keys[0]?.id}${draftEnding}`;
  try {
    const file = openSync(draft, 'w', 0o600);
    try {
      if (platform() !== 'win32') fchmodSync(file, 0o600);
      writeSync(file, comment + renderKeys(keys));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    publish(draft);
    syncFolder(dirname(path));
  } catch (cause) {
    throw new SalonError('usage', `Cannot write the key file ${path} (${codeOf(cause)}).`, {
      hint: 'Make its folder writable, or set SALON_SECRETS_KEY.',
      cause,
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A new name in a folder survives a power failure only then. Windows cannot open folders. */
function syncFolder(folder: string): void {
  if (platform() === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readMark(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (platform() !== 'win32' && (stats.mode & 0o077n) !== 0n) {
    throw new SalonError('usage', `Other users can read the key file ${path}.`, {
      hint: `Run: chmod 600 ${path}`,
    });
  }
  return [stats.ino, stats.size, stats.mtimeNs].join(' ');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** A key of AES-256. */
export interface SecretKey {
  /** Tells keys apart and reveals nothing of them. */
  readonly id: string;
  readonly key: KeyObject;
}

const keyBytes = 32;

export function createKey(random: (size: number) => Uint8Array): SecretKey {
  return toSecretKey(Buffer.from(random(keyBytes)));
}

/**
 * Parses keys in base64, one a line or separated by commas; lines that start with # are comments. Throws `usage` with
 * the name of their source and without repeating any of them.
 */
export function parseKeys(text: string, source: string): SecretKey[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  const words = lines.flatMap((line) => line.split(',')).map((word) => word.trim());
  const keys = words.filter((word) => word !== '').map((word) => parseKey(word, source));
  if (keys.length === 0) throw invalidKey(source);
  return keys;
}

/** The inverse of `parseKeys`. */
function renderKeys(keys: readonly SecretKey[]): string {
  return keys.map(({ key }) => `${key.export().toString('base64')}\n`).join('');
}

function parseKey(word: string, source: string): SecretKey {
  const bytes = Buffer.from(word, 'base64');
  // Node ignores what is not base64, and a shortened key would be another key.
  if (bytes.length !== keyBytes || !/^[A-Za-z0-9+/_-]{43}=?$/.test(word)) throw invalidKey(source);
  return toSecretKey(bytes);
}

function toSecretKey(bytes: Buffer): SecretKey {
  const id = createHash('sha256').update('salon secrets key\n').update(bytes).digest('hex').slice(0, 8);
  return { id, key: createSecretKey(bytes) };
}

function invalidKey(source: string): SalonError {
  return new SalonError('usage', `${source} does not contain keys of ${keyBytes} bytes in base64.`, {
    hint: `Create a key with: openssl rand -base64 ${keyBytes}`,
  });
}
