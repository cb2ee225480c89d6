import { describe, expect, it } from 'vitest';
import { columnSet } from '../../../src/cli/output/columns.ts';
import { createPlainPrinter } from '../../../src/cli/output/record.ts';

const columns = columnSet({ id: 'text', start_time: 'instant', notes: 'text', tags: 'text' }).all;
const rows = [
  { id: 'apt_1', start_time: '2026-11-24T09:30:00Z', notes: 'colour\nno dryer', tags: ['vip', 'new'] },
  { id: 'apt_2', start_time: null, notes: 'a\u001b[31mb', tags: [] },
];

describe('records in plain lines', () => {
  it('are a field a line, with a blank line between two records, also across pages', () => {
    const printer = createPlainPrinter({ columns, timeZone: 'Europe/Berlin' });
    const [first, second] = rows.map((row) => printer.rows([row]));
    expect(`${first}${second}`).toBe(
      [
        'Times are in Europe/Berlin.',
        '',
        'id: apt_1',
        'start_time: 2026-11-24 10:30',
        'notes: colour',
        'no dryer',
        'tags: vip, new',
        '',
        'id: apt_2',
        'start_time: (nothing)',
        'notes: a␛[31mb',
        'tags: (nothing)',
        '',
      ].join('\n'),
    );
  });

  it('have no blank line in front, and no zone without a time', () => {
    const printer = createPlainPrinter({ columns: columns.slice(0, 1), timeZone: 'UTC' });
    expect(printer.rows(rows)).toBe('id: apt_1\n\nid: apt_2\n');
  });

  it('name the members of an object', () => {
    const printer = createPlainPrinter({ timeZone: 'UTC' });
    expect(printer.rows([{ account: { id: 'a', name: 'Aurora' } }])).toBe(
      'account.id: a\naccount.name: Aurora\n',
    );
  });
});
