import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { presets } from '../../src/client/dialect/presets.ts';
import { connect } from '../other-servers/machine.ts';
import { readHar } from '../support/har.ts';
import { djangoLimitOffset } from '../support/servers/django.ts';
import { jsonApi } from '../support/servers/json-api.ts';
import { laravelResources } from '../support/servers/laravel.ts';
import { odata } from '../support/servers/odata.ts';
import { postgrest } from '../support/servers/postgrest.ts';
import { springHal } from '../support/servers/spring.ts';
import { square } from '../support/servers/square.ts';
import { stripe } from '../support/servers/stripe.ts';

const kinds = [djangoLimitOffset, jsonApi, laravelResources, odata, postgrest, springHal, square, stripe];

describe('--debug and --trace', () => {
  it.each(kinds.map((kind) => [kind.name, kind] as const))('show no person of %s', async (_name, kind) => {
    const prefix = /Django|Laravel/.test(kind.name) ? { prefix: '' } : {};
    const dialect = { ...presets[kind.dialect as keyof typeof presets], ...prefix };
    await using machine = await connect({ kind, via: { dialect } }, { count: 12 });
    const { first, last, email, phone, notes } = kind.fields;
    const [row] = machine.server.store.all();
    const people = machine.server.store
      .all()
      .flatMap((one) => [first, last, email, phone, notes].map((name) => one[name]));
    const values = people.filter((value): value is string => typeof value === 'string' && value.length > 2);
    expect(values.length).toBeGreaterThan(20);
    const id = String(row?.['id']);
    const commands = [
      ['clients', 'list'],
      ['clients', 'list', '--search', String(row?.[email])],
      ['clients', 'get', id],
      ['clients', 'get', String(row?.[email])],
      ['clients', 'get', String(row?.[last])],
      ['clients', 'update', id, '--set', `${notes}=Zebulon Quagmire`],
      ['clients', 'create', '--set', `${last}=Zebulon`, '--set', `${email}=zebulon@example.org`],
      ['clients', 'create', '--set', `${last}=Zebulon`, '--set', `${email}=not Zebulon`],
      ['clients', 'delete', id, '--yes'],
    ];
    for (const command of commands) {
      const ran = await machine.salon(...command, '--debug', '--trace', 'trace.har');
      const log = ran.stderr.match(/^[→←✗].*(?:\n {4}.*|\n(?=\n {4}))*/gm)?.join('\n') ?? '';
      expect(log).not.toBe('');
      readHar(machine.home);
      for (const text of [log, readFileSync(join(machine.home, 'trace.har'), 'utf8')]) {
        const shown = [...values, 'Zebulon', 'zebulon@'].filter((value) => text.includes(value));
        expect({ command, shown, text: shown.length === 0 ? '' : text }).toEqual({
          command,
          shown: [],
          text: '',
        });
      }
    }
  });
});
