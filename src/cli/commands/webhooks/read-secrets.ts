import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SalonError } from '../../../contract/errors.ts';
import type { Io } from '../../io.ts';
import { createUnreadableError } from '../../messages/errors.ts';

export interface SecretFlags {
  readonly secretFile?: string;
}

/** Like `readGivenSecrets`, but throws `usage` if there is none. */
export async function readSecrets(flags: SecretFlags, io: Io): Promise<readonly string[]> {
  const secrets = await readGivenSecrets(flags, io);
  if (secrets !== undefined) return secrets;
  throw new SalonError('usage', 'No webhook secret given.', {
    hint: 'Pass a file with --secret-file, or set SALON_WEBHOOK_SECRET.',
  });
}

/**
 * Reads secrets from the file, else from the environment; never from a flag, which other users could see. Returns
 * undefined if neither is given. Throws `usage` for an unreadable or empty file.
 */
export async function readGivenSecrets(
  { secretFile }: SecretFlags,
  io: Io,
): Promise<readonly string[] | undefined> {
  if (secretFile !== undefined) return readSecretFile(secretFile, '--secret-file', io);
  const secrets = toLines(io.env['SALON_WEBHOOK_SECRET'] ?? '');
  return secrets.length > 0 ? secrets : undefined;
}

/** Reads secrets from a file, one per line. Throws `usage`, naming the flag, if there is none. */
export async function readSecretFile(file: string, flag: string, io: Io): Promise<readonly string[]> {
  const secrets = toLines((await readInput(file, flag, io)).toString('utf8'));
  if (secrets.length > 0) return secrets;
  throw new SalonError('usage', `${flag} ${file} is empty.`, {
    hint: 'Use the file written by: salon webhooks create --secret-file <file>',
  });
}

/** Reads a file, or standard input for `-`. Throws `usage`, naming the flag. */
export async function readInput(file: string, flag: string, io: Io): Promise<Buffer> {
  if (file === '-') return buffer(io.stdin);
  return readFile(resolve(io.cwd, file)).catch((cause: Error) => {
    throw createUnreadableError(`${flag} ${file}`, cause);
  });
}

function toLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}
