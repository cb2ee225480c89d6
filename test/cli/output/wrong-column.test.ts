import { expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { openSharedService } from '../../support/service.ts';

it('a wrong column of a change is a warning, because the change is done', async () => {
  const service = await openSharedService({ clients: 0 });
  using machine = createMachine({
    env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner },
  });
  const create = ['clients', 'create', '--set', 'first_name=Ana', '-c', 'nmae'];
  const ran = await machine.salon(create);
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('No column "nmae".') });
  expect(ran.stdout).toContain('Ana');
  expect(await machine.salon(['clients', 'list', '-c', 'nmae'])).toMatchObject({ exitCode: 2 });
  const all = ['clients', 'update', '--all', '--set', 'notes=new', '--yes'];
  const bulk = await machine.salon([...all, '-c', 'nmae']);
  expect(bulk).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('No column "nmae".') });
});

it.each([[['create', '--set', 'first_name=Bea']], [['update', '--all', '--set', 'notes=new', '--yes']]])(
  'a workbook that a terminal cannot show is refused before anything is changed: %j',
  async (argv) => {
    const service = await openSharedService({ clients: 1 });
    using machine = createMachine({
      env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner },
    });
    const before = (await machine.salon(['clients', 'list', '--json'])).stdout;
    const ran = await machine.salon(['clients', ...argv, '-f', 'xlsx'], { columns: 80 });
    expect(ran).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('A terminal cannot show XLSX.'),
    });
    expect((await machine.salon(['clients', 'list', '--json'])).stdout).toBe(before);
  },
);
