import type { Command } from 'commander';
import type { Frame } from '../../frame.ts';
import { registerAuthLogin } from './login.ts';
import { registerAuthLogout } from './logout.ts';
import { registerAuthStatus } from './status.ts';

export function registerAuth(auth: Command, frame: Frame): void {
  registerAuthLogin(auth, frame);
  registerAuthLogout(auth, frame);
  registerAuthStatus(auth, frame);
}
