import { expect, it } from 'vitest';
import { createMachine } from '../support/io.ts';
import { openTestService } from '../support/service.ts';

it('signs in to a new profile at a terminal', async () => {
  await using service = await openTestService();
  using machine = createMachine();
  await machine.salon(['auth', 'login', '--base-url', service.origin], { stdin: service.keys.owner });
  const argv = ['auth', 'login', '-p', 'second', '--base-url', service.origin, '--with-key', '--plain'];
  const ran = await machine.salon(argv, { columns: 80, stdin: `${service.keys.viewer}\n` });
  expect(ran.stderr).toContain('Now using profile second.');
  expect(ran.exitCode).toBe(0);
});

it('asks for the name of a protected account until it is right', async () => {
  await using service = await openTestService();
  using machine = createMachine();
  const login = ['auth', 'login', '--base-url', service.origin, '--set', 'protected=true'];
  await machine.salon(login, { stdin: service.keys.owner });
  const argv = ['clients', 'create', '--set', 'first_name=Zoe', '--plain'];
  const ran = await machine.salon(argv, { columns: 80, stdin: 'Luna\nTest salon\n' });
  expect(ran.stderr).toContain('The account is Test salon, not Luna.');
  expect(ran.stderr).toContain('Added client Zoe (cli_');
  expect(ran.exitCode).toBe(0);
});
