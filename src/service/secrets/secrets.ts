import { createCipheriv, createDecipheriv } from 'node:crypto';
import { existsSync } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import {
  createKey,
  createKeyFile,
  createKeyFileReader,
  parseKeys,
  removeDrafts,
  replaceKeyFile,
  type SecretKey,
  toKeyPath,
} from './key-file.ts';

interface SecretsOptions {
  /** The database, such as `sqlite:salon.db`. */
  readonly location: string;
  readonly environment: {
    random(size: number): Uint8Array;
    /** `SALON_SECRETS_KEY`: keys in base64 separated by commas, the first to seal, all to open. */
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
}

const variable = 'SALON_SECRETS_KEY';
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const sealedText = /^sealed:1:([0-9a-f]{8}):([A-Za-z0-9_-]+)$/;

/** The ID of the key that a text was sealed with; undefined for other texts. */
export function readKeyId(text: string): string | undefined {
  return sealedText.exec(text)?.[1];
}

/**
 * Opens the keys from the environment and from the file beside a SQLite database. Neither has to exist yet.
 * They encrypt texts for the database. The purpose names what a text is for and whose it is, such as
 * `webhook_secret whk_…`, so that a text moved to another row or column cannot be opened.
 * Throws `usage` for keys that cannot be read.
 */
export function openSecrets({ location, environment }: SecretsOptions) {
  const { random, env = {} } = environment;
  const text = env[variable];
  const given = text === undefined || text.trim() === '' ? [] : parseKeys(text, variable);
  const path = toKeyPath(location);
  const readFile = path === undefined ? () => undefined : createKeyFileReader(path);
  /** Keys that a rotation removed can still open what was read before it. */
  const known = new Map<string, SecretKey>();

  function readKeys(): readonly SecretKey[] {
    const keys = [...given, ...(readFile() ?? [])];
    for (const key of keys) known.set(key.id, key);
    return keys;
  }

  function readCurrent(): SecretKey {
    const [first] = readKeys();
    if (first !== undefined) return first;
    if (path === undefined) {
      throw new SalonError('usage', 'There is no key for secrets.', {
        hint: `Set ${variable} to the output of: openssl rand -base64 32`,
      });
    }
    createKeyFile(path, [createKey(random)]);
    return readCurrent();
  }

  readKeys();
  return {
    /** Where the current key is, for messages. */
    source: given.length > 0 || path === undefined ? variable : path,
    /**
     * Encrypts a text with the current key, which is created when there is none. Call it inside the transaction that
     * stores the text: a rotation holds the same lock.
     */
    seal(plain: string, purpose: string): string {
      const { id, key } = readCurrent();
      const nonce = random(nonceBytes);
      const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(purpose));
      const parts = [nonce, encryption.update(plain, 'utf8'), encryption.final(), encryption.getAuthTag()];
      return `sealed:1:${id}:${Buffer.concat(parts).toString('base64url')}`;
    },
    /** Throws `internal_error` when the key is missing, or the text was changed or sealed for another purpose. */
    open(sealed: string, purpose: string): string {
      const [, id = '', content = ''] = sealedText.exec(sealed) ?? [];
      if (!known.has(id)) readKeys();
      const key = known.get(id);
      if (key === undefined) throw missingKey(id, path);
      return decrypt(Buffer.from(content, 'base64url'), key, purpose);
    },
    /** Throws `usage` if there is no key, and nowhere to create one. */
    assertKey() {
      if (path === undefined) readCurrent();
    },
    /** IDs of the available keys, the current one first. */
    listIds: () => [...new Set(readKeys().map(({ id }) => id))],
    /** Puts a new key first, or uses a new first one of the environment. Inside the transaction that seals again. */
    addKey() {
      const inFile = readFile() ?? [];
      if (given.length > 0 || path === undefined) readCurrent();
      else if (inFile.length === 0) createKeyFile(path, [createKey(random)]);
      else replaceKeyFile(path, [createKey(random), ...inFile]);
    },
    /** Removes keys from the file: those that nothing is sealed with, except the current one. Also in a transaction. */
    removeUnused(used: ReadonlySet<string>) {
      if (path === undefined) return;
      removeDrafts(path);
      const inFile = readFile();
      if (inFile === undefined) return;
      const current = readCurrent().id;
      const kept = inFile.filter(({ id }) => used.has(id) || id === current);
      if (kept.length < inFile.length) replaceKeyFile(path, kept);
    },
  };
}

export type SecretKeys = ReturnType<typeof openSecrets>;

/** What of the keys is for others than a rotation. */
export type Secrets = Pick<SecretKeys, 'seal' | 'open'>;

/** The variable or file with the key of a database's secrets, unread; null if there is none. */
export function findKeySource(
  location: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if ((env[variable] ?? '').trim() !== '') return variable;
  const path = toKeyPath(location);
  return path !== undefined && existsSync(path) ? path : null;
}

function decrypt(content: Buffer, { key }: SecretKey, purpose: string): string {
  try {
    const tagStart = content.length - tagBytes;
    const decryption = createDecipheriv(cipher, key, content.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(content.subarray(tagStart));
    const plain = decryption.update(content.subarray(nonceBytes, tagStart));
    return Buffer.concat([plain, decryption.final()]).toString('utf8');
  } catch (cause) {
    const message = `The sealed ${purpose} was changed or is not sealed for it.`;
    throw new SalonError('internal_error', message, { cause });
  }
}

function missingKey(id: string, path: string | undefined): SalonError {
  const places = path === undefined ? variable : `${variable} or ${path}`;
  const problem = id === '' ? 'is not sealed' : `needs the key ${id}, which is not in ${places}`;
  return new SalonError('internal_error', `A secret in the database ${problem}.`, {
    hint: 'Put the key back; a backup of the database does not contain it.',
  });
}
