import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeAction } from '../../packaging/action/write-action.ts';
import { nameExecutable } from '../../packaging/release-files.ts';
import { openReleaseServer } from '../support/release-server.ts';
import { launcher } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly id?: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface ActionRun {
  readonly exitCode: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A stand-in for the executable, which starts the built program. */
const executable = `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`;
const name = nameExecutable('1.0.0', 'linux', 'x64');

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ clients: 230 });
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the action', () => {
  it('exports a list, and reports its rows and how complete it is', async () => {
    await using server = await openReleaseServer({ [name]: executable });
    using runner = createRunner(server.url);
    const ran = await runner.run({ command: 'clients list --sort last_name', output: 'clients.csv' });
    expect(ran, ran.log).toMatchObject({
      exitCode: 0,
      outputs: { rows: '230', consistency: 'exact', report: 'clients.csv.manifest.json' },
    });
    expect(runner.read('clients.csv').trimEnd().split('\n')).toHaveLength(231);
    expect(JSON.parse(runner.read('clients.csv.manifest.json'))).toMatchObject({
      rows: 230,
      list: 'clients',
    });
    expect(ran.log).not.toContain(service.keys.owner);
  });

  it('takes a format, and words in quotes, and expands nothing', async () => {
    await using server = await openReleaseServer({ [name]: executable });
    using runner = createRunner(server.url);
    const command = `clients list --search "no one $(touch expanded)" --columns 'id,email'`;
    const ran = await runner.run({ command, output: 'none.txt', format: 'ndjson' });
    expect(ran, ran.log).toMatchObject({ exitCode: 0, outputs: { rows: '0' } });
    expect(runner.files()).toEqual(['none.txt', 'none.txt.manifest.json', 'none.txt.sha256']);
  });

  it('fails as salon does', async () => {
    await using server = await openReleaseServer({ [name]: executable });
    using runner = createRunner(server.url);
    const refused = await runner.run({ command: 'clients list', output: 'c.csv', key: 'slk_wrong' });
    expect(refused).toMatchObject({ exitCode: 4, outputs: {} });
    const unfinished = await runner.run({ command: `clients list --search 'ana`, output: 'c.csv' });
    expect(unfinished).toMatchObject({ exitCode: 1, log: expect.stringContaining('::error::A quote of') });
    expect(runner.files()).toEqual([]);
  });

  it.each<[problem: string, files: Record<string, string>, sentence: string]>([
    [
      'a wrong checksum',
      { [name]: executable, SHA256SUMS: `${'0'.repeat(64)}  ${name}\n` },
      'has another SHA-256',
    ],
    ['a release for others', { 'salon-1.0.0-sun-x64': '' }, 'names no executable for linux-x64.'],
    ['a file that is missing', { SHA256SUMS: `${'0'.repeat(64)}  ${name}\n` }, 'cannot be downloaded.'],
  ])('runs nothing after %s', async (_problem, files, sentence) => {
    await using server = await openReleaseServer(files);
    using runner = createRunner(server.url);
    const ran = await runner.run({ command: 'clients list', output: 'clients.csv' });
    expect(ran).toMatchObject({ exitCode: 1, log: expect.stringMatching(`::error::.*${sentence}`) });
    expect(runner.files()).toEqual([]);
  });
});

interface Runner extends Disposable {
  run(inputs: Readonly<Record<string, string>>): Promise<ActionRun>;
  read(path: string): string;
  /** What is in the workspace. */
  files(): string[];
}

/** Runs the steps of the action as GitHub's runner does: expressions first, then bash, with files for what is set. */
function createRunner(releaseUrl: string): Runner {
  const folder = mkdtempSync(join(tmpdir(), 'salon-runner-'));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  writeAction(folder, releaseUrl);
  const action: Action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'));
  return {
    async run(given) {
      const inputs = fillInputs(action, { 'base-url': service.origin, key: service.keys.owner, ...given });
      const outputsOf: Record<string, string> = {};
      const evaluate = (text: string) =>
        text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, path: string) => ({ ...inputs, ...outputsOf })[path] ?? '');
      const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_PATH: join(folder, 'path') };
      for (const file of Object.values(files)) writeFileSync(file, '');
      const log: string[] = [];
      for (const step of action.runs.steps) {
        expect(step.shell).toBe('bash');
        expect(step.run).not.toContain('${{');
        const script = join(folder, 'step.sh');
        writeFileSync(script, step.run);
        const added = readFileSync(files.GITHUB_PATH, 'utf8')
          .split('\n')
          .filter((line) => line !== '');
        const env = {
          ...files,
          ...Object.fromEntries(Object.entries(step.env).map(([key, value]) => [key, evaluate(value)])),
          PATH: [...added.toReversed(), process.env['PATH']].join(':'),
          HOME: folder,
          RUNNER_TEMP: join(folder, 'temp'),
          RUNNER_OS: 'Linux',
          RUNNER_ARCH: 'X64',
        };
        const ran = await runBash(script, workspace, env);
        log.push(ran.log);
        if (ran.exitCode !== 0) return { exitCode: ran.exitCode, log: log.join(''), outputs: {} };
        for (const line of readFileSync(files.GITHUB_OUTPUT, 'utf8').trimEnd().split('\n')) {
          const [key = '', value = ''] = line.split(/=(.*)/);
          outputsOf[`steps.${step.id}.outputs.${key}`] = value;
        }
      }
      const outputs = Object.entries(action.outputs).map(([key, { value }]) => [key, evaluate(value)]);
      return { exitCode: 0, log: log.join(''), outputs: Object.fromEntries(outputs) };
    },
    read: (path) => readFileSync(join(workspace, path), 'utf8'),
    files: () => readdirSync(workspace).sort(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function fillInputs({ inputs }: Action, given: Readonly<Record<string, string>>): Record<string, string> {
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  return Object.fromEntries(
    Object.entries(inputs).map(([key, { default: usual, required }]) => {
      const value = given[key] ?? usual;
      if (value === undefined)
        throw new Error(`The input ${key} is ${required ? 'required' : 'without a default'}.`);
      return [`inputs.${key}`, value];
    }),
  );
}

function runBash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ exitCode: number; log: string }> {
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      { cwd, env },
      (error, stdout, stderr) => resolve({ exitCode: Number(error?.code ?? 0), log: stdout + stderr }),
    );
  });
}
