import type { Command } from 'commander';
import { renderWait } from '../../../client/rate-limit/rate-limit.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addConfirmOption, addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { deliveryColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { toDeliveryRow, watchDelivery } from './watch-delivery.ts';

interface Flags extends PrintFlags {
  readonly wait?: boolean;
  readonly dryRun?: boolean;
}

/** Where --max-wait says nothing: four times what a receiver may take. */
const usualPatienceMs = 60_000;

export function registerWebhooksTest(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('test')
    .argument('<id>', 'identifier of the webhook')
    .description('Send a webhook.test event to one webhook, and say what it answered')
    .option('--no-wait', 'do not wait for the answer')
    .option('-n, --dry-run', 'show which webhook it would be, send nothing');
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks test whk_01jd…', 'is anybody there, and content?'],
    ['salon webhooks test whk_01jd… --max-wait 5s --json', 'in a script: the delivery with its try'],
  ]);
  command.addHelpText(
    'after',
    '\nDelivered: exit code 0. Not answered, or not with 2xx: 1. Not even sent within\n--max-wait, 1m when left out: 5.',
  );
  command.action(runner.action(testWebhook));
}

async function testWebhook(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { webhooks } = await context.client();
  if (context.flags.dryRun) {
    const { url } = await webhooks.get(id);
    return { show: 'record', record: { id, url }, said: `A webhook.test event would be sent to ${url}.` };
  }
  const sent = await webhooks.test(id);
  if (context.flags.wait === false) {
    return toOutcome(sent, `It is on its way. What came of it: salon webhooks deliveries ${id}`);
  }
  const tried = await watch(sent, id, context);
  const isDelivered = tried.status === 'delivered';
  return {
    ...toOutcome(tried, describe(tried, context.io.now())),
    exitCode: isDelivered ? exitCodes.done.code : exitCodes.refused.code,
  };
}

async function watch(sent: Delivery, webhookId: string, context: CommandContext<Flags>): Promise<Delivery> {
  const { webhooks } = await context.client();
  const { systemClock } = await import('../../../client/clock.ts');
  const { maxWaitMs } = (await context.session()).settings;
  const patienceMs = maxWaitMs.source === 'default' ? usualPatienceMs : maxWaitMs.value;
  context.status.show('work', () => 'waiting for what it answers');
  const watched = { webhooks, webhookId, clock: systemClock, patienceMs, signal: context.io.signal };
  const tried = await watchDelivery(sent, watched).finally(() => context.status.hide('work'));
  if (tried !== undefined) return tried;
  throw new SalonError('timeout', `The service has not sent it within ${renderWait(patienceMs)}.`, {
    hint: `It still may. Look later: salon webhooks deliveries ${webhookId}`,
    retryable: true,
    members: { delivery_id: sent.id },
  });
}

function toOutcome(delivery: Delivery, said: string): CommandResult {
  return { show: 'record', record: toDeliveryRow(delivery), columns: deliveryColumns, said };
}

function describe({ attempts, status, next_attempt_at }: Delivery, now: Date): string {
  const last = attempts?.at(-1);
  if (last === undefined) return `It is ${status}.`;
  const { status_code, error, duration_ms } = last;
  if (status === 'delivered') return `Delivered in ${duration_ms} ms: it answered ${status_code}.`;
  const refused = `Not delivered. ${error ?? `It answered ${status_code}.`}`;
  if (next_attempt_at === null) return `${refused} It is not tried again.`;
  const waitMs = Math.max(0, Date.parse(next_attempt_at) - now.getTime());
  return `${refused} The next try is in ${renderWait(waitMs)}.`;
}
