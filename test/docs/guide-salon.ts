import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Machine } from '../support/io.ts';
import { keepWebhook } from '../support/kept-webhook.ts';
import { program } from '../support/salon-process.ts';
import type { TestService } from '../support/service.ts';
import { splitWords } from '../support/transcript.ts';
import { needsShell } from './guide-examples.ts';

/** Examples whose result is not success: `salon` cannot ask in a test, or the example shows a refusal. */
const otherCodes: readonly (readonly [command: RegExp, exitCode: number])[] = [
  // Nothing receives at the address of the example.
  [/^salon webhooks test /, 1],
];

export interface GuideSalon {
  /** Runs a command; returns what went wrong, if anything. */
  run(command: string): Promise<string | undefined>;
}

/**
 * A machine signed in to the test service, where the placeholders of the guides have values. `addresses`: the servers
 * behind other addresses in the guides. `now`: when the examples run.
 */
export async function openGuideSalon(
  machine: Machine,
  { origin, keys, stylistIds }: TestService,
  { now, addresses }: { readonly now: Date; readonly addresses: Readonly<Record<string, string>> },
): Promise<GuideSalon> {
  const env: Record<string, string> = {};
  const stdin = keys.owner;
  const salon = (argv: readonly string[]) => machine.salon(argv, { env, stdin });
  const succeed = async (argv: readonly string[]) => {
    const ran = await salon(argv);
    expect(ran, argv.join(' ')).toMatchObject({ exitCode: 0 });
    return ran.stdout;
  };
  await succeed(['auth', 'login', '--base-url', origin]);
  await succeed(['auth', 'login', '-p', 'shop', '--base-url', origin]);
  await succeed(['profiles', 'use', 'default']);
  await succeed(['settings', 'set', 'currency', 'EUR']);
  // Each guide has this machine; the first one adds the service.
  await salon(['services', 'create', 'Balayage', '--duration', '3h', '--price', '175']);
  keepWebhook(machine.home, now);
  writeFileSync(join(machine.home, 'headers.txt'), readFileSync(join(machine.home, 'headers')));
  writeFileSync(join(machine.home, 'body.json'), readFileSync(join(machine.home, 'body')));
  writeFileSync(join(machine.home, 'kunden.csv'), 'Kunde;Geb.;Handy\n"Weber, Eva";31.12.80;0171/2345678\n');
  writeFileSync(join(machine.home, 'family.csv'), 'first_name,last_name,phone\nLia,Guide,+4930123450\n');
  writeFileSync(join(machine.home, 'new.csv'), 'first_name,last_name\nNova,Guide\n');
  const created = { webhook: '', count: 0 };

  async function readPlaceholder(kind: string): Promise<string> {
    switch (kind) {
      case 'cli':
        return createClient();
      case 'sty':
        return stylistIds[0] ?? '';
      case 'apt':
        return createAppointment();
      case 'wtl': {
        const wish = ['--service', 'Balayage', 'fri', '--json'];
        return idOf(await succeed(['waitlist', 'add', '--client', await createClient(), ...wish]));
      }
      case 'pay': {
        const client = await createClient();
        const flags = ['--amount', '45.00', '--currency', 'EUR', '--method', 'card'];
        return idOf(await succeed(['payments', 'record', '--client', client, ...flags, '--json']));
      }
      case 'whk':
        created.webhook ||= await createWebhook();
        return created.webhook;
      case 'dlv': {
        created.webhook ||= await createWebhook();
        await createClient();
        const list = await succeed(['webhooks', 'deliveries', created.webhook, '--json']);
        return JSON.parse(list)[0].id;
      }
      case 'key': {
        const flags = ['--role', 'owner', '--name', 'guide', '--database', 'sqlite:salon.db', '--json'];
        return idOf(await succeed(['server', 'keys', 'create', ...flags]));
      }
      default:
        throw new Error(`The guides use a placeholder that this test does not know: ${kind}_…`);
    }
  }

  async function createClient(): Promise<string> {
    created.count += 1;
    return idOf(await succeed(['clients', 'create', '--set', `first_name=Guide ${created.count}`, '--json']));
  }

  async function createAppointment(): Promise<string> {
    const client = await createClient();
    const start = new Date(Date.UTC(2031, 0, 1 + created.count, 9)).toISOString();
    const flags = [
      '--client',
      client,
      '--stylist',
      stylistIds[0] ?? '',
      '--service',
      'Cut',
      '--duration',
      '30',
    ];
    return idOf(await succeed(['appointments', 'create', ...flags, '--start', start, '--json']));
  }

  async function createWebhook(): Promise<string> {
    const flags = ['--events', 'client.created', '--json'];
    return idOf(await succeed(['webhooks', 'create', `${origin}/hook`, ...flags]));
  }

  async function fill(command: string): Promise<string> {
    let filled = command
      .replaceAll(/https:\/\/api\.(?:your|second)-salon\.example/g, origin)
      .replaceAll('https://example.com/hook', `${origin}/hook`)
      .replaceAll('/run/secrets/salon', join(machine.home, 'key'))
      .replaceAll('Salon Aurora', 'Test salon');
    for (const [address, real] of Object.entries(addresses)) filled = filled.replaceAll(address, real);
    for (const [, kind = ''] of command.matchAll(/\b([a-z]{3})_…/g)) {
      filled = filled.replace(`${kind}_…`, await readPlaceholder(kind));
    }
    if (filled.includes('<job>')) filled = filled.replaceAll('<job>', await readNewestJob());
    return filled;
  }

  async function readNewestJob(): Promise<string> {
    const jobs = JSON.parse(await succeed(['jobs', 'list', '--json'])) as { id: string; kind?: string }[];
    return jobs.find(({ kind }) => kind !== 'export')?.id ?? jobs[0]?.id ?? '';
  }

  async function run(command: string): Promise<string | undefined> {
    const exported = /^export /.test(command) ? command.slice(7) : undefined;
    writeFileSync(join(machine.home, 'key'), keys.owner, { mode: 0o600 });
    if (exported !== undefined) {
      for (const word of splitWords(await fill(exported))) {
        const [name = '', value = ''] = word.split('=');
        env[name] = value;
      }
      return undefined;
    }
    const filled = await fill(command);
    const exitCode = otherCodes.find(([pattern]) => pattern.test(command))?.[1] ?? 0;
    const ran = needsShell(filled)
      ? await runInShell(filled)
      : await salon(withAnswers(splitWords(filled).slice(1)));
    if (/-o clients\.csv/.test(filled)) editSheet(join(machine.home, 'clients.csv'));
    return ran.exitCode === exitCode ? undefined : `exit code ${ran.exitCode}\n${ran.stdout}${ran.stderr}`;
  }

  /** Where a person would be asked, the test says yes. */
  function withAnswers(argv: readonly string[]): readonly string[] {
    const asks =
      /^(?:clients (?:create|update|delete) .*--(?:file|from|not-seen-since) |appointments update --where|clients merge|jobs (?:undo|apply|resume)|webhooks redeliver --webhook)/;
    const isPreview = /--dry-run|--plan|--simulate/.test(argv.join(' '));
    return asks.test(argv.join(' ')) && !isPreview ? [...argv, '--yes'] : argv;
  }

  async function runInShell(command: string) {
    const bin = join(machine.home, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'salon'), `#!/bin/sh\nexec '${program.join("' '")}' "$@"\n`, {
      mode: 0o755,
    });
    const path = `${bin}:${process.env['PATH']}`;
    const options = {
      cwd: machine.home,
      env: { PATH: path, HOME: machine.home, SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config', ...env },
    };
    try {
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], options);
      return { exitCode: 0, stdout, stderr };
    } catch (thrown) {
      const {
        code = 1,
        stdout = '',
        stderr = String(thrown),
      } = thrown as { code?: number; stdout?: string; stderr?: string };
      return { exitCode: code, stdout, stderr };
    }
  }

  return { run };
}

function idOf(json: string): string {
  return JSON.parse(json).id;
}

/** What a person does between the export and the edit: a note for the first two clients. */
function editSheet(path: string): void {
  const [header = '', ...lines] = readFileSync(path, 'utf8').split('\r\n');
  const note = header.split(',').indexOf('notes');
  const edited = lines.map((line, index) =>
    index < 2 ? withCell(line, note, `Edited ${Math.random()}`) : line,
  );
  writeFileSync(path, [header, ...edited].join('\r\n'));
}

function withCell(line: string, at: number, value: string): string {
  const cells = line.match(/(?:"(?:[^"]|"")*"|[^,])*(?:,|$)/g) ?? [];
  return cells.map((cell, index) => (index === at ? `${value},` : cell)).join('');
}
