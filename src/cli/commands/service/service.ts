import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerAccountCreate, registerSecondFactor } from './accounts.ts';
import { registerServiceAudit } from './audit.ts';
import {
  registerServiceBackup,
  registerServiceCheck,
  registerServiceCopy,
  registerServiceRestore,
} from './backup.ts';
import { registerServiceCompact, registerServiceSeed } from './database.ts';
import { registerServiceKeys } from './keys.ts';
import { registerServiceLogs } from './logs.ts';
import { registerSecrets } from './secrets.ts';
import { registerStart } from './start.ts';
import { registerUsers } from './users.ts';

export function registerService(service: Command, runner: ActionRunner): void {
  registerStart(service, runner);
  registerServiceLogs(service, runner);
  registerServiceSeed(service, runner);
  registerServiceBackup(service, runner);
  registerServiceRestore(service, runner);
  registerServiceCheck(service, runner);
  registerServiceCopy(service, runner);
  registerServiceCompact(service, runner);
  const account = service.command('account').description('Manage accounts').helpCommand(false);
  registerAccountCreate(account, runner);
  registerSecondFactor(account, runner);
  registerServiceKeys(service.command('key').description('Manage API keys').helpCommand(false), runner);
  registerUsers(service, runner);
  registerSecrets(service, runner);
  registerServiceAudit(service, runner);
}
