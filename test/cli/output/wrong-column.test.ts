import { expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { openTestService } from '../../support/service.ts';

it('a wrong column of a change is a warning, because the change is done', async () => {
  await using service = await openTestService({ clients: 0 });
  using machine = createMachine({
    env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner },
  });
  const create = ['clients', 'create', '--set', 'first_name=Ana', '-c', 'nmae'];
  const ran = await machine.salon(create);
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('No column "nmae".') });
  expect(ran.stdout).toContain('Ana');
  expect(await machine.salon(['clients', 'list', '-c', 'nmae'])).toMatchObject({ exitCode: 2 });
});
