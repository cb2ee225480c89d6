import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CountingGateway, type Fate, openCountingGateway } from '../../support/counting-gateway.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { openSharedService, type SharedService } from '../../support/service.ts';

const rows = 20;

let service: SharedService;
let gateway: CountingGateway;
let machine: Machine;
/** What happens to the nth write. */
let fateOf: (writes: number) => Fate;

beforeEach(async () => {
  service = await openSharedService({ clients: rows });
  fateOf = () => 'passed';
  gateway = await openCountingGateway(service.origin, { fateOf: (_method, writes) => fateOf(writes) });
  const env = { SALON_BASE_URL: gateway.origin, SALON_API_KEY: service.keys.owner, SALON_DATA_DIR: 'data' };
  machine = createMachine({ env });
  const { stdout } = await machine.salon(['clients', 'list', '-c', 'id', '-f', 'csv']);
  const [, ...ids] = stdout.trim().split('\n');
  writeFileSync(
    join(machine.home, 'notes.csv'),
    ['id,notes', ...ids.map((id) => `${id},new`), ''].join('\n'),
  );
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await gateway[Symbol.asyncDispose]();
});

const update = ['clients', 'update', '--file', 'notes.csv', '--yes', '--retries', '0', '--concurrency', '1'];

describe('an edit that stops in the middle', () => {
  it('reports progress, resume and undo commands on Ctrl-C', async () => {
    const interrupt = new AbortController();
    fateOf = (writes) => {
      if (writes === rows / 2) interrupt.abort('SIGINT');
      return 'passed';
    };
    const ran = await machine.salon(update, { signal: interrupt.signal });
    expect(ran.exitCode, ran.stderr).toBe(130);
    const done = gateway.writes.length;
    expect(done).toBeLessThan(rows);
    expect(ran.stderr).toContain(`${done} clients changed.\n  ${rows - done} rows are left. Resume with: `);
    const [, job = ''] = /salon jobs resume (\S+)/.exec(ran.stderr) ?? [];
    expect(ran.stderr).toContain(`Undo with: salon jobs undo ${job}\n`);
  });

  it('offers no undo on Ctrl-C before anything was done', async () => {
    const interrupt = new AbortController();
    fateOf = (writes) => {
      if (writes === 1) interrupt.abort('SIGINT');
      return writes === 0 ? 'passed' : 'lost';
    };
    const ran = await machine.salon(update, { signal: interrupt.signal });
    expect(ran.exitCode, ran.stderr).toBe(130);
    expect(ran.stderr).not.toContain('jobs undo');
  });

  it.each([[[]], [['--json']]])('reports the result once if the service is gone: %j', async (flags) => {
    fateOf = (writes) => (writes > rows / 2 ? 'lost' : 'passed');
    const ran = await machine.salon([...update, ...flags]);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr.match(/\d+ clients changed/g)).toEqual([`${rows / 2} clients changed`]);
  });
});
