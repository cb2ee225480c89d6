import type { Command } from 'commander';
import type { Clock } from '../../../client/deadline.ts';
import { renderWait } from '../../../client/rate-limit/rate-limit-headers.ts';
import type { WebhookCollection } from '../../../client/resources/webhooks.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import { SalonError } from '../../../contract/errors.ts';
import { cleanText } from '../../../text/clean-text.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { confirmFlag, printFlags, writeFlags } from '../../flags/options.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { nouns } from '../../nouns/nouns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { toDeliveryRow } from './deliveries.ts';

/** Default for --max-wait: four times a receiver's time limit. */
const defaultTimeoutMs = 60_000;

const flags = {
  noWait: { flag: '--no-wait', help: 'do not wait for the response' },
  dryRun: { ...writeFlags.dryRun, help: 'show the webhook; send nothing' },
  ...confirmFlag,
  ...printFlags,
} as const satisfies FlagTable;

export function registerTest(webhooks: Command, runner: ActionRunner): void {
  runner.define(webhooks.command('test'), {
    description: 'Send a test event to a webhook and show the response',
    args: { '<id>': 'webhook ID' },
    flags,
    notes: 'Exit codes: 0 delivered, 1 no response or not 2xx, 5 not sent within --max-wait\n(default 1m).',
    examples: {
      'salon webhooks test whk_01jd…': 'Check that the endpoint responds',
      'salon webhooks test whk_01jd… --max-wait 5s --json': 'Check it in a script',
    },
    handler: async () => testWebhook,
  });
}

const testWebhook: Handler<FlagValues<typeof flags>, [id: string]> = async (context, id) => {
  const { webhooks } = await context.client();
  if (context.flags.dryRun) {
    const { url } = await webhooks.get(id);
    return { show: 'record', record: { id, url }, message: `Dry run: would send webhook.test to ${url}.` };
  }
  const sent = await webhooks.test(id);
  if (context.flags.noWait) {
    return toWriteResult(sent, `Sending. See the result with: salon webhooks deliveries ${id}`);
  }
  const tried = await watch(sent, id, context);
  const { code: exitCode } = tried.status === 'delivered' ? exitCodes.done : exitCodes.refused;
  return { ...toWriteResult(tried, describe(tried, context.io.now())), exitCode };
};

async function watch(sent: Delivery, webhookId: string, context: CommandContext): Promise<Delivery> {
  const { webhooks } = await context.client();
  const { systemClock } = await import('../../../client/deadline.ts');
  const { maxWait } = (await context.session()).settings;
  const timeoutMs = maxWait.source === 'default' ? defaultTimeoutMs : maxWait.value;
  context.status.show('work', () => 'waiting for the response');
  const watched = { webhooks, webhookId, clock: systemClock, timeoutMs, signal: context.io.signal };
  const tried = await watchDelivery(sent, watched).finally(() => context.status.hide('work'));
  if (tried !== undefined) return tried;
  throw new SalonError('timeout', `The service did not send the event within ${renderWait(timeoutMs)}.`, {
    hint: `It may still be sent. Check later: salon webhooks deliveries ${webhookId}`,
    retryable: true,
    members: { delivery_id: sent.id },
  });
}

function toWriteResult(delivery: Delivery, message: string): CommandResult {
  return { show: 'record', record: toDeliveryRow(delivery), columns: nouns.deliveries.columns, message };
}

function describe({ attempts, status, next_attempt_at }: Delivery, now: Date): string {
  const last = attempts?.at(-1);
  if (last === undefined) return `The delivery is ${status}.`;
  const { status_code, error, duration_ms, response } = last;
  if (status === 'delivered') return `Delivered in ${duration_ms} ms with status ${status_code}.`;
  const said = response == null ? '' : ` The receiver answered: ${cleanText(response)}`;
  const refused = `Not delivered. ${error ?? `The response was ${status_code}.`}${said}`;
  if (next_attempt_at === null) return `${refused} There will be no retry.`;
  const waitMs = Math.max(0, Date.parse(next_attempt_at) - now.getTime());
  return `${refused} Next attempt in ${renderWait(waitMs)}.`;
}

interface WatchOptions {
  readonly webhooks: Pick<WebhookCollection, 'deliveries'>;
  readonly webhookId: string;
  readonly clock: Clock;
  /** How long to poll. */
  readonly timeoutMs: number;
  /** Stops polling; the promise rejects. */
  readonly signal: AbortSignal;
}

const firstPauseMs = 250;
const growth = 1.5;
const maxPauseMs = 5_000;

/** Polls a delivery with growing pauses until its first attempt. Returns undefined if that takes too long. */
export async function watchDelivery(delivery: Delivery, watch: WatchOptions): Promise<Delivery | undefined> {
  const { clock, signal } = watch;
  const endMs = clock.now() + watch.timeoutMs;
  const isUntried = ({ attempts, status }: Delivery) => status === 'pending' && !(attempts?.length > 0);
  let present = delivery;
  for (let pauseMs = firstPauseMs; isUntried(present); pauseMs = Math.min(pauseMs * growth, maxPauseMs)) {
    const leftMs = endMs - clock.now();
    if (leftMs <= 0) return undefined;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
    present = (await findDelivery(delivery, watch)) ?? present;
  }
  return present;
}

/** The API has no endpoint for one delivery; it is among the few created since. */
async function findDelivery(
  { id, created_at }: Delivery,
  { webhooks, webhookId }: WatchOptions,
): Promise<Delivery | undefined> {
  for await (const { rows } of webhooks.deliveries(webhookId, { created_from: created_at })) {
    const found = rows.find((row) => row.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}
