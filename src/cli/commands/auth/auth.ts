import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { addGroup } from '../../options.ts';
import { registerAuthLogin } from './login.ts';
import { registerAuthLogout } from './logout.ts';
import { registerAuthStatus } from './status.ts';

export function registerAuth(program: Command, frame: Frame): void {
  const auth = addGroup(program, { name: 'auth', description: 'Sign in to a salon, and out' });
  registerAuthLogin(auth, frame);
  registerAuthLogout(auth, frame);
  registerAuthStatus(auth, frame);
}
