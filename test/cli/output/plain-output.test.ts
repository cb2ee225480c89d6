import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: 2 });
});
afterAll(() => world[Symbol.asyncDispose]());

const terminal = { columns: 80 };
const list = ['clients', 'list', '-c', 'id,first_name'];

describe('plain output', () => {
  it('of a list on a terminal is a line for each field, without a pager', async () => {
    const ran = await world.salon([...list, '--plain'], { ...terminal, rows: 2, env: { PAGER: 'false' } });
    const blocks = (await world.clients()).map(
      ({ id, first_name }) => `id: ${id}\nfirst_name: ${first_name ?? '(nothing)'}\n`,
    );
    expect(ran).toMatchObject({ exitCode: 0, stdout: blocks.join('\n') });
  });

  it('has no colour, also where colour is forced', async () => {
    const env = { FORCE_COLOR: '1', SALON_PLAIN: '1' };
    const ran = await world.salon(['appointments', 'list'], { ...terminal, env });
    const [client] = await world.clients();
    const one = await world.salon(['clients', 'get', client?.id ?? ''], { ...terminal, env });
    expect(one.stdout).toContain(`id: ${client?.id}\n`);
    expect(ran.stdout + one.stdout).not.toContain('\u001b');
  });

  it('leaves data for programs as it is', async () => {
    expect(await world.salon([...list, '--plain'])).toEqual(await world.salon(list));
  });
});
