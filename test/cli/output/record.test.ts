import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type RecordOptions, renderRecord } from '../../../src/cli/output/record.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { countBySpeed } from '../../support/speed.ts';
import { anyValue, nastyText } from './rows.ts';

function render(row: Fields, options: Partial<RecordOptions> = {}): string {
  return renderRecord(row, { width: 80, color: false, timeZone: 'Europe/Berlin', ...options });
}

describe('renderRecord', () => {
  it.each([false, true])('paints nothing but the status, with colour: %s', (color) => {
    expect(stripVTControlCharacters(render({ status: 'confirmed' }, { color }))).toBe('Status  confirmed\n');
  });

  it('aligns fields, appends the time zone and prints – for empty fields', () => {
    const row = {
      id: 'apt_1',
      start_time: '2026-11-21T08:30:00Z',
      duration: 45,
      notes: null,
      tags: [],
      vip: true,
    };
    expect(render(row)).toBe(
      [
        'ID        apt_1',
        'Start     2026-11-21 09:30 (Europe/Berlin)',
        'Duration  45 min',
        'Notes     –',
        'Tags      –',
        'Vip       yes',
        '',
      ].join('\n'),
    );
  });

  it('prints requested columns in order', () => {
    const columns = [
      { key: 'b', kind: 'text' },
      { key: 'a', kind: 'text' },
    ] as const;
    expect(render({ a: 1, b: 2, c: 3 }, { columns })).toBe('B  2\nA  1\n');
  });

  it('prints the members of an object as fields', () => {
    expect(render({ account: { id: 'acc_1', owner: { name: 'Zoë' } }, empty: {} })).toBe(
      'account.id          acc_1\naccount.owner.name  Zoë\nEmpty               {}\n',
    );
  });

  it('keeps line breaks and wraps long lines', () => {
    expect(render({ notes: 'First line\nprefers mornings and weekends' }, { width: 25 })).toBe(
      'Notes  First line\n       prefers mornings\n       and weekends\n',
    );
  });

  it('appends no time zone to other text', () => {
    expect(render({ created_at: 'long ago' })).toBe('Created  long ago\n');
  });

  it('handles nesting deeper than the stack', () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(render({ deep })).toBe('Deep  (nested too deeply to show)\n');
  });

  it('leaves a link whole, so that it can be copied', () => {
    const link = `http://localhost:8080/invitation/${'x'.repeat(43)}`;
    expect(render({ link }, { width: 40 })).toBe(`Link  ${link}\n`);
  });

  it('wraps a long word in reasonable time', () => {
    const start = process.cpuUsage();
    render({ notes: '漢'.repeat(100_000) });
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });

  it('never prints a line wider than the terminal', () => {
    const row = fc.dictionary(nastyText, anyValue, { maxKeys: 6 });
    fc.assert(
      fc.property(row, fc.integer({ min: 12, max: 120 }), (record, width) => {
        const lines = render(record, { width }).split('\n');
        expect(lines.filter((line) => stringWidth(line) > width || /\p{Cc}/u.test(line))).toEqual([]);
      }),
      { numRuns: countBySpeed(500) },
    );
  });
});
