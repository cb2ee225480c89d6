import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerWebhooksCreate } from './create.ts';
import { registerWebhooksDelete } from './delete.ts';
import { registerWebhooksDeliveries } from './deliveries.ts';
import { registerWebhooksGet } from './get.ts';
import { registerWebhooksList } from './list.ts';
import { registerWebhooksListen } from './listen.ts';
import { registerWebhooksRedeliver } from './redeliver.ts';
import { registerWebhooksReplay } from './replay.ts';
import { registerWebhooksRotate } from './rotate.ts';
import { registerWebhooksTest } from './test.ts';
import { registerWebhooksTrigger } from './trigger.ts';
import { registerWebhooksUpdate } from './update.ts';
import { registerWebhooksVerify } from './verify.ts';

export function registerWebhooks(webhooks: Command, frame: Frame): void {
  registerWebhooksList(webhooks, frame);
  registerWebhooksGet(webhooks, frame);
  registerWebhooksCreate(webhooks, frame);
  registerWebhooksUpdate(webhooks, frame);
  registerWebhooksDelete(webhooks, frame);
  registerWebhooksRotate(webhooks, frame);
  registerWebhooksTest(webhooks, frame);
  registerWebhooksDeliveries(webhooks, frame);
  registerWebhooksRedeliver(webhooks, frame);
  registerWebhooksListen(webhooks, frame);
  registerWebhooksReplay(webhooks, frame);
  registerWebhooksVerify(webhooks, frame);
  registerWebhooksTrigger(webhooks, frame);
}
