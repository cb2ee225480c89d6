import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder with some files, the built program with two profiles, and a shell to run in it. */
export interface ShellLab extends Disposable {
  readonly folder: string;
  /** Writes a file into the folder and returns its path. */
  write(name: string, text: string): string;
  /** Runs the shell with these arguments. Throws if the shell is not installed. */
  run(args: readonly string[], input: string): Promise<string>;
}

const scripts = { bash: 'salon.bash', zsh: '_salon', fish: 'salon.fish' } as const;

const launcher = fileURLToPath(new URL('../../../bin/salon.js', import.meta.url));
const builtProgram = fileURLToPath(new URL('../../../dist/salon.cjs', import.meta.url));

/** Completes as the real program does; any other call writes its words down. */
const salonProgram = `#!/bin/sh
test -e broken && { echo 'error: broken' >&2; exit 2; }
test "$1" = __complete && exec '${process.execPath}' '${launcher}' "$@"
printf '%s\\n' "$@" > started
`;

export function openShellLab(shell: keyof typeof scripts): ShellLab {
  if (!existsSync(builtProgram)) throw new Error('The program is not built. Run "npm run build".');
  const folder = mkdtempSync(join(tmpdir(), `salon-${shell}-`));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  chmodSync(write('salon', salonProgram), 0o755);
  mkdirSync(join(folder, 'plans'));
  for (const name of ['plan.json', 'two words.json']) write(name, '{}');
  const profiles = {
    shop: { base_url: 'https://shop.example' },
    second: { base_url: 'https://second.example' },
  };
  write('config.json', JSON.stringify({ profiles }));
  write('stylists.json', '{"https://shop.example":[{"id":"sty_1","name":"Ana Costa"}]}');
  cpSync(new URL(`../../../completions/${scripts[shell]}`, import.meta.url), join(folder, scripts[shell]));
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
    SALON_CONFIG_DIR: folder,
    SALON_DATA_DIR: folder,
    INPUTRC: '/dev/null',
    TERM: 'dumb',
    LANG: 'C.UTF-8',
  };
  return new Promise((resolve, reject) => {
    const child = execFile(shell, args, { cwd: folder, env, timeout: 150_000 }, (error, stdout, stderr) => {
      // An interactive shell echoes its line there.
      if (error === null && (stderr === '' || args.includes('-i'))) resolve(stdout);
      else reject(explain(shell, error, stderr));
    });
    // A shell that is missing or has exited is reported in the callback above.
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
