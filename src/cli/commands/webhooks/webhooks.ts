import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerWebhooksVerify } from './verify.ts';

export function registerWebhooks(webhooks: Command, frame: Frame): void {
  registerWebhooksVerify(webhooks, frame);
}
