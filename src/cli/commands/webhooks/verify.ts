import { type Command, Option } from 'commander';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { type SchemeName, schemeNames } from '../../../webhooks/schemes.ts';
import type { IncomingDelivery, VerifiedWebhook } from '../../../webhooks/verify.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseMoment } from '../../flags/days.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readCapturedRequest } from './read-delivery.ts';

interface Flags extends PrintFlags {
  readonly headers: string;
  readonly body: string;
  readonly secretFile?: string;
  readonly scheme?: SchemeName;
  readonly url?: string;
  readonly at?: string;
}

const columns = columnSet({ scheme: 'text', id: 'text', type: 'text', signed_at: 'instant', event: 'text' });

export function registerWebhooksVerify(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('verify')
    .description('Say whether a webhook that came is genuine, and if not, why')
    .requiredOption('--headers <file>', 'its headers, as lines or a JSON object; - for standard input')
    .requiredOption('--body <file>', 'its body, the very bytes that came; - for standard input')
    .option('--secret-file <file>', 'the secret, or several, a line each (SALON_WEBHOOK_SECRET)')
    .addOption(
      new Option('--scheme <name>', 'how it is signed; seen from the headers when left out').choices(
        schemeNames,
      ),
    )
    .option('--url <url>', 'where it was sent to, as registered; for Square')
    .option('--at <when>', 'judge by this time, not by now: when it came');
  addPrintOptions(command);
  addExamples(command, [
    [
      'salon webhooks verify --headers headers.txt --body body.json --secret-file secret',
      'one that was kept',
    ],
    [
      'pbpaste | salon webhooks verify --headers - --body body.json --secret-file secret',
      'headers from a log',
    ],
    [
      'salon webhooks verify --headers h.json --body b.json --secret-file secret --at 2026-11-21T09:30',
      'one of this morning, which is too old by now',
    ],
    [
      'salon webhooks verify --headers h.json --body b.json --secret-file secret --json | jq .event',
      'the event alone',
    ],
  ]);
  command.addHelpText(
    'after',
    '\nGenuine: exit code 0. Forged, changed on its way, or signed more than 5 minutes\naway: 1, with the reason.',
  );
  command.action(runner.action(verify));
}

async function verify(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const delivery = await readCapturedRequest(flags, io);
  const now = await readTime(context);
  const { verifyDelivery } = await import('../../../webhooks/verify.ts');
  const { scheme, url } = flags;
  const verified = explainLineBreak(delivery, () => verifyDelivery(delivery, { now, scheme, url }));
  if (verified.signedAt === undefined) {
    messages.warn(`The scheme "${verified.scheme}" signs no time: an old webhook looks like a new one.`);
  }
  return { show: 'record', record: toRecord(verified), columns };
}

async function readTime({ flags, io, session }: CommandContext<Flags>): Promise<Date> {
  const now = io.now();
  if (flags.at === undefined) return now;
  const { timeZone } = (await session()).settings;
  return new Date(parseMoment(flags.at, { now, timeZone: timeZone.value, edge: 'start' }));
}

/** Editors and shells end a file with a line break, which nobody signed. */
function explainLineBreak({ body }: IncomingDelivery, verifyIt: () => VerifiedWebhook): VerifiedWebhook {
  try {
    return verifyIt();
  } catch (error) {
    const isMismatch = error instanceof SalonError && error.members['reason'] === 'no_signature_matches';
    if (!isMismatch || body.at(-1) !== lineBreak) throw error;
    throw withContext(error, {
      hint: `${error.hint} This body ends with a line break: was it sent so, or added when it was saved?`,
    });
  }
}

const lineBreak = 10;

function toRecord({ scheme, id, signedAt, event }: VerifiedWebhook) {
  return {
    scheme,
    id: id ?? null,
    type: event.type,
    signed_at: signedAt?.toISOString().replace('.000Z', 'Z') ?? null,
    event,
  };
}
