import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderCompletion } from '../../../src/cli/completion/render.ts';
import type { Shell } from '../../../src/cli/completion/shells.ts';
import { readProgramTree } from './program-tree.ts';

/** A folder with some files, a program named salon that knows two profiles, and a shell to run in it. */
export interface ShellLab extends Disposable {
  readonly folder: string;
  /** Writes a file into the folder and answers its path. */
  write(name: string, text: string): string;
  /** Runs the shell with these arguments. Fails with a plain sentence where there is no such shell. */
  run(args: readonly string[], input: string): Promise<string>;
}

const salonProgram = `#!/bin/sh
test -e broken && { echo 'error: broken' >&2; exit 2; }
test "$*" = 'profiles list -c name -f csv' && printf 'name\\nshop\\nsecond\\n' && exit
printf '%s\\n' "$@" > started
`;

export async function openShellLab(shell: Exclude<Shell, 'powershell'>): Promise<ShellLab> {
  const folder = mkdtempSync(join(tmpdir(), `salon-${shell}-`));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  chmodSync(write('salon', salonProgram), 0o755);
  mkdirSync(join(folder, 'plans'));
  for (const name of ['plan.json', 'two words.json']) write(name, '{}');
  write(shell === 'zsh' ? '_salon' : `completion.${shell}`, renderCompletion(shell, await readProgramTree()));
  return {
    folder,
    write,
    run: (args, input) => runShell(shell, args, { folder, input }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function runShell(
  shell: string,
  args: readonly string[],
  { folder, input }: { readonly folder: string; readonly input: string },
): Promise<string> {
  const env = {
    HOME: folder,
    PATH: `${folder}:${process.env['PATH']}`,
    INPUTRC: '/dev/null',
    TERM: 'dumb',
    LANG: 'C.UTF-8',
  };
  return new Promise((resolve, reject) => {
    const child = execFile(shell, args, { cwd: folder, env, timeout: 25_000 }, (error, stdout, stderr) => {
      // A shell that is typed at echoes its line there.
      if (error === null && (stderr === '' || args.includes('-i'))) resolve(stdout);
      else reject(explain(shell, error, stderr));
    });
    // A shell that is missing or gone shows up in the callback above.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function explain(shell: string, error: Error | null, stderr: string): Error {
  if (error !== null && 'code' in error && error.code === 'ENOENT') {
    return new Error(`There is no ${shell} on this machine, so its completions are not tested: install it.`);
  }
  return new Error(`${shell} failed: ${stderr || error?.message}`, { cause: error });
}
