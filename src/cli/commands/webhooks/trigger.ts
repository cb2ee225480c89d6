import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { eventTypes } from '../../../contract/events.ts';
import { didYouMean } from '../../../text/closest.ts';
import { renderJson } from '../../../text/json.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { parseAssignments } from '../../flags/fields.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { printFlags, writeFlags } from '../../flags/options.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readGivenSecrets } from './secrets.ts';

const flags = {
  to: { flag: '--to <url>', help: 'URL to send it to (default: print the event)' },
  secretFile: {
    flag: '--secret-file <file>',
    help: 'File with the signing secret (SALON_WEBHOOK_SECRET)',
  },
  set: writeFlags.set,
  ...printFlags,
} as const satisfies FlagTable;

const columns = columnSet({
  ...{ status: 'integer', took_ms: 'integer', id: 'text', type: 'text', url: 'text', response_text: 'text' },
});

export function registerTrigger(webhooks: Command, runner: ActionRunner): void {
  runner.define(webhooks.command('trigger'), {
    description: 'Send a sample event to a URL, or print it',
    args: { '<type>': { help: `event type: ${eventTypes.join(', ')}`, complete: eventTypes } },
    flags,
    notes: 'The record is sample data; no salon is contacted.\nExit codes: 0 for a 2xx response, else 1.',
    examples: {
      'salon webhooks trigger booking.cancelled --to http://localhost:3000/hook --secret-file secret':
        'Send a signed event',
      'salon webhooks trigger payment.refunded --set amount:=12000 --set currency=JPY':
        'Print an event with your own values',
    },
    changes: 'the receiver',
    handler: async () => trigger,
  });
}

const trigger: Handler<FlagValues<typeof flags>, [name: string]> = async (context, name) => {
  const { flags, io, messages } = context;
  const type = eventTypes.find((known) => known === name);
  if (type === undefined) throw createUnknownEventError(name, eventTypes);
  const [{ createSampleEvent }, { isAccepted, openTarget, parseTarget }] = await Promise.all([
    import('../../../webhooks/sample-event.ts'),
    import('../../listen/forwarder.ts'),
  ]);
  const url = flags.to === undefined ? undefined : parseTarget(flags.to, '--to');
  if (url === undefined && flags.columns !== undefined) {
    throw new SalonError('usage', '--columns needs --to: without it the whole event is printed.', {
      hint: 'Omit --columns and pipe the event to jq.',
    });
  }
  const now = io.now();
  const sample = createSampleEvent(type, { now, random: io.random });
  const object = parseAssignments(flags.set ?? [], sample.data.object);
  const event = { ...sample, data: { ...sample.data, object } };
  if (url === undefined) return { show: 'text', text: `${renderJson(event, 2)}\n` };
  const { signWebhook } = await import('../../../webhooks/signature.ts');
  const secret = (await readGivenSecrets(flags, io)) ?? (await makeUpSecret(context));
  const body = JSON.stringify(event);
  const signature = signWebhook({ id: event.id, timestamp: now, body }, secret);
  const headers = { 'content-type': 'application/json', ...signature };
  const { status, text } = await (await openTarget(url, context)).post({ headers, body });
  const isDone = isAccepted({ status });
  if (!isDone) messages.warn(`The receiver responded with ${status}; only 2xx means success.`);
  const took_ms = io.now().getTime() - now.getTime();
  const record = { status, took_ms, id: event.id, type, url: url.href, response_text: text.trim() };
  return { show: 'record', record, columns, exitCode: (isDone ? exitCodes.done : exitCodes.refused).code };
};

async function makeUpSecret({ io, messages }: CommandContext): Promise<readonly string[]> {
  const { createWebhookSecret } = await import('../../../webhooks/signature.ts');
  const secret = createWebhookSecret(io.random);
  messages.info(`Signed with a random secret: ${secret}`);
  return [secret];
}

export function createUnknownEventError(name: string, known: readonly string[], otherwise = ''): SalonError {
  return new SalonError('usage', `Unknown event type "${name}".${didYouMean(name, known)}`, {
    hint: `Event types: ${known.join(', ')}.${otherwise}`,
  });
}
