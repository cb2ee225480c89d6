import { writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/bulk/sheet/sheet-text.ts';
import { type Client, type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { bySpeed } from '../../support/speed.ts';

const numRuns = bySpeed({ full: 3, long: 150 });
const count = 10;
const long = { timeout: 3_000_000 };

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: count });
});
afterAll(() => world[Symbol.asyncDispose]());

const pieces = ['a', 'é', '\u05d0', '\u{1f600}', '\u202e', ' ', '\u00a0', '\t', '\n', '\r', '\r\n', '"', "'"];
const signs = [',', ';', '=', '+', '-', '@', '\uff1d', '\\', '\\N', '[', '{', '0', '1', '\u2028', 'sep=;'];
const unit = fc.constantFrom(...pieces, ...signs);
const text = fc.string({ unit, maxLength: 12 });
const note = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constant('x="\r\n'.repeat(800)) },
);
const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2020-01-01'), noInvalidDate: true });

const fields = fc.record({
  first_name: text.map((end) => `N${end}`),
  last_name: fc.option(text),
  phone: fc.constantFrom(null, '+44 20 7946 0018', '(030) 12345-67', '07700900123', '+447700900123'),
  birthday: fc.option(day.map((date) => date.toISOString().slice(0, 10))),
  notes: fc.option(note),
  tags: fc.array(fc.string({ unit, minLength: 1, maxLength: 8 }), { maxLength: 4 }),
  email_marketing_consent: fc.boolean(),
  external_id: fc.option(fc.oneof(text, fc.constantFrom('00123', '1.50', '12345678901234567890'))),
});

const ofAll = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: count, maxLength: count });

async function writeAll(all: readonly object[]): Promise<readonly Client[]> {
  const ids = (await world.clients()).map(({ id }) => id);
  await Promise.all(ids.map((id, index) => world.client.clients.update(id, { ...all[index] })));
  return world.clients();
}

/** Opens a CSV and saves it again, as a spreadsheet program in half of Europe would. */
function saveAgain(name: string): void {
  const rows: string[][] = parse(world.readText(name), { bom: true });
  const toCell = (cell: string) => (/[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const saved = `${rows.map((cells) => cells.map(toCell).join(';')).join('\r\n')}\r\n`;
  const bytes = encodeText(saved, 'windows-1252');
  const isWhole = new TextDecoder('windows-1252').decode(bytes) === saved;
  writeFileSync(world.pathOf(name), isWhole ? bytes : `\ufeff${saved}`);
}

describe('an unedited export', () => {
  it.each([
    ['unchanged', 'all.csv', [], undefined],
    ['for Excel', 'all.csv', ['--excel'], undefined],
    ['as a workbook', 'all.xlsx', [], undefined],
    ['saved by another program', 'all.csv', [], '--no-guarded'],
    ['for Excel, and saved by another program', 'all.csv', ['--excel'], '--guarded'],
  ])('%s, changes nothing on import', long, async (_title, file, flags, guard) => {
    await fc.assert(
      fc.asyncProperty(ofAll(fields), async (all) => {
        await writeAll(all);
        const listed = await world.salon(['clients', 'list', ...flags, '-o', file]);
        expect(listed.exitCode, listed.stderr).toBe(0);
        if (guard !== undefined) saveAgain(file);
        const argv = ['clients', 'update', '--file', file, '--dry-run', '--json'];
        const ran = await world.salon(guard === undefined ? argv : [...argv, guard]);
        expect(ran.stdout, ran.stderr).toBe('[]\n');
        expect(ran.stderr).toContain(`${count} unchanged`);
      }),
      { numRuns },
    );
  });
});

/** A cell as typed: blank, a new value, or a clear. */
const typed = fc.record({
  first_name: fc.constantFrom('', 'Ana', '=Ana'),
  last_name: fc.oneof(fc.constantFrom('', '\\N'), text),
  phone: fc.constantFrom('', '\\N', '+44 20 7946 0018'),
  birthday: fc.constantFrom('', '\\N', '1980-02-29'),
  notes: fc.oneof(fc.constantFrom('', '\\N'), note),
  tags: fc.constantFrom('', '\\N', 'vip', 'a\\;b;c\\\\'),
  email_marketing_consent: fc.constantFrom('', 'yes', 'FALSE'),
});

const theirs = ofAll(fc.boolean());

describe('any edit of any fields', () => {
  it('changes nothing the second time, and its undo restores the first state', long, async () => {
    await fc.assert(
      fc.asyncProperty(ofAll(fields), ofAll(typed), async (all, cells) => {
        const before = await writeAll(all);
        world.writeSheet('sheet.csv', withIds(before, cells));
        const argv = ['clients', 'update', '--file', 'sheet.csv', '--yes', '--json'];
        const ran = await world.salon(argv);
        expect(ran.exitCode, ran.stderr).toBe(0);
        const again = await world.salon(argv);
        expect(again.exitCode, again.stderr).toBe(0);
        expect(JSON.parse(again.stdout)).toMatchObject({ job: null, so_already: before.length });
        const { job } = JSON.parse(ran.stdout);
        if (job === null) return;
        const undo = await world.salon(['jobs', 'undo', job, '--yes']);
        expect(undo.exitCode, undo.stderr).toBe(0);
        expect(withoutTimes(await world.clients())).toEqual(withoutTimes(before));
      }),
      { numRuns },
    );
  });

  it('is completed by re-running its failed rows', long, async () => {
    await fc.assert(
      fc.asyncProperty(ofAll(fields), ofAll(note), theirs, async (all, notes, isTheirs) => {
        const before = await writeAll(all);
        const cells = notes.map((text) => ({ notes: `our ${text}` }));
        world.writeSheet('sheet.csv', withIds(before, cells));
        await world.salon(['clients', 'update', '--file', 'sheet.csv', '--plan-file', 'plan.json']);
        const changed = before.filter((_client, index) => isTheirs[index]);
        await Promise.all(changed.map(({ id }) => world.client.clients.update(id, { notes: 'theirs' })));
        const ran = await world.salon(['jobs', 'apply', 'plan.json', '--yes', '--json']);
        const { done, stale, failed_rows } = JSON.parse(ran.stdout);
        expect({ done, stale }).toEqual({ done: count - changed.length, stale: changed.length });
        if (changed.length > 0) {
          const rest = await world.salon(['clients', 'update', '--file', failed_rows, '--yes']);
          expect(rest.exitCode, rest.stderr).toBe(0);
        }
        expect((await world.clients()).map(({ notes }) => ({ notes }))).toEqual(cells);
      }),
      { numRuns },
    );
  });
});

function withIds(clients: readonly Client[], cells: readonly object[]): readonly object[] {
  return clients.map(({ id }, index) => ({ id, ...cells[index] }));
}

function withoutTimes(clients: readonly Client[]): readonly object[] {
  return clients.map((client) => ({ ...client, updated_at: null }));
}
