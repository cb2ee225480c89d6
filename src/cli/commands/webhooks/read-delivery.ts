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

/** Reads a webhook and its secrets from where the flags say. Throws `usage` for what cannot be read. */
export async function readCapturedRequest(flags: CapturedRequestFlags, io: Io): Promise<IncomingDelivery> {
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
