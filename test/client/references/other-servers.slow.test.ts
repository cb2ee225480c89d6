import { describe, expect, it } from 'vitest';
import { readPreset } from '../../../src/client/dialect/presets.ts';
import { readPerson } from '../../../src/client/references/person.ts';
import { createPersonFinder } from '../../../src/client/references/person-finder.ts';
import { collect } from '../../support/collect.ts';
import { openClient } from '../../support/open-client.ts';
import { kinds } from '../../support/servers/kinds.ts';

describe.each(kinds)('a person at a server of another kind: $name', (kind) => {
  it.each([false, true])(
    'is found by ID, name, email and phone number (to change something: %s)',
    async (isWrite) => {
      await using server = await kind.open({ count: 40 });
      const dialect = { ...readPreset(kind.dialect), ...kind.addresses };
      await using client = openClient(server.baseUrl, { dialect });
      const pages = await collect(client.clients.list());
      const people = pages.flatMap(({ rows }) => rows.flatMap((row) => readPerson(row) ?? []));
      expect(people).toHaveLength(40);
      const finder = createPersonFinder(client);
      const find = async (reference: string) =>
        (await finder.findClients(reference, { isWrite }))
          .filter(({ isExact }) => isExact)
          .map(({ id }) => id);
      for (const person of people.filter((_person, index) => index % 13 === 1)) {
        const { id, name, email, phone } = person;
        expect(await find(id)).toEqual([id]);
        expect(await find(name.normalize('NFD').toUpperCase())).toContain(id);
        if (email !== '') expect(await find(email.toUpperCase())).toEqual([id]);
        if (phone !== '') expect(await find(phone.replace('+49', '0'))).toEqual([id]);
      }
      expect(await find('Nobody At All')).toEqual([]);
    },
  );
});
