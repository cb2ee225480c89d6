import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine } from './io.ts';

let made: Promise<string> | undefined;

/** Gives a home what `salon demo` makes there. It is made once for all tests of a process. */
export async function copyDemo(
  home: string,
  { data = '.local/share/salon', config = '.config/salon' } = {},
): Promise<void> {
  made ??= makeDemo();
  const folder = await made;
  cpSync(join(folder, '.local/share/salon'), join(home, data), { recursive: true });
  cpSync(join(folder, '.config/salon'), join(home, config), { recursive: true });
}

async function makeDemo(): Promise<string> {
  const machine = createMachine();
  process.once('exit', () => machine[Symbol.dispose]());
  const ran = await machine.salon(['demo']);
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
  return machine.home;
}
