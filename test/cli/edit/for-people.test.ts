import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
beforeEach(async () => {
  world = await openEditWorld({ clients: 4 });
});
afterEach(() => world[Symbol.asyncDispose]());

const terminal = { columns: 160, timeZone: 'Asia/Tokyo' } as const;

describe('at a terminal', () => {
  it('the results of a bulk edit leave out unchanged rows, unless --all is given', async () => {
    const [one, two, three] = await world.clients();
    world.writeSheet('notes.csv', [
      { id: one?.id, notes: 'new' },
      { id: two?.id, notes: two?.['notes'] },
      { id: three?.id, notes: three?.['notes'] },
    ]);
    await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes']);
    const argv = ['jobs', 'results', ...world.jobs(), '--no-pager'];
    const shown = await world.salon(argv, terminal);
    expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(one?.id ?? '') });
    expect(shown.stdout).not.toContain('unchanged');
    expect(shown.stderr).toContain('2 unchanged rows not shown; --all shows them.');
    expect((await world.salon([...argv, '--all'], terminal)).stdout.match(/unchanged/g)).toHaveLength(2);
    expect(await world.read(['jobs', 'results', ...world.jobs()])).toHaveLength(3);
  });

  it('a list of jobs shows whole IDs in 80 columns', async () => {
    const [one] = await world.clients();
    world.writeSheet('notes.csv', [{ id: one?.id, notes: 'new' }]);
    await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes']);
    const { stdout } = await world.salon(['jobs', 'list', '--no-pager'], { ...terminal, columns: 80 });
    expect(stdout).toContain(world.jobs()[0]);
  });

  it('a refused row names the field as people write it', async () => {
    const [one] = await world.clients();
    world.writeSheet('stylist.csv', [{ id: one?.id, preferred_stylist_id: 'sty_gone' }]);
    const { stderr } = await world.salon(['clients', 'update', '--file', 'stylist.csv', '--dry-run']);
    expect(stderr).toContain('line 2: preferred_stylist_id is not the ID of a stylist.');
  });

  it('a dry run and the details of a job show times in the time zone of the salon', async () => {
    const { id: appointment = '' } = await world.client.appointments.create({
      client_id: (await world.clients())[0]?.id,
      stylist_id: world.service.stylistIds[0],
      service: 'Cut',
      start_time: '2031-01-06T10:00:00Z',
      duration: 30,
    });
    const move = ['appointments', 'update', appointment, '--start', '2031-01-07T10:00:00Z', '--dry-run'];
    expect((await world.salon([...move, '--no-pager'], terminal)).stdout).toContain('2031-01-07 19:00');
    expect((await world.salon(move)).stdout).toContain('2031-01-07T10:00:00Z');
    world.writeSheet('notes.csv', [{ id: (await world.clients())[0]?.id, notes: 'new' }]);
    const now = new Date('2026-11-21T20:00:00Z');
    await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes'], { now });
    const show = ['jobs', 'show', ...world.jobs()];
    expect((await world.salon(show, terminal)).stdout).toContain('2026-11-22 05:00');
    expect(await world.read(show)).toMatchObject({ started: '2026-11-21T20:00:00.000Z' });
  });
});
