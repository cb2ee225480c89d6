import type { Command } from 'commander';
import type { Row } from '../../../bulk/export/write-pages.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type EventPattern, eventPatterns, isEventPattern, matchesEvent } from '../../../contract/events.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { joinLists } from '../../flags/flag.ts';
import { parseMoment } from '../../flags/moments.ts';
import { addConfirmOption, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { parseList } from '../../flags/values.ts';
import type { RecordedWebhook } from '../../listen/recording.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import { readClock } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readGivenSecrets, readInput, readSecretFile } from './secrets.ts';
import { createUnknownEventError } from './trigger.ts';

interface ListenFlags {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly record?: string;
  readonly keep?: string;
  readonly port: string;
  readonly host: string;
  readonly publicUrl?: string;
  readonly secretFile?: string;
}

export function registerWebhooksListen(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('listen')
    .description('Receive events on this machine and forward them')
    .option('--forward-to <url>', 'forward each delivery unchanged to this URL')
    .option('--events <a,b>', 'event types, e.g. booking.* (default: all)', joinLists)
    .option('--record <file>', 'append deliveries to a file for "webhooks replay"')
    .option('--keep <name>', 'keep the endpoint; show missed events next time')
    .option('--port <n>', 'port to listen on; 0 picks a free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'URL of your tunnel, if the service is elsewhere')
    .option('--secret-file <file>', 'register nothing; verify with this secret (SALON_WEBHOOK_SECRET)');
  addConfirmOption(command);
  command.addHelpText(
    'after',
    `
The endpoint is registered while listening and removed at the end. Every
webhook is verified and acknowledged at once; duplicates are dropped. Missed
events are fetched from the service every minute and at the end.
Ctrl-C stops it with exit code 130.`,
  );
  runner.add(command, listen, {
    'salon webhooks listen': 'Print one line per event',
    'salon webhooks listen --events "booking.*" --forward-to http://localhost:3000/hook':
      'Forward bookings to a program',
    'salon webhooks listen --public-url https://example.ngrok.app/hook --port 4000':
      'Receive through a tunnel',
    'salon webhooks listen -f ndjson | jq -r .type': 'Print one JSON record per event',
  });
}

const listen: Handler<ListenFlags> = async (context) => {
  const { flags, io } = context;
  const [{ runListener }, { parseTarget }, { readFeedLayout }] = await Promise.all([
    import('../../listen/run-listener.ts'),
    import('../../listen/forwarder.ts'),
    import('../../output/print-feed.ts'),
  ]);
  const { forwardTo, publicUrl, keep, record, host } = flags;
  await readFeedLayout(context);
  const secrets = await readGivenSecrets(flags, io);
  if (keep !== undefined) assertKeepable(keep, secrets);
  const plan = {
    ...{ context, host, record, secrets, keepName: keep },
    port: parsePort(flags.port),
    publicUrl: publicUrl === undefined ? undefined : parseTarget(publicUrl, '--public-url').href,
    events: parseEventPatterns(flags.events),
    target: forwardTo === undefined ? undefined : parseTarget(forwardTo, '--forward-to'),
  };
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

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SalonError('usage', `--port must be a number from 0 to 65535, not "${text}".`);
}

interface ReplayFlags extends PrintFlags {
  readonly forwardTo: string;
  readonly events?: string;
  readonly since?: string;
  readonly signWith?: string;
}

const replayColumns = columnSet({
  ...{ received_at: 'instant', type: 'text', id: 'text', status: 'integer', took_ms: 'integer' },
  answer: 'text',
});

export function registerWebhooksReplay(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('replay')
    .description('Send recorded deliveries again, byte for byte')
    .argument('<file>', 'file written by "webhooks listen --record"; - for stdin')
    .requiredOption('--forward-to <url>', 'URL to send them to')
    .option('--events <a,b>', 'only these event types, e.g. booking.*', joinLists)
    .option('--since <when>', 'only deliveries received since this time')
    .option('--sign-with <file>', 'sign again with the secret in this file and the current time');
  addPrintOptions(command);
  command.addHelpText(
    'after',
    `
Without --sign-with, the original signatures are sent; receivers reject them
after five minutes. Exit code 3 if a response was not 2xx.`,
  );
  runner.add(command, replay, {
    'salon webhooks replay hooks.ndjson --forward-to http://localhost:3000/hook --sign-with secret':
      'Sign again, as if they arrived now',
    'salon webhooks replay hooks.ndjson --forward-to http://localhost:3000/hook --events "booking.*" --since today':
      "Replay today's bookings with their original signatures",
  });
}

const replay: Handler<ReplayFlags, [file: string]> = async (context, file) => {
  const { flags, io, messages, status } = context;
  const { isAccepted, openTarget, parseTarget } = await import('../../listen/forwarder.ts');
  const url = parseTarget(flags.forwardTo, '--forward-to');
  const secrets =
    flags.signWith === undefined ? undefined : await readSecretFile(flags.signWith, '--sign-with', io);
  const recorded = await readChosen(context, file);
  const target = await openTarget(url, context);
  const { signWebhook } = await import('../../../webhooks/signature.ts');
  const rows: Row[] = [];
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
      const answer = receipt.text.trim().slice(0, maxResponseLength);
      rows.push({ received_at, type, id, status: receipt.status, took_ms, answer });
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
  const { flags, io } = context;
  const { parseRecorded } = await import('../../listen/recording.ts');
  const patterns = parseEventPatterns(flags.events);
  const sinceMs =
    flags.since === undefined
      ? Number.NEGATIVE_INFINITY
      : Date.parse(parseMoment(flags.since, { ...(await readClock(context)), edge: 'start' }));
  const lines = (await readInput(file, 'The recording', io)).toString('utf8').split('\n');
  const recorded = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parseRecorded(line, `${file}, line ${index + 1},`)],
  );
  return recorded.filter(
    ({ type, received_at }) => matchesEvent(patterns, type) && Date.parse(received_at) >= sinceMs,
  );
}

/** Parses a list such as `booking.*,client.deleted`; without one, all events. Throws `usage`. */
function parseEventPatterns(text: string | undefined): readonly EventPattern[] {
  if (text === undefined) return ['*'];
  return parseList(text, '--events').map((name) => {
    if (isEventPattern(name)) return name;
    throw createUnknownEventError(name, eventPatterns, ' in --events');
  });
}
