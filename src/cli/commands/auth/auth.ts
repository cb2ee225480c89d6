import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { registerAuthLogin } from './login.ts';
import { logout } from './logout.ts';
import { readStatus } from './status.ts';

export function registerAuth(auth: Command, runner: ActionRunner): void {
  registerAuthLogin(auth, runner);

  const logoutCommand = auth.command('logout').description('Sign out, or remove the API key');
  addExamples(logoutCommand, [
    ['salon auth logout', 'Sign out here and on the server'],
    ['salon auth logout -p shop', 'Sign out of another profile'],
    ['salon profiles remove shop', 'Sign out and remove its settings, too'],
  ]);
  logoutCommand.action(runner.action(logout));

  const status = auth.command('status').description('Show who is signed in, where it is stored, until when');
  addExamples(status, [
    ['salon auth status', 'Check that the sign-in is accepted'],
    ['salon auth status || salon auth login', 'Sign in if needed'],
    ['salon auth status -p shop --json', 'Check another profile in a script'],
  ]);
  status.action(runner.action(readStatus));
}
