import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
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

export function registerWebhooks(webhooks: Command, runner: ActionRunner): void {
  registerWebhooksList(webhooks, runner);
  registerWebhooksGet(webhooks, runner);
  registerWebhooksCreate(webhooks, runner);
  registerWebhooksUpdate(webhooks, runner);
  registerWebhooksDelete(webhooks, runner);
  registerWebhooksRotate(webhooks, runner);
  registerWebhooksTest(webhooks, runner);
  registerWebhooksDeliveries(webhooks, runner);
  registerWebhooksRedeliver(webhooks, runner);
  registerWebhooksListen(webhooks, runner);
  registerWebhooksReplay(webhooks, runner);
  registerWebhooksVerify(webhooks, runner);
  registerWebhooksTrigger(webhooks, runner);
}
