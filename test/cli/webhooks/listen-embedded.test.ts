import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { startListener } from '../../support/listener.ts';

it('an embedded salon sends changes of other commands to a listener, and none waits for a stopped one', async () => {
  using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  mkdirSync(join(machine.home, 'data'));
  const run = async (line: string, env = {}) => {
    const ran = await machine.salon(line.split(' '), { env });
    expect(ran, line).toMatchObject({ exitCode: 0 });
    return JSON.parse(ran.stdout);
  };
  const database = '--database sqlite:data/shop.db --json';
  await run(`server accounts create --name Shop --plan pro ${database}`);
  const { key } = await run(`server keys create --role owner --name till ${database}`);
  const env = { SALON_BASE_URL: 'embedded:shop', SALON_API_KEY: key };
  const listener = await startListener(machine, '--events client.*', { env });
  const { id } = await run('clients create --set first_name=Ana --json', env);
  await listener.until(({ count }) => count === 1);
  expect(listener.records()).toMatchObject([{ type: 'client.created', event: { data: { object: { id } } } }]);
  expect(await listener.stop()).toMatchObject({ exitCode: 130 });
  expect(await run('webhooks list --json', env)).toEqual([]);
});

it('an embedded salon explains that it delivers only while a command runs', async () => {
  using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  mkdirSync(join(machine.home, 'data'));
  const database = '--database sqlite:data/shop.db --json';
  await machine.salon(`server accounts create --name Shop --plan pro ${database}`.split(' '));
  const { stdout } = await machine.salon(
    `server keys create --role owner --name till ${database}`.split(' '),
  );
  const env = { SALON_BASE_URL: 'embedded:shop', SALON_API_KEY: JSON.parse(stdout).key };
  const ran = await machine.salon('webhooks create http://127.0.0.1:9/ --secret-file secret'.split(' '), {
    env,
  });
  expect(ran).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('This embedded salon delivers only while a command runs'),
  });
});
