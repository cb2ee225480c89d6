import { describe, expect, it } from 'vitest';
import { type Noun, nouns } from '../../../src/cli/nouns/nouns.ts';

const rows: readonly (readonly [string, Noun])[] = Object.entries(nouns);

describe('the table of nouns', () => {
  it.each(rows)('shows only columns that %s have', (_name, { columns }) => {
    const { all, table, optional = [], names = {} } = columns;
    const known = [...all.map(({ key }) => key), ...Object.keys(names)];
    expect(table.filter((key) => !known.includes(key))).toEqual([]);
    expect(optional.filter((key) => !table.includes(key))).toEqual([]);
    expect(Object.values(names).filter((key) => !known.includes(key))).toEqual([]);
  });

  it.each(rows.filter(([, { sort }]) => sort !== undefined))(
    'sorts %s by fields that they have',
    (_name, { columns, sort = [] }) => {
      const known = columns.all.map(({ key }) => key);
      expect(sort.map((field) => field.replace(/^-/, '')).filter((field) => !known.includes(field))).toEqual(
        [],
      );
    },
  );
});
