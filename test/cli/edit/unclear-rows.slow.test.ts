import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openForgetfulServer } from '../../support/forgetful-server.ts';
import { createMachine } from '../../support/io.ts';
import {
  body,
  halfABody,
  html,
  json,
  type Received,
  type Reply,
  reset,
} from '../../support/misbehaving-server.ts';
import { bySpeed } from '../../support/speed.ts';

/** What the server says about a write, and whether it executes it. */
const responses = {
  true: undefined,
  rejected: { reply: json({ message: 'No.' }, { status: 422 }), executes: false },
  failedIn200: { reply: json({ success: false, message: 'No.' }), executes: false },
  ...Object.fromEntries(
    [
      ['error', html('Oh no', { status: 500 })],
      ['timeout', body('', { status: 408 })],
      ['cloudflare', html('Oh no', { status: 520 })],
      ['reset', reset],
      ['half', halfABody],
      ['page', html('Welcome')],
    ].flatMap(([name, reply]) =>
      [true, false].map((executes) => [`${name}-${executes}`, { reply: reply as Reply, executes }]),
    ),
  ),
} as const;
type Name = keyof typeof responses;
const names = Object.keys(responses) as Name[];

const rows = 12;
const old = Array.from({ length: rows }, (_, index) => ({ id: `cli_${index}`, notes: `old ${index}` }));

/** Applies a sheet to a server that responds to each row in this way. */
async function apply(verb: 'update' | 'delete' | 'create', chosen: readonly Name[]) {
  using machine = createMachine();
  const responseTo = ({ path, body: text }: Received) => {
    const key = verb === 'create' ? String(JSON.parse(text).first_name) : path;
    return responses[chosen[Number(/\d+$/.exec(key)?.[0])] ?? 'true'];
  };
  await using server = await openForgetfulServer({
    records: verb === 'create' ? [] : old,
    createdAs: 'created_at',
    answer: (request) => responseTo(request)?.reply,
    executes: (request) => responseTo(request)?.executes ?? true,
  });
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' };
  const salon = (line: string) => machine.salon(line.split(' '), { env });
  const sheet = old.map(({ id }, index) =>
    verb === 'create' ? `new ${index}` : verb === 'delete' ? id : `${id},new ${index}`,
  );
  const header = { create: 'first_name', delete: 'id', update: 'id,notes' }[verb];
  writeFileSync(join(machine.home, 'sheet.csv'), [header, ...sheet, ''].join('\n'));
  let ran = await salon(`clients ${verb} --file sheet.csv --yes --retries 0 --concurrency 2 --json`);
  const jobs = join(machine.home, 'data/jobs');
  const [job = ''] = readdirSync(jobs).filter((name) => !name.startsWith('.'));
  // The job may stop where too many rows in succession have no clear response.
  for (let tries = 0; tries < rows && /Resume with/.test(ran.stderr); tries += 1) {
    ran = await salon(`jobs resume ${job} --retries 0 --concurrency 2 --json`);
  }
  const { stdout } = await salon(`jobs results ${job} --json`);
  const failedPath = join(jobs, job, 'failed.csv');
  const failed = existsSync(failedPath) ? readFileSync(failedPath, 'utf8') : '';
  const results = JSON.parse(stdout) as { line: number; id: string; result: string }[];
  return { results, failed, exitCode: ran.exitCode, stderr: ran.stderr, records: server.records };
}

const choices = fc.array(fc.constantFrom(...names), { minLength: rows, maxLength: rows });

describe('a bulk edit on a server with unclear responses', () => {
  it.each(['update', 'delete', 'create'] as const)('reports the truth about every row: %s', async (verb) => {
    await fc.assert(
      fc.asyncProperty(choices, async (chosen) => {
        const { results, failed, exitCode, stderr, records } = await apply(verb, chosen);
        expect(results, stderr).toHaveLength(rows);
        const stored = [...records.values()];
        for (const { line, result } of results) {
          const index = line - 2;
          const isDone =
            verb === 'delete'
              ? !records.has(`cli_${index}`)
              : stored.some(({ notes, first_name }) => [notes, first_name].includes(`new ${index}`));
          const name = chosen[index];
          const message = `line ${line}, ${name}: ${result}`;
          if (result === `${verb}d`) expect(isDone, message).toBe(true);
          else if (result === 'failed') expect(isDone, message).toBe(false);
          else expect(result, message).toBe('doubtful');
          if (name === 'rejected' || name === 'failedIn200') expect(result, message).toBe('failed');
          if (name === 'true') expect(result, message).toBe(`${verb}d`);
          const text = verb === 'create' ? `new ${index}` : `cli_${index}`;
          const isListed = failed.split('\r\n').some((row) => row === text || row.startsWith(`${text},`));
          expect(isListed, message).toBe(result === 'failed');
        }
        expect(exitCode).toBe(results.every(({ result }) => result === `${verb}d`) ? 0 : 3);
        if (verb === 'create')
          expect(new Set(stored.map((record) => record['first_name'])).size).toBe(stored.length);
      }),
      { numRuns: bySpeed({ full: 4, long: 60 }) },
    );
  });

  it('reaches every row although more than --concurrency rows in succession are always lost', async () => {
    const lost = ['reset-false', 'half-false', 'reset-false', 'reset-false'] as const;
    const chosen = [...Array<string>(6).fill('true'), ...lost, 'true', 'true'] as Name[];
    const { results, records } = await apply('delete', chosen);
    expect(results.map(({ result }) => result)).toEqual(
      chosen.map((name) => (name === 'true' ? 'deleted' : 'doubtful')),
    );
    expect(records.size).toBe(lost.length);
  });
});
