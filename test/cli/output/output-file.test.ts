import { execFile } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutputFile } from '../../../src/cli/output/output-file.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../src/cli/output/output-file.ts');

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salon-output-'));
  file = join(folder, 'clients.csv');
});

afterEach(() => rm(folder, { recursive: true }));

async function writeAll(path: string, ...texts: string[]): Promise<void> {
  await using output = await openOutputFile(path);
  for (const text of texts) await output.write(text);
  await output.commit();
}

/** Runs a shell in the folder, where `save <path> <text>` writes a file with the code under test. */
async function shell(command: string): Promise<{ stdout: string; stderr: string }> {
  const code = `
    const { openOutputFile } = await import(${JSON.stringify(script)});
    try {
      await using output = await openOutputFile(process.argv[1]);
      await output.write(process.argv[2].repeat(Number(process.argv[3] ?? 1)));
      await output.commit();
    } catch (error) {
      console.error(error.code, error.message);
    }`;
  const save = `save() { "$NODE" --input-type=module -e "$CODE" -- "$@"; }`;
  const env = { ...process.env, NODE: process.execPath, CODE: code };
  return run('bash', ['-c', `${save}\n${command}`], { cwd: folder, env });
}

describe('a committed file', () => {
  it('has everything that was written, in order, and leaves no other file', async () => {
    await writeAll(file, 'a\n', 'ü\n', 'c\n');
    expect(await readFile(file, 'utf8')).toBe('a\nü\nc\n');
    expect(await readdir(folder)).toEqual(['clients.csv']);
  });

  it('appears only when committed', async () => {
    await writeFile(file, 'before');
    await using output = await openOutputFile(file);
    await output.write('after');
    expect(await readFile(file, 'utf8')).toBe('before');
    await output.commit();
    expect(await readFile(file, 'utf8')).toBe('after');
  });

  it('has the mode of the file it replaces', async () => {
    await writeFile(file, '');
    await chmod(file, 0o640);
    await writeAll(file, 'x');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('has the mode of the umask if it is new', async () => {
    await shell('umask 027; save new.csv x');
    expect((await stat(join(folder, 'new.csv'))).mode & 0o777).toBe(0o640);
  });

  it('does not change other hard links', async () => {
    await writeFile(file, 'before');
    await link(file, join(folder, 'other'));
    await writeAll(file, 'after');
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('before');
  });
});

describe('a file that is not committed', () => {
  it('leaves the old file and nothing else', async () => {
    await writeFile(file, 'before');
    {
      await using output = await openOutputFile(file);
      await output.write('after');
    }
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await readdir(folder)).toEqual(['clients.csv']);
  });
});

describe('a symbolic link', () => {
  it('stays; its target is replaced', async () => {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'real.csv'), 'before');
    await symlink('data/real.csv', file);
    await writeAll(file, 'after');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'data', 'real.csv'), 'utf8')).toBe('after');
    expect(await readdir(join(folder, 'data'))).toEqual(['real.csv']);
  });

  it('may lead to a file that does not exist yet', async () => {
    await symlink('real.csv', file);
    await writeAll(file, 'new');
    expect(await readFile(join(folder, 'real.csv'), 'utf8')).toBe('new');
  });

  it('is refused if it leads in a circle', async () => {
    await symlink('clients.csv', file);
    await expect(openOutputFile(file)).rejects.toMatchObject({
      code: 'output_failed',
      message: expect.stringContaining('loop'),
    });
  });
});

describe('a file that cannot be replaced is written directly:', () => {
  it('a device', async () => {
    await writeAll('/dev/null', 'x');
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('a named pipe', async () => {
    const { stdout } = await shell('mkfifo pipe; save pipe hello & cat pipe; wait');
    expect(stdout).toBe('hello');
  });

  it('/dev/stdout into a pipe', async () => {
    const { stdout } = await shell('save /dev/stdout hello | cat');
    expect(stdout).toBe('hello');
  });

  it('/dev/stdout into a file that a shell appends to', async () => {
    const { stdout } = await shell('echo before > log; save /dev/stdout after >> log; cat log');
    expect(stdout).toBe('before\nafter');
  });
});

describe('a file that cannot be written', () => {
  it.each([
    ['a folder', '.', 'it is a folder'],
    ['a file in a missing folder', 'missing/clients.csv', 'its folder does not exist'],
    ['a file below a file', 'file/clients.csv', 'not a folder'],
    ['a name that is too long', 'x'.repeat(300), 'name is too long'],
  ])('is refused with path and reason: %s', async (_, name, reason) => {
    await writeFile(join(folder, 'file'), '');
    const path = join(folder, name);
    await expect(openOutputFile(path)).rejects.toMatchObject({
      code: 'output_failed',
      message: expect.stringMatching(new RegExp(`^Cannot write ${path}: .*${reason}`)),
    });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it.skipIf(process.getuid?.() === 0)('is refused without write permission', async () => {
    await writeFile(file, 'before', { mode: 0o444 });
    await expect(openOutputFile(file)).rejects.toMatchObject({ code: 'output_failed' });
    expect(await readFile(file, 'utf8')).toBe('before');
  });

  it('reports a full disk and leaves no other file', async () => {
    const { stderr } = await shell(
      "echo before > clients.csv; trap '' XFSZ; ulimit -f 8; save clients.csv 0123456789 100000",
    );
    expect(stderr).toMatch(/^output_failed Cannot write clients.csv/);
    expect(await readdir(folder)).toEqual(['clients.csv']);
    expect(await readFile(file, 'utf8')).toBe('before\n');
  });

  it('reports a full device', async () => {
    await using output = await openOutputFile('/dev/full');
    await expect(output.write('x')).rejects.toMatchObject({
      code: 'output_failed',
      message: 'Cannot write /dev/full: the disk is full.',
    });
  });
});
