import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerAccountCreate } from './account-create.ts';
import { registerServiceBackup } from './backup.ts';
import { registerKeyCreate } from './key-create.ts';
import { registerKeyRevoke } from './key-revoke.ts';
import { registerServiceSeed } from './seed.ts';
import { registerServiceStart } from './start.ts';

export function registerService(service: Command, frame: Frame): void {
  registerServiceStart(service, frame);
  registerServiceSeed(service, frame);
  registerServiceBackup(service, frame);
  const account = service.command('account').description('The accounts of a database').helpCommand(false);
  registerAccountCreate(account, frame);
  const key = service.command('key').description('The API keys of a database').helpCommand(false);
  registerKeyCreate(key, frame);
  registerKeyRevoke(key, frame);
}
