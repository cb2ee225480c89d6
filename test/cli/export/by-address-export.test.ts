import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { byAddress } from '../../support/address-list.ts';
import { createMachine } from '../../support/io.ts';
import { clients } from '../../support/list-server.ts';
import { openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';

it('resumes an export at the next link of a server without page numbers', async () => {
  let isDown = true;
  await using server = await openMisbehavingServer((request) =>
    isDown && request.query.get('token') === '200' ? problem(500, 'internal_error') : byAddress(request),
  );
  const env = {
    SALON_DATA_DIR: 'data',
    SALON_API_KEY: 'k',
    SALON_BASE_URL: server.origin,
    SALON_DIALECT_PAGING: 'link',
  };
  using machine = createMachine({ env });
  const failed = await machine.salon('clients list -o out.ndjson --retries 0'.split(' '));
  const [, id = ''] = /salon jobs resume ([\w-]+)/.exec(failed.stderr) ?? [];
  expect(existsSync(`${machine.home}/out.ndjson`)).toBe(false);
  isDown = false;
  const before = server.received.length;
  expect(await machine.salon(['jobs', 'resume', id])).toMatchObject({ exitCode: 0 });
  const lines = readFileSync(`${machine.home}/out.ndjson`, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(clients);
  const tokens = server.received.slice(before).map(({ query }) => query.get('token'));
  expect(tokens).toEqual(['200', '250', '300', '350', '400']);
});
