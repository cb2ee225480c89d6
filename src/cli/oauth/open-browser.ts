import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Io, toProgramEnv } from '../io.ts';

type Machine = Pick<Io, 'env' | 'platform'>;

/** Whether this terminal is on another machine than the person's browser. */
export function isRemote({ env }: Machine): boolean {
  return ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some((name) => Boolean(env[name]));
}

/** Whether a browser can be opened here. */
export function hasBrowser({ env, platform }: Machine): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return ['BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name]));
}

/** Opens an address in the person's browser. False where no program for that could be started. */
export async function openBrowser(address: string, machine: Machine): Promise<boolean> {
  // Only an http(s) address: other schemes start other programs.
  const { href } = new URL(address);
  if (!/^https?:/.test(href)) return false;
  const [command = '', ...args] = toCommand(machine, href);
  try {
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env: toProgramEnv(machine.env) });
    child.unref();
    child.on('error', () => {});
    await once(child, 'spawn');
    return true;
  } catch {
    return false;
  }
}

function toCommand({ env, platform }: Machine, address: string): string[] {
  if (platform === 'darwin') return ['open', address];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  const words = (env['BROWSER'] ?? '').split(':')[0]?.split(' ').filter(Boolean) ?? [];
  if (words.includes('%s')) return words.map((word) => (word === '%s' ? address : word));
  if (words.length > 0) return [...words, address];
  return [env['WSL_DISTRO_NAME'] ? 'wslview' : 'xdg-open', address];
}
