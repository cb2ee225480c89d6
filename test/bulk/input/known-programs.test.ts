import { describe, expect, it } from 'vitest';
import programs from '../../../src/bulk/input/known-programs.json' with { type: 'json' };
import { findProgram } from '../../../src/bulk/input/known-programs.ts';
import { recogniseColumns } from '../../../src/bulk/input/recognise-columns.ts';
import { newClient } from '../../../src/contract/client.ts';

const fields = Object.keys(newClient.properties);
const roles = ['mobile', 'phone', 'home', 'work', 'email', 'tags', 'notes', 'organisation', 'label'];

describe('the table of other programs', () => {
  it.each(programs.map((program) => [program.name, program] as const))(
    'says where the headings of %s were found, and what each has',
    (_, { source, marks, columns }) => {
      expect(source.length).toBeGreaterThan(20);
      const headings = Object.values(columns).flat();
      expect(new Set(headings).size).toBe(headings.length);
      const known = [...fields, 'name', '-', ...roles.map((role) => `@${role}`)];
      expect(known).toEqual(expect.arrayContaining(Object.keys(columns)));
      expect(marks.length).toBeGreaterThan(0);
    },
  );

  it.each(programs.map((program) => [program.name, program] as const))(
    'knows an export of %s by its headings, and needs no flag for any of them',
    (name, { columns }) => {
      const headings = Object.values(columns).flat();
      expect(findProgram(headings)?.name).toBe(name);
      const { fields: found } = recogniseColumns.clients({ columns: headings }, new Map(), fields);
      expect(found.filter((field) => !fields.includes(field) && !field.startsWith('-'))).toEqual([]);
      const named = found.filter((field) => !field.startsWith('-'));
      expect(new Set(named).size).toBe(named.length);
    },
  );

  it.each([
    ['a list of people', 'First Name|Last Name|Phone|Email|Birthday'],
    ['a German list', 'Vorname|Nachname|Handy'],
    ['nothing', ''],
  ])('has no program for %s', (_, line) => {
    expect(findProgram(line.split('|'))).toBeUndefined();
  });

  it('has numbered columns by any number', () => {
    const program = findProgram(['First Name', 'Phone 7 - Value']);
    expect(program?.meaningOf('Phone 12 - Label')).toBe('@label');
  });
});
