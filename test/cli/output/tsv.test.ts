import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTsvWriter } from '../../../src/cli/output/list-writer.ts';
import { anyValue } from './rows.ts';

const writer = createTsvWriter(['start_time', 'duration', 'notes']);

describe('createTsvWriter', () => {
  it('writes a heading and unchanged values', () => {
    const row = { start_time: '2026-11-21T08:30:00Z', duration: 90, notes: 'x'.repeat(300) };
    expect(writer.begin() + writer.rows([row]) + writer.end()).toBe(
      `start_time\tduration\tnotes\n2026-11-21T08:30:00Z\t90\t${'x'.repeat(300)}\n`,
    );
  });

  it('makes tabs, line breaks and escapes visible', () => {
    expect(writer.rows([{ notes: 'a\tb\r\nc\u001B[2J' }])).toBe('\t\ta␉b␍⏎c␛[2J\n');
  });

  it('writes one line per row with a cell per column, whatever the values', () => {
    const row = fc.record({ start_time: anyValue, duration: anyValue, notes: anyValue });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const lines = writer.rows(rows).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => line.split('\t').length)).toEqual(rows.map(() => 3));
      }),
    );
  });
});
