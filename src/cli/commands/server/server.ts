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
import { registerReady } from './ready.ts';
import { registerSecrets } from './secrets.ts';
import { registerStart } from './start.ts';
import { registerUsers } from './users.ts';

export function registerServer(server: Command, runner: ActionRunner): void {
  registerStart(server, runner);
  registerReady(server, runner);
  registerServiceLogs(server, runner);
  registerServiceSeed(server, runner);
  registerServiceBackup(server, runner);
  registerServiceRestore(server, runner);
  registerServiceCheck(server, runner);
  registerServiceCopy(server, runner);
  registerServiceCompact(server, runner);
  const account = server.command('account').description('Manage accounts').helpCommand(false);
  registerAccountCreate(account, runner);
  registerSecondFactor(account, runner);
  registerServiceKeys(server.command('key').description('Manage API keys').helpCommand(false), runner);
  registerUsers(server, runner);
  registerSecrets(server, runner);
  registerServiceAudit(server, runner);
}
