import type { Command } from 'commander';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { schemeNames } from '../../../webhooks/schemes.ts';
import type { IncomingDelivery, VerifiedWebhook } from '../../../webhooks/verify.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { parseHeaders } from '../../flags/headers.ts';
import { parseMoment } from '../../flags/moments.ts';
import { printFlags } from '../../flags/options.ts';
import type { Io } from '../../io.ts';
import { columnSet } from '../../output/columns.ts';
import { readClock } from '../../output/format.ts';
import { readGivenSecrets, readInput } from './secrets.ts';

const flags = {
  headers: {
    flag: '--headers <file>',
    help: 'file with the headers, as lines or JSON; - for stdin',
    isRequired: true,
  },
  body: { flag: '--body <file>', help: 'file with the body as received; - for stdin', isRequired: true },
  secretFile: {
    flag: '--secret-file <file>',
    help: 'file with secrets, one per line (SALON_WEBHOOK_SECRET)',
  },
  scheme: {
    flag: '--scheme <name>',
    help: 'signature scheme (default: detected)',
    choices: schemeNames,
  },
  url: { flag: '--url <url>', help: 'registered URL (Square only)' },
  at: { flag: '--at <when>', help: 'time of receipt (default: now)' },
  ...printFlags,
} as const satisfies FlagTable;

type VerifyFlags = FlagValues<typeof flags>;

const columns = columnSet({ scheme: 'text', id: 'text', type: 'text', signed_at: 'instant', event: 'text' });

export function registerVerify(webhooks: Command, runner: ActionRunner): void {
  runner.define(webhooks.command('verify'), {
    description: 'Verify the signature of a captured delivery',
    flags,
    notes: 'Exit codes: 0 valid, 1 forged, altered or more than 5 minutes off.',
    examples: {
      'salon webhooks verify --headers headers.txt --body body.json --secret-file secret':
        'Verify a saved delivery',
      'pbpaste | salon webhooks verify --headers - --body body.json --secret-file secret':
        'Take the headers from the clipboard',
      'salon webhooks verify --headers h.json --body b.json --secret-file secret --at 2026-11-21T09:30':
        'Verify one received this morning',
      'salon webhooks verify --headers h.json --body b.json --secret-file secret --json | jq .event':
        'Print only the event',
    },
    handler: async () => verify,
  });
}

const verify: Handler<VerifyFlags> = async (context) => {
  const { flags, io, messages } = context;
  const delivery = await readCapturedRequest(flags, io);
  const { at, scheme, url } = flags;
  const edge = 'start';
  const now =
    at === undefined ? io.now() : new Date(parseMoment(at, { ...(await readClock(context)), edge }));
  const { verifyDelivery } = await import('../../../webhooks/verify.ts');
  const verified = explainLineBreak(delivery, () => verifyDelivery(delivery, { now, scheme, url }));
  if (verified.signedAt === undefined) {
    messages.warn(`The scheme "${verified.scheme}" does not sign the time, so replays cannot be detected.`);
  }
  return { show: 'record', record: toRecord(verified), columns };
};

/** Editors and shells append a line break that was not signed. */
function explainLineBreak({ body }: CapturedDelivery, verifyIt: () => VerifiedWebhook): VerifiedWebhook {
  try {
    return verifyIt();
  } catch (error) {
    const isMismatch = error instanceof SalonError && error.members['reason'] === 'no_signature_matches';
    if (!isMismatch || body.at(-1) !== '\n'.charCodeAt(0)) throw error;
    throw withContext(error, {
      hint: `${error.hint} This body ends with a line break: was it added when the file was saved?`,
    });
  }
}

function toRecord({ scheme, id, signedAt, event }: VerifiedWebhook) {
  return {
    scheme,
    id: id ?? null,
    type: event.type,
    signed_at: signedAt?.toISOString().replace('.000Z', 'Z') ?? null,
    event,
  };
}

type CapturedDelivery = IncomingDelivery & { readonly body: Uint8Array };

/** Reads a captured delivery and the secrets from the given files. Throws `usage`. */
async function readCapturedRequest(flags: VerifyFlags, io: Io): Promise<CapturedDelivery> {
  const { headers, body, secretFile } = flags;
  if ([headers, body, secretFile].filter((file) => file === '-').length > 1) {
    throw new SalonError('usage', 'Only one of headers, body and secret can be read from standard input.', {
      hint: 'Use files for the others.',
    });
  }
  const secret = await readGivenSecrets(flags, io);
  if (secret === undefined) {
    throw new SalonError('usage', 'No webhook secret given.', {
      hint: 'Pass a file with --secret-file, or set SALON_WEBHOOK_SECRET.',
    });
  }
  const headerText = (await readInput(headers, '--headers', io)).toString('utf8');
  return { headers: parseHeaders(headerText), body: await readInput(body, '--body', io), secret };
}
