import { spawnSync } from 'node:child_process';
import { globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { copyDemo } from './support/demo.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const rootUrl = pathToFileURL(root).href.replace(/\/?$/, '/');

/** A text that only the bundled code of each package contains. */
const marks = {
  undici: 'UND_ERR_BODY_TIMEOUT',
  conf: 'projectName',
  'cli-table3': 'top-mid',
  chalk: 'ansi256',
  'string-width': 'ambiguousIsNarrow',
  'libphonenumber-js': 'INVALID_COUNTRY',
};

/** A text of code that a part of the commands needs. */
const parts = {
  'the session': 'decides the salon; not used',
  'the reader of written days': 'The range ends before it begins',
  'the columns of records': 'preferred_stylist_name',
  'the code that writes records': 'Set fields with --set name=value or --data',
  prompts: '⏎ to choose',
  'bulk edits': 'is not the fingerprint of a plan',
  'pages and OAuth': '/oauth/consent/:uid',
  'the database': 'pragma data_version',
} as const;

const fastifyMark = 'FST_ERR_CTP_INVALID_TYPE';

/** A text of each package that Fastify needs only for what the service does not use. */
const leftOut = { ajv: 'use allowUnionTypes', 'fast-json-stringify': 'Unsupported large array mechanism' };

/** Modules of Node that take milliseconds to load. */
const costlyBuiltins = [
  'node:assert',
  'node:child_process',
  'node:crypto',
  'node:worker_threads',
  'node:zlib',
];

/** Runs the built program. Returns its output and the files it loads, without built-in modules. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const hook = new URL('support/print-modules.ts', import.meta.url).href;
  const { output, status } = spawnSync(process.execPath, ['--import', hook, 'bin/salon.js', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const [, stdout = '', stderr = '', modules = ''] = output.map((text) => text ?? '');
  const lines = modules.split('\n');
  const files = lines.filter((url) => url.startsWith('file:')).map((url) => url.replace(rootUrl, ''));
  const builtins = lines.filter((url) => url.startsWith('node:'));
  return { status, stdout, stderr, files, builtins, formatsTimes: lines.includes('Intl.DateTimeFormat') };
}

const texts = new Map<string, string>();

function readText(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
}

function readMarked(files: readonly string[], mark: string): string[] {
  return files.filter((file) => readText(file).includes(mark));
}

describe('the built program', () => {
  it('loads only the launcher for --version', () => {
    const { stdout, status, stderr, files } = start(['--version']);
    expect({ status, stderr, files }).toEqual({ status: 0, stderr: '', files: ['bin/salon.js'] });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+(-rc\.\d+)?\n$/);
  });

  it('loads no schemas of the API for help', () => {
    const schemaMark = 'everything, including OAuth clients';
    expect(readMarked(globSync('dist/*.cjs', { cwd: root }), schemaMark)).not.toEqual([]);
    expect(readMarked(start(['--help']).files, schemaMark)).toEqual([]);
  });

  it('loads the flags of no other command for help', () => {
    const { files } = start(['clients', 'list', '--help']);
    expect(readMarked(files, 'salon clients list --search')).not.toEqual([]);
    expect(readMarked(files, 'salon webhooks list')).toEqual([]);
  });

  describe.each([
    { line: '--help' },
    { line: 'clients list --help' },
    { line: 'webhooks verify --help' },
    { line: 'help exit-codes' },
    { line: 'completion bash' },
    { line: '__complete clients list -c ' },
    { line: '__complete cli' },
  ])('for $line', ({ line }) => {
    const { status, stdout, files, builtins, formatsTimes } = start(line.split(' '));

    it('succeeds', () => {
      expect({ status, isSilent: stdout === '' }).toEqual({ status: 0, isSilent: false });
    });

    it('loads only the launcher and the chunks of the command line', () => {
      expect(files.slice(0, 2)).toEqual(['bin/salon.js', 'dist/salon.cjs']);
      expect(files.slice(2).filter((file) => !/^dist\/[\w.-]+\.cjs$/.test(file))).toEqual([]);
    });

    it('loads no costly modules of Node, and formats no times', () => {
      expect(builtins.filter((name) => costlyBuiltins.includes(name))).toEqual([]);
      expect(formatsTimes).toBe(false);
    });

    it.each(Object.entries(marks))('does not load %s', (_name, mark) => {
      expect(readMarked(files, mark)).toEqual([]);
    });
  });

  it.each(['exit-codes', 'flags', 'man'])('loads no command for help %s', (topic) => {
    const { files } = start(['help', topic]);
    expect(readMarked(files, 'salon clients list --search')).toEqual([]);
  });

  describe('for the help of a command', () => {
    const { files } = start(['clients', '--help']);

    it.each(Object.entries(parts))('does not load %s', (_name, mark) => {
      expect(readMarked(globSync('dist/*.cjs', { cwd: root }), mark)).not.toEqual([]);
      expect(files).not.toEqual([]);
      expect(readMarked(files, mark)).toEqual([]);
    });
  });

  it.each([['clients list'], ['clients list --search 4711'], ['appointments list']])(
    'loads neither plans of phone numbers, the store of profiles, prompts nor writes for %s',
    (line) => {
      using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-startup-'));
      // Nothing listens there: the command ends after everything that a list loads.
      const env = { HOME: folder.path, SALON_API_KEY: 'sk_test', SALON_BASE_URL: 'http://127.0.0.1:9' };
      const { status, files } = start([...line.split(' '), '--retries', '0'], env);
      expect(status).toBe(5);
      expect(readMarked(files, marks.undici)).not.toEqual([]);
      expect(readMarked(files, marks['libphonenumber-js'])).toEqual([]);
      expect(readMarked(files, marks.conf)).toEqual([]);
      for (const part of ['prompts', 'bulk edits', 'the code that writes records', 'the database'] as const)
        expect(readMarked(files, parts[part])).toEqual([]);
    },
  );

  it('loads neither undici, pages, OAuth nor what draws for a command that an embedded salon answers', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-startup-'));
    const env = { HOME: folder.path };
    await copyDemo(folder.path);
    const { status, files } = start(['today', '--format', 'csv'], env);
    expect(status).toBe(0);
    expect(readMarked(files, fastifyMark)).not.toEqual([]);
    const unneeded = [
      marks.undici,
      parts['pages and OAuth'],
      parts.prompts,
      marks['string-width'],
      marks.chalk,
    ];
    for (const mark of unneeded) expect(readMarked(files, mark)).toEqual([]);
  });

  it('formats no times for a list that shows none, of an embedded salon, and loads no modules of Node for others', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-startup-'));
    const env = { HOME: folder.path };
    await copyDemo(folder.path);
    const { status, builtins, formatsTimes } = start(['clients', 'list', '--format', 'json'], env);
    expect({ status, formatsTimes }).toEqual({ status: 0, formatsTimes: false });
    expect(builtins).toContain('node:http');
    const unneeded = ['node:assert', 'node:child_process', 'node:worker_threads', 'node:dns'];
    expect(builtins.filter((name) => unneeded.includes(name))).toEqual([]);
    expect(start(['clients', 'list', '--format', 'table'], env).formatsTimes).toBe(true);
  });

  it('loads no server for a command that administers a database', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-startup-'));
    const create = ['server', 'accounts', 'create', '--name', 'Salon'];
    const { status, files } = start([...create, '--database', join(folder.path, 'salon.db')]);
    expect(status).toBe(0);
    expect(readMarked(files, fastifyMark)).toEqual([]);
  });

  it.each(Object.entries(leftOut))('is built without %s', (_name, mark) => {
    expect(readMarked(globSync('dist/*.cjs', { cwd: root }), mark)).toEqual([]);
  });

  it.each(Object.entries(marks))('has the mark of %s in some chunk', (_name, mark) => {
    expect(readMarked(globSync('dist/*.cjs', { cwd: root }), mark)).not.toEqual([]);
  });
});
