import type { Command } from 'commander';
import { newWebhook } from '../../../contract/webhook.ts';
import type { Call } from '../../call.ts';
import { readFields } from '../../fields.ts';
import type { Frame } from '../../frame.ts';
import {
  addConfirmOption,
  addExamples,
  addPrintOptions,
  addWriteOptions,
  type WriteFlags,
} from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { webhookColumns } from '../../print/columns.ts';
import { explainUnknownFields } from '../../unknown-fields.ts';
import { addSecretOption, makeSecret, type NewSecret, type SecretFlags } from './new-secret.ts';
import { noteSending } from './sending-note.ts';
import { addWebhookOptions, toWebhookFields, type WebhookFlags } from './webhook-flags.ts';

interface Flags extends WriteFlags, WebhookFlags, SecretFlags {}

export function registerWebhooksCreate(parent: Command, frame: Frame): void {
  const command = parent
    .command('create')
    .argument('<url>', 'where events are sent to: https, and an address that the service can reach')
    .description(
      'Have events sent to an address as they happen; the secret they are signed with is shown once',
    );
  addWriteOptions(addSecretOption(addWebhookOptions(command)));
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks create https://example.com/hook', 'told of everything'],
    [
      `salon webhooks create https://example.com/hook --events 'booking.*,payment.completed' --description Till`,
      'of bookings and payments',
    ],
    ['salon webhooks create https://example.com/hook --secret-file hook.secret', 'the secret shown nowhere'],
  ]);
  command.action(frame.action(createWebhook));
}

async function createWebhook(call: Call<Flags>, url: string): Promise<Outcome> {
  const { flags, io, talk } = call;
  const fields = { url, ...toWebhookFields(flags), ...(await readFields(flags, io)) };
  if (flags.dryRun) {
    talk.say('This would be sent; nothing was.');
    return { show: 'record', record: fields };
  }
  const outcome = await makeSecret(call, async (): Promise<NewSecret> => {
    const client = await call.client();
    const known = Object.keys(newWebhook.properties);
    const { id, record } = await explainUnknownFields(client.webhooks.create(fields), known);
    const name = id === undefined ? '' : ` ${id}`;
    return {
      id: id ?? '<id>',
      record: { ...(record ?? { id: id ?? null }) },
      columns: webhookColumns,
      said: `Added webhook${name}.`,
    };
  });
  await noteSending(call);
  return outcome;
}
