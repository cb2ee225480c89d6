import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/messages/exit-codes.ts';
import { createMachine } from '../support/io.ts';
import { djangoPageNumber } from '../support/servers/django.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { readGuideExamples } from './guide-examples.ts';
import { openGuideSalon } from './guide-salon.ts';

const root = join(import.meta.dirname, '../..');
const guides = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];

/** Examples that wait for events, serve, or need a terminal or another kind of server: other tests run those commands, here they are parsed only. */
const notRun = [
  /^npm /,
  /^salon auth login .*crm\.example/,
  /^salon auth login .*--(?:device|scope|key-file)\b/,
  /^pass /,
  /^salon demo$/,
  // Whether they work depends on the day: on who is free, and who owes.
  /^salon (?:book|move|no-show)\b/,
  /^salon payments record .*--appointment "/,
  /^salon call-list --job\b/,
  /^salon webhooks listen\b/,
  /^salon changes .*--follow\b/,
  /^salon webhooks replay\b/,
  /^salon webhooks trigger .*--to\b/,
  /^salon server start\b/,
  // A person exists only once they opened the link.
  /^salon server users (?:reset|deactivate|erase)\b/,
  /^salon audit --by\b/,
  /node call-back\.mjs/,
];

/** A Wednesday: on Saturday afternoon, nobody is free on "sat morning". */
const now = new Date('2026-11-25T10:00:00Z');

let service: TestService;
beforeAll(async () => {
  // With far fewer appointments, some services were not booked lately on some days.
  service = await openTestService({ clients: 60, appointments: 2000, now: () => now });
});
afterAll(() => service[Symbol.asyncDispose]());

describe.each(guides)('%s', (guide) => {
  const examples = readGuideExamples(readFileSync(join(root, guide), 'utf8'));

  it('runs as written', async () => {
    using machine = createMachine({ now, env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    // The examples of docs/other-servers.md run on a server of another kind.
    await using other = await djangoPageNumber.open({ count: 12 });
    const addresses = { 'https://clients.example/api': other.baseUrl };
    writeFileSync(join(machine.home, 'crm.json'), '{"extends":"django","filter_names":{"q":null}}');
    const salon = await openGuideSalon(machine, service, { now, addresses });
    // Most guides begin with the database of a salon that runs already.
    if (!examples.some(({ command }) => command.startsWith('salon server accounts create'))) {
      await salon.run('salon server accounts create --name Guide --database sqlite:salon.db');
    }
    const failures: string[] = [];
    for (const { line, command } of examples) {
      if (notRun.some((pattern) => pattern.test(command))) continue;
      const failure = await salon.run(command);
      if (failure !== undefined) failures.push(`${guide}:${line} ${command}\n${failure}`);
    }
    expect(failures).toEqual([]);
  });
});

describe('docs/exit-codes.md', () => {
  it('lists the exit codes of the program', () => {
    const text = readFileSync(join(root, 'docs/exit-codes.md'), 'utf8');
    for (const { code, meaning } of Object.values(exitCodes)) {
      expect(text).toMatch(new RegExp(`^\\| ${code} +\\| ${RegExp.escape(meaning)} *\\|$`, 'm'));
    }
  });
});

describe('the README', () => {
  it('has at most 150 lines', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
      150,
    );
  });

  it('links only to files that exist', () => {
    for (const guide of guides) {
      const text = readFileSync(join(root, guide), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
        expect(
          () => readFileSync(join(root, guide, '..', target)),
          `${guide} links to ${target}`,
        ).not.toThrow();
      }
    }
  });
});
