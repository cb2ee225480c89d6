import type { Command } from 'commander';
import type { Fields } from '../../../client/json-object.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type EventPattern, eventPatterns, isEventPattern, matchesEvent } from '../../../contract/events.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagDefinition, FlagTable, FlagValues } from '../../flags/flag.ts';
import { parseMoment } from '../../flags/moments.ts';
import { confirmFlag, printFlags } from '../../flags/options.ts';
import { parseList } from '../../flags/values.ts';
import type { RecordedWebhook } from '../../listen/recording.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import { readClock } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readGivenSecrets, readInput, readSecretFile } from './secrets.ts';
import { createUnknownEventError } from './trigger.ts';

/** Parses a list such as `booking.*,client.deleted`. Throws `usage`, with what else can be done. */
export function parseEventPatterns(text: string, flag: string, otherwise = ''): readonly EventPattern[] {
  return parseList(text, flag).map((name) => {
    if (isEventPattern(name)) return name;
    throw createUnknownEventError(name, eventPatterns, otherwise);
  });
}

export const eventsFlag = {
  flag: '--events <a,b>',
  help: 'event types, e.g. booking.* (default: all)',
  complete: eventPatterns,
  parse: (text, flag) => parseEventPatterns(text, flag),
} as const satisfies FlagDefinition;

const forwardFlag = {
  flag: '--forward-to <url>',
  help: 'forward each delivery unchanged to this URL',
  parse: parseTargetUrl,
} as const satisfies FlagDefinition;

const listenFlags = {
  forwardTo: forwardFlag,
  events: eventsFlag,
  record: { flag: '--record <file>', help: 'append deliveries to a file for "webhooks replay"' },
  keep: { flag: '--keep <name>', help: 'keep the endpoint; show missed events next time' },
  port: {
    flag: '--port <n>',
    help: 'port to listen on; 0 picks a free one',
    default: '0',
    parse: parsePort,
  },
  host: { flag: '--host <address>', help: 'address to listen on', default: '127.0.0.1' },
  publicUrl: {
    flag: '--public-url <url>',
    help: 'URL of your tunnel, if the service is elsewhere',
    parse: parseTargetUrl,
  },
  secretFile: {
    flag: '--secret-file <file>',
    help: 'register nothing; verify with this secret (SALON_WEBHOOK_SECRET)',
  },
  ...confirmFlag,
} as const satisfies FlagTable;

const replayFlags = {
  forwardTo: { ...forwardFlag, help: 'URL to send them to', isRequired: true },
  events: { ...eventsFlag, help: 'only these event types, e.g. booking.*' },
  since: { flag: '--since <when>', help: 'only deliveries received since this time' },
  signWith: {
    flag: '--sign-with <file>',
    help: 'sign again with the secret in this file and the current time',
  },
  ...printFlags,
} as const satisfies FlagTable;

type ReplayFlags = FlagValues<typeof replayFlags>;

export function registerReceivers(webhooks: Command, runner: ActionRunner): void {
  runner.define(webhooks.command('listen'), {
    description: 'Receive events on this machine and forward them',
    flags: listenFlags,
    notes: `The endpoint is registered while listening and removed at the end. Every
webhook is verified and acknowledged at once; duplicates are dropped. Missed
events are fetched from the service every minute and at the end.
Ctrl-C stops it with exit code 130.`,
    examples: {
      'salon webhooks listen': 'Print one line per event',
      'salon webhooks listen --events "booking.*" --forward-to http://localhost:3000/hook':
        'Forward bookings to a program',
      'salon webhooks listen --public-url https://example.ngrok.app/hook --port 4000':
        'Receive through a tunnel',
      'salon webhooks listen -f ndjson | jq -r .type': 'Print one JSON record per event',
    },
    handler: async () => listen,
  });
  runner.define(webhooks.command('replay'), {
    description: 'Send recorded deliveries again, byte for byte',
    args: { '<file>': 'file written by "webhooks listen --record"; - for stdin' },
    flags: replayFlags,
    notes: `Without --sign-with, the original signatures are sent; receivers reject them
after five minutes. Exit code 3 if a response was not 2xx.`,
    examples: {
      'salon webhooks replay hooks.ndjson --forward-to http://localhost:3000/hook --sign-with secret':
        'Sign again, as if they arrived now',
      'salon webhooks replay hooks.ndjson --forward-to http://localhost:3000/hook --events "booking.*" --since today':
        "Replay today's bookings with their original signatures",
    },
    changes: 'the receiver',
    handler: async () => replay,
  });
}

const listen: Handler<FlagValues<typeof listenFlags>> = async (context) => {
  const { flags, io } = context;
  const [{ runListener }, { readFeedLayout }] = await Promise.all([
    import('../../listen/run-listener.ts'),
    import('../../output/print-feed.ts'),
  ]);
  const { forwardTo: target, publicUrl, keep: keepName, record, host, port, events = ['*'] } = flags;
  await readFeedLayout(context);
  const secrets = await readGivenSecrets(flags, io);
  if (keepName !== undefined) assertKeepable(keepName, secrets);
  const plan = { context, host, port, record, secrets, keepName, events, target, publicUrl: publicUrl?.href };
  return { show: 'feed', entries: runListener(plan) };
};

function assertKeepable(name: string, secrets: readonly string[] | undefined): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/.test(name)) {
    throw new SalonError('usage', `--keep needs a name, not "${name}".`, {
      hint: 'Use up to 32 letters, digits, dashes and underscores, e.g. till.',
    });
  }
  if (secrets === undefined) return;
  throw new SalonError('usage', '--keep needs a registered endpoint, but with a secret none is registered.', {
    hint: 'Omit --secret-file and SALON_WEBHOOK_SECRET, or omit --keep.',
  });
}

async function parseTargetUrl(text: string, flag: string): Promise<URL> {
  const { parseTarget } = await import('../../listen/forwarder.ts');
  return parseTarget(text, flag);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SalonError('usage', `--port must be a number from 0 to 65535, not "${text}".`);
}

const replayColumns = columnSet({
  ...{ received_at: 'instant', type: 'text', id: 'text', status: 'integer', took_ms: 'integer' },
  response_text: 'text',
});

const replay: Handler<ReplayFlags, [file: string]> = async (context, file) => {
  const { flags, io, messages, status } = context;
  const { isAccepted, openTarget } = await import('../../listen/forwarder.ts');
  const secrets =
    flags.signWith === undefined ? undefined : await readSecretFile(flags.signWith, '--sign-with', io);
  const recorded = await readChosen(context, file);
  const target = await openTarget(flags.forwardTo, context);
  const { signWebhook } = await import('../../../webhooks/signature.ts');
  const rows: Fields[] = [];
  let refused = 0;
  status.show('work', () => `replaying ${rows.length} of ${recorded.length}`);
  try {
    for (const webhook of recorded) {
      const { received_at, type, id, body } = webhook;
      const hint = `Continue with --since ${received_at}`;
      if (io.signal.aborted) {
        throw new SalonError('interrupted', `Interrupted. ${rows.length} were sent.`, { hint });
      }
      const now = io.now();
      const signature =
        secrets && signWebhook({ id: id ?? `replay_${rows.length}`, timestamp: now, body }, secrets);
      const headers = { ...webhook.headers, ...signature };
      const receipt = await target.post({ headers, body }).catch((cause) => {
        if (!(cause instanceof SalonError)) throw cause;
        throw new SalonError(cause.code, `${cause.message} ${rows.length} were sent.`, { hint, cause });
      });
      if (!isAccepted(receipt)) refused += 1;
      const took_ms = io.now().getTime() - now.getTime();
      const response_text = receipt.text.trim().slice(0, maxResponseLength);
      rows.push({ received_at, type, id, status: receipt.status, took_ms, response_text });
    }
  } finally {
    status.hide('work');
  }
  if (refused > 0) messages.warn(`${refused} of ${rows.length} deliveries were refused (no 2xx response).`);
  return {
    show: 'records',
    pages: onePage(rows),
    columns: replayColumns,
    noun: 'webhooks',
    exitCode: refused > 0 ? exitCodes.partly.code : exitCodes.done.code,
  };
};

/** Enough of a response to show the reason. */
const maxResponseLength = 200;

/** Reads the deliveries to replay. The whole file is checked before anything is sent. */
async function readChosen(
  context: CommandContext<ReplayFlags>,
  file: string,
): Promise<readonly RecordedWebhook[]> {
  const { io } = context;
  const { events = ['*'], since } = context.flags;
  const { parseRecorded } = await import('../../listen/recording.ts');
  const sinceMs =
    since === undefined
      ? Number.NEGATIVE_INFINITY
      : Date.parse(parseMoment(since, { ...(await readClock(context)), edge: 'start' }));
  const lines = (await readInput(file, 'The recording', io)).toString('utf8').split('\n');
  const recorded = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parseRecorded(line, `${file}, line ${index + 1},`)],
  );
  return recorded.filter(
    ({ type, received_at }) => matchesEvent(events, type) && Date.parse(received_at) >= sinceMs,
  );
}
