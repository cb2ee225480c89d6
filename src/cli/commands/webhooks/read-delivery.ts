import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SalonError } from '../../../contract/errors.ts';
import type { Delivery } from '../../../webhooks/verify.ts';
import type { Io } from '../../io.ts';
import { parseHeaders } from '../../parse/headers.ts';

export interface DeliveryFlags {
  readonly headers: string;
  readonly body: string;
  readonly secretFile?: string;
}

/** Reads a webhook and its secrets from where the flags say. Throws `usage` for what cannot be read. */
export async function readDelivery(flags: DeliveryFlags, io: Io): Promise<Delivery> {
  const { headers, body, secretFile } = flags;
  if ([headers, body, secretFile].filter((file) => file === '-').length > 1) {
    throw new SalonError(
      'usage',
      'Standard input can be the headers, the body or the secret, but only one of them.',
      {
        hint: 'Keep the others in files.',
      },
    );
  }
  const secret = await readSecrets(flags, io);
  const headerText = (await readInput(headers, '--headers', io)).toString('utf8');
  return { headers: parseHeaders(headerText), body: await readInput(body, '--body', io), secret };
}

/** From the file named, else from the environment; never from a flag's value, which others could see. */
async function readSecrets({ secretFile }: DeliveryFlags, io: Io): Promise<readonly string[]> {
  const text =
    secretFile === undefined
      ? (io.env['SALON_WEBHOOK_SECRET'] ?? '')
      : (await readInput(secretFile, '--secret-file', io)).toString('utf8');
  const secrets = text.split('\n').map((line) => line.trim());
  const given = secrets.filter((secret) => secret !== '');
  if (given.length > 0) return given;
  throw new SalonError('usage', 'There is no secret to verify the webhook with.', {
    hint: 'Name a file that has it with --secret-file, or set SALON_WEBHOOK_SECRET.',
  });
}

async function readInput(file: string, flag: string, io: Io): Promise<Buffer> {
  if (file === '-') return buffer(io.stdin);
  return readFile(resolve(io.cwd, file)).catch((cause: Error) => {
    throw new SalonError('usage', `${flag} ${file} cannot be read: ${cause.message}`, { cause });
  });
}
