import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';

let salon: ExportSalon;

beforeEach(async () => {
  salon = await openExportSalon({ perPage: 20 });
  salon.server.rows = Array.from({ length: 50 }, (_, index) => ({
    id: `cli_${100 + index}`,
    first_name: 'Ana',
    ...(index === 7 ? { points: 3 } : {}),
    ...(index === 30 ? { late: true } : {}),
    vip: null,
  }));
});
afterEach(() => salon[Symbol.asyncDispose]());

const notice = 'Fields not shown: vip, points. Add them with --columns +all or by name.\n';

describe('fields beyond the contract', () => {
  it.each(['-f csv', ''])('are named once and left out: clients list %s', async (flags) => {
    const { stdout, stderr } = await salon.salon(`clients list ${flags}`.trim());
    expect(stderr.replace(notice, '')).not.toContain('other fields');
    expect(stderr).toContain(notice);
    expect(stdout.split('\n')[0]).not.toContain('vip');
  });

  it('are named for a file, which has only the fields of the contract', async () => {
    const { stderr } = await salon.salon('clients list -o clients.csv');
    expect(stderr).toContain(notice);
    expect(salon.read('clients.csv').split('\n')[0]).not.toContain('vip');
  });

  it('are written with --columns +all, from the whole first page', async () => {
    const { stdout, stderr } = await salon.salon('clients list -f csv --columns +all');
    expect(stdout.split('\n')[0]).toMatch(/^id,first_name,.*,updated_at,vip,points$/);
    expect(stdout.split('\n')[8]).toMatch(/^cli_107,.*,,3$/);
    expect(stderr).not.toContain('other fields');
  });

  it('are the same in a resumed export', async () => {
    const id = await salon.exportUpTo(1, 'clients list -o clients.csv --columns +all');
    await salon.salon(`jobs resume ${id}`);
    const lines = salon.read('clients.csv').trim().split('\n');
    expect({ rows: lines.length - 1, isWhole: lines[0]?.endsWith(',vip,points') }).toEqual({
      rows: 50,
      isWhole: true,
    });
  });

  it.each(['--json', '-f csv -c id', '-f csv -q'])('are not named with %s', async (flags) => {
    const { stderr } = await salon.salon(`clients list ${flags}`);
    expect(stderr).not.toContain('other fields');
  });
});

describe('records with no field of the contract but an ID', () => {
  beforeEach(() => {
    salon.server.rows = [{ id: '5', given: 'Ana', family: 'Costa' }];
  });

  it.each(['-f csv', '-o clients.csv'])(
    'are written with their own fields: clients list %s',
    async (flags) => {
      const { stdout, stderr } = await salon.salon(`clients list ${flags}`);
      const text = flags.startsWith('-o') ? salon.read('clients.csv') : stdout;
      expect(text.replaceAll('\r', '')).toBe('id,given,family\n5,Ana,Costa\n');
      expect(stderr).not.toContain('not shown');
    },
  );
});
