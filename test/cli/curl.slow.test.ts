import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderCurl } from '../../src/cli/messages/curl-command.ts';
import { type EditWorld, openEditWorld } from '../support/edit-world.ts';

let world: EditWorld;
beforeAll(async () => {
  world = await openEditWorld({ clients: 5 });
});
afterAll(() => world[Symbol.asyncDispose]());

describe('--curl', () => {
  const shell = `curl() { for word; do printf '%s\\0' "$word"; done; }\n`;
  function runInShell(command: string): readonly string[] {
    const ran = spawnSync('/bin/sh', ['-c', shell + command], { env: { SALON_API_KEY: 'the key' } });
    expect(ran.stderr.toString()).toBe('');
    return ran.stdout.toString().split('\0').slice(0, -1);
  }

  it('shows the requests without the key, and does not send a change', async () => {
    const [first] = await world.clients();
    const ran = await world.salon([
      'clients',
      'update',
      String(first?.id),
      '--set',
      `notes=It's "here"`,
      '--curl',
    ]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).not.toContain(world.service.keys.owner.slice(0, 12));
    expect(ran.stderr).toMatch(/\nNothing was changed: --curl only shows changes\.\n$/);
    const [get = '', put = ''] = ran.stderr.split(/^(?=curl )|\n(?=Nothing)/m);
    expect(runInShell(get)).toEqual(
      expect.arrayContaining(['GET', `${world.service.origin}/api/v1/clients/${first?.id}`]),
    );
    const words = runInShell(put);
    expect(words).toEqual(expect.arrayContaining(['PUT', 'Authorization: Bearer the key']));
    expect(JSON.parse(words.at(-1) ?? '')).toMatchObject({
      notes: `It's "here"`,
      last_name: first?.['last_name'],
    });
    expect(await world.client.clients.get(String(first?.id))).toMatchObject({ notes: first?.['notes'] });
  });

  it('asks for no confirmation, because nothing is changed', async () => {
    const [first] = await world.clients();
    const ran = await world.salon(['clients', 'delete', String(first?.id), '--curl']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('--request DELETE');
    expect(await world.client.clients.get(String(first?.id))).toMatchObject({ id: first?.id });
  });

  it('still prints what a command reads', async () => {
    const ran = await world.salon(['clients', 'list', '--limit', '1', '-f', 'ndjson', '--curl']);
    expect(JSON.parse(ran.stdout)).toHaveProperty('first_name');
    expect(ran.stderr).toContain('curl --request GET');
  });

  it('is refused for bulk edits', async () => {
    world.write('edit.csv', 'id,notes\ncli_1,x\n');
    const ran = await world.salon(['clients', 'update', '--file', 'edit.csv', '--yes', '--curl']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('quotes any body and header for a shell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ -~]*$/), (text, value) => {
        const given = JSON.stringify({ text });
        const command = renderCurl({
          ...{ type: 'request', number: 1, method: 'POST', url: 'http://s.test/a?b=[1]&c=%27', bodyBytes: 0 },
          headers: () => ({ 'x-any': value }),
          body: () => given,
        });
        const words = runInShell(command);
        expect(words.slice(0, 5)).toEqual([
          '--request',
          'POST',
          '--compressed',
          '--globoff',
          'http://s.test/a?b=[1]&c=%27',
        ]);
        expect(words.slice(5, 8)).toEqual(['--header', `x-any: ${value}`, '--data-raw']);
        expect(JSON.parse(words[8] ?? '')).toEqual({ text });
      }),
      { numRuns: 40 },
    );
  });
});
