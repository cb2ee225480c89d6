import { SalonError } from '../../../contract/errors.ts';
import type { IncomingDelivery } from '../../../webhooks/verify.ts';
import { parseHeaders } from '../../flags/headers.ts';
import type { Io } from '../../io.ts';
import { readInput, readSecrets } from './read-secrets.ts';

export interface CapturedRequestFlags {
  readonly headers: string;
  readonly body: string;
  readonly secretFile?: string;
}

/** Reads a captured delivery and the secrets from the given files. Throws `usage`. */
export async function readCapturedRequest(flags: CapturedRequestFlags, io: Io): Promise<IncomingDelivery> {
  const { headers, body, secretFile } = flags;
  if ([headers, body, secretFile].filter((file) => file === '-').length > 1) {
    throw new SalonError('usage', 'Only one of headers, body and secret can be read from standard input.', {
      hint: 'Use files for the others.',
    });
  }
  const secret = await readSecrets(flags, io);
  const headerText = (await readInput(headers, '--headers', io)).toString('utf8');
  return { headers: parseHeaders(headerText), body: await readInput(body, '--body', io), secret };
}
