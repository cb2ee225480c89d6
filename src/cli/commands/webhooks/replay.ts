import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { matchesEvent } from '../../../contract/events.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { parseMoment } from '../../flags/moments.ts';
import { addPrintOptions, joinLists, type PrintFlags } from '../../flags/options.ts';
import type { RecordedWebhook } from '../../listen/recording.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readInput, readSecretFile } from './secrets.ts';

interface Flags extends PrintFlags {
  readonly forwardTo: string;
  readonly events?: string;
  readonly since?: string;
  readonly signWith?: string;
}

const columns = columnSet({
  received_at: 'instant',
  type: 'text',
  id: 'text',
  status: 'integer',
  took_ms: 'integer',
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
  addExamples(command, [
    [
      'salon webhooks replay hooks.ndjson --forward-to http://localhost:3000/hook --sign-with secret',
      'Sign again, as if they arrived now',
    ],
    [
      'salon webhooks replay hooks.ndjson --forward-to http://localhost:3000/hook --events "booking.*" --since today',
      "Replay today's bookings with their original signatures",
    ],
  ]);
  command.addHelpText(
    'after',
    `
Without --sign-with, the original signatures are sent; receivers reject them
after five minutes. Exit code 3 if a response was not 2xx.`,
  );
  command.action(runner.action(replay));
}

async function replay(context: CommandContext<Flags>, file: string): Promise<CommandResult> {
  const { flags, io, status } = context;
  const { parseTarget, openTarget } = await import('../../listen/forwarder.ts');
  const url = parseTarget(flags.forwardTo, '--forward-to');
  const secrets =
    flags.signWith === undefined ? undefined : await readSecretFile(flags.signWith, '--sign-with', io);
  const recorded = await readChosen(context, file);
  const postbox = await openTarget(url, context);
  const { signWebhook } = await import('../../../webhooks/signature.ts');
  const rows: Row[] = [];
  status.show('work', () => `replaying ${rows.length} of ${recorded.length}`);
  try {
    for (const webhook of recorded) {
      if (io.signal.aborted) throw interrupted(rows.length, webhook);
      const { body } = webhook;
      const now = io.now();
      const signature =
        secrets && signWebhook({ id: webhook.id ?? `replay_${rows.length}`, timestamp: now, body }, secrets);
      const receipt = await postbox
        .post({ headers: { ...webhook.headers, ...signature }, body })
        .catch((error) => {
          throw unreachable(error, rows.length, webhook);
        });
      rows.push({
        received_at: webhook.received_at,
        type: webhook.type,
        id: webhook.id,
        status: receipt.status,
        took_ms: io.now().getTime() - now.getTime(),
        answer: receipt.text.trim().slice(0, longestAnswer),
      });
    }
  } finally {
    status.hide('work');
  }
  return toWriteResult(rows, context);
}

type Row = Readonly<Record<string, string | number | null>>;

/** Enough of a response to show the reason. */
const longestAnswer = 200;

function toWriteResult(rows: readonly Row[], { messages }: CommandContext): CommandResult {
  const refused = rows.filter(({ status }) => Number(status) < 200 || Number(status) > 299).length;
  if (refused > 0) messages.warn(`${refused} of ${rows.length} deliveries were refused (no 2xx response).`);
  return {
    show: 'records',
    pages: onePage(rows),
    columns,
    noun: 'webhooks',
    exitCode: refused > 0 ? exitCodes.partly.code : exitCodes.done.code,
  };
}

/** Reads the deliveries to replay. The whole file is checked before anything is sent. */
async function readChosen(
  { flags, io, session }: CommandContext<Flags>,
  file: string,
): Promise<readonly RecordedWebhook[]> {
  const [{ parseRecorded }, { parseEventPatterns }] = await Promise.all([
    import('../../listen/recording.ts'),
    import('./webhook-flags.ts'),
  ]);
  const patterns = parseEventPatterns(flags.events);
  const { timeZone } = (await session()).settings;
  const sinceMs =
    flags.since === undefined
      ? Number.NEGATIVE_INFINITY
      : Date.parse(parseMoment(flags.since, { now: io.now(), timeZone: timeZone.value, edge: 'start' }));
  const lines = (await readInput(file, 'The recording', io)).toString('utf8').split('\n');
  return lines
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [parseRecorded(line, `${file}, line ${index + 1},`)],
    )
    .filter(({ type, received_at }) => matchesEvent(patterns, type) && Date.parse(received_at) >= sinceMs);
}

function unreachable(thrown: unknown, sent: number, { received_at }: RecordedWebhook): unknown {
  if (!(thrown instanceof SalonError)) return thrown;
  return new SalonError(thrown.code, `${thrown.message} ${sent} were sent.`, {
    hint: `Continue with --since ${received_at}`,
    cause: thrown,
  });
}

function interrupted(sent: number, { received_at }: RecordedWebhook): SalonError {
  return new SalonError('interrupted', `Interrupted. ${sent} were sent.`, {
    hint: `Continue with --since ${received_at}`,
  });
}
