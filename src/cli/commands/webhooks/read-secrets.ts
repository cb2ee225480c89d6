import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SalonError } from '../../../contract/errors.ts';
import type { Io } from '../../io.ts';
import { createUnreadableError } from '../../messages/errors.ts';

export interface SecretFlags {
  readonly secretFile?: string;
}

/** The secrets of `readGivenSecrets`. Throws `usage` where there is none. */
export async function readSecrets(flags: SecretFlags, io: Io): Promise<readonly string[]> {
  const secrets = await readGivenSecrets(flags, io);
  if (secrets !== undefined) return secrets;
  throw new SalonError('usage', 'There is no secret to verify the webhook with.', {
    hint: 'Name a file that has it with --secret-file, or set SALON_WEBHOOK_SECRET.',
  });
}

/**
 * From the file named, else from the environment; never from a flag's value, which others could see. Undefined where
 * nothing is given. Throws `usage` for a file that cannot be read, or is empty.
 */
export async function readGivenSecrets(
  { secretFile }: SecretFlags,
  io: Io,
): Promise<readonly string[] | undefined> {
  if (secretFile !== undefined) return readSecretFile(secretFile, '--secret-file', io);
  const secrets = toLines(io.env['SALON_WEBHOOK_SECRET'] ?? '');
  return secrets.length > 0 ? secrets : undefined;
}

/** The secrets in a file, a line each. Throws `usage`, naming the flag, where there is none. */
export async function readSecretFile(file: string, flag: string, io: Io): Promise<readonly string[]> {
  const secrets = toLines((await readInput(file, flag, io)).toString('utf8'));
  if (secrets.length > 0) return secrets;
  throw new SalonError('usage', `${flag} ${file} is empty: there is no secret in it.`, {
    hint: 'Name the file that --secret-file of salon webhooks create has written.',
  });
}

/** What a flag names: a file, or standard input for a dash. Throws `usage`, naming the flag. */
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
