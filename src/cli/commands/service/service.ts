import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerAccountCreate } from './account-create.ts';
import { registerServiceBackup } from './backup.ts';
import { registerKeyCreate } from './key-create.ts';
import { registerKeyRevoke } from './key-revoke.ts';
import { registerServiceSeed } from './seed.ts';
import { registerServiceStart } from './start.ts';

export function registerService(service: Command, runner: ActionRunner): void {
  registerServiceStart(service, runner);
  registerServiceSeed(service, runner);
  registerServiceBackup(service, runner);
  const account = service.command('account').description('The accounts of a database').helpCommand(false);
  registerAccountCreate(account, runner);
  const key = service.command('key').description('The API keys of a database').helpCommand(false);
  registerKeyCreate(key, runner);
  registerKeyRevoke(key, runner);
}
