import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption, joinLists } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readGivenSecrets } from './secrets.ts';

interface Flags {
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
  addExamples(command, [
    ['salon webhooks listen', 'Print one line per event'],
    [
      'salon webhooks listen --events "booking.*" --forward-to http://localhost:3000/hook',
      'Forward bookings to a program',
    ],
    [
      'salon webhooks listen --public-url https://example.ngrok.app/hook --port 4000',
      'Receive through a tunnel',
    ],
    ['salon webhooks listen -f ndjson | jq -r .type', 'Print one JSON record per event'],
  ]);
  command.addHelpText(
    'after',
    `
The endpoint is registered while listening and removed at the end. Every
webhook is verified and acknowledged at once; duplicates are dropped. Missed
events are fetched from the service every minute and at the end.
Ctrl-C stops it with exit code 130.`,
  );
  command.action(runner.action(listen));
}

async function listen(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const [{ runListener }, { parseTarget }, { parseEventPatterns }, { readFeedLayout }] = await Promise.all([
    import('../../listen/run-listener.ts'),
    import('../../listen/forwarder.ts'),
    import('./webhook-flags.ts'),
    import('../../output/print-feed.ts'),
  ]);
  const { forwardTo, publicUrl, keep, record, host } = flags;
  await readFeedLayout(context);
  const secrets = await readGivenSecrets(flags, io);
  if (keep !== undefined) assertKeepable(keep, secrets);
  const plan = {
    context,
    host,
    port: parsePort(flags.port),
    publicUrl: publicUrl === undefined ? undefined : parseTarget(publicUrl, '--public-url').href,
    events: parseEventPatterns(flags.events),
    target: forwardTo === undefined ? undefined : parseTarget(forwardTo, '--forward-to'),
    record,
    secrets,
    keepName: keep,
  };
  return { show: 'feed', entries: runListener(plan) };
}

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
