import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { registerAuthLogin } from './login.ts';
import { registerAuthLogout } from './logout.ts';
import { registerAuthStatus } from './status.ts';

export function registerAuth(auth: Command, runner: ActionRunner): void {
  registerAuthLogin(auth, runner);
  registerAuthLogout(auth, runner);
  registerAuthStatus(auth, runner);
}
