import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addConfirmOption, addExamples } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readGivenSecrets } from './read-secrets.ts';

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
    .description('Receive webhooks here as they happen, and hand them on')
    .option('--forward-to <url>', 'hand each on to this address, as it came')
    .option('--events <a,b>', 'which events: booking.*, or names; all when left out')
    .option('--record <file>', 'add each to this file, for "salon webhooks replay"')
    .option('--keep <name>', 'keep the endpoint in the end, and say next time what was missed')
    .option('--port <n>', 'port to listen on; 0 for any', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'where a service elsewhere reaches this: the address of a tunnel')
    .option('--secret-file <file>', 'register nothing: take what is signed with this (SALON_WEBHOOK_SECRET)');
  addConfirmOption(command);
  addExamples(command, [
    ['salon webhooks listen', 'what happens in the salon, a line each'],
    [
      'salon webhooks listen --events "booking.*" --forward-to http://localhost:3000/hook',
      'while writing a program that takes bookings',
    ],
    [
      'salon webhooks listen --keep till --forward-to http://localhost:3000/hook',
      'the same endpoint each day: what happened meanwhile comes first',
    ],
    ['salon webhooks listen --public-url https://example.ngrok.app/hook --port 4000', 'behind a tunnel'],
    ['salon webhooks listen -f ndjson | jq -r .type', 'for programs: a record a line'],
  ]);
  command.addHelpText(
    'after',
    `
An endpoint is registered with the salon while it listens, and removed in the
end. Each webhook is verified and answered at once; one that comes twice is
dropped. Every minute and in the end the log of the service is compared with
what came, and what is missing is fetched from it. Ended by Ctrl-C: exit
code 130.`,
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
      hint: 'Letters, digits, dashes and underscores, 32 at most: such as till.',
    });
  }
  if (secrets === undefined) return;
  throw new SalonError('usage', 'With a secret given nothing is registered, so there is nothing to keep.', {
    hint: 'Leave out --secret-file and SALON_WEBHOOK_SECRET, or --keep.',
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SalonError('usage', `--port takes a number from 0 to 65535, not "${text}".`);
}
