import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toLine } from '../../../src/bulk/jobs/journal.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { type CountingGateway, openCountingGateway } from '../../support/counting-gateway.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { readSalon } from '../../support/salon-state.ts';

let world: EditWorld;
let into: string;
let from: string;
beforeEach(async () => {
  world = await openEditWorld({ clients: 3 });
  into = await add({ first_name: 'Zita', last_name: 'Costa', notes: 'Tea', email_marketing_consent: true });
  from = await add({
    first_name: 'Zitta',
    last_name: 'Costa',
    phone: '+351912345678',
    notes: 'Milk',
    tags: ['vip'],
  });
  const [stylist_id = ''] = world.service.stylistIds;
  const booking = { client_id: from, stylist_id, service: 'Cut', duration: 30 };
  await world.client.appointments.create({ ...booking, start_time: '2031-01-01T09:00:00Z' });
  const past = { ...booking, start_time: '2021-01-01T09:00:00Z', status: 'completed' };
  const { id } = await world.client.appointments.create(past);
  const payment = { appointment_id: id ?? '', amount: 4500, currency: 'EUR', method: 'card' } as const;
  await world.client.payments.create(payment);
  const [start, end] = ['2031-01-02T09:00:00Z', '2031-01-02T12:00:00Z'];
  await world.client.waitlist.create({ client_id: from, service: 'Cut', from: start, to: end });
});
afterEach(() => world[Symbol.asyncDispose]());

async function add(body: object): Promise<string> {
  return String((await world.client.clients.create({ ...body })).id);
}

async function readState() {
  await using database = await openDatabase(world.service.database);
  return await readSalon(database);
}

async function readClient(id: string) {
  return world.client.clients.get(id);
}

describe('clients merge', () => {
  it('shows the rule of every field and what moves, and merges', async () => {
    const ran = await world.salon(['clients', 'merge', 'Zita Costa', 'Zitta Costa', '--yes', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    for (const line of [
      'Merge Zitta Costa into Zita Costa:',
      `Stays                    Zita Costa, ${into}`,
      `Goes                     Zitta Costa, ${from}`,
      'First name               Zita (kept, not Zitta)',
      'Phone                    +351912345678 (filled in)',
      'Notes                    Tea / Milk (joined)',
      'Tags                     vip (filled in)',
      'Email marketing consent  no (both must agree)',
      'Moves                    2 appointments and 1 payment',
      'Merged Zitta Costa into Zita Costa and moved 2 appointments, 1 payment and 1 waitlist entry.',
    ]) {
      expect(ran.stderr).toContain(line);
    }
    expect(JSON.parse(ran.stdout)).toMatchObject({
      into,
      from,
      method: 'merge',
      appointments: 2,
      payments: 1,
      waitlist_entries: 1,
    });
    expect(await readClient(into)).toMatchObject({
      first_name: 'Zita',
      phone: '+351912345678',
      notes: 'Tea\nMilk',
      tags: ['vip'],
      email_marketing_consent: false,
    });
    const gone = await world.salon(['clients', 'get', from]);
    expect(gone).toMatchObject({ exitCode: 6, stdout: '' });
    expect(gone.stderr).toContain(`It was merged into ${into}.`);
    expect(gone.stderr).toContain('Use the ID of that client.');
  });

  it('lets flags decide fields', async () => {
    const choices = ['--prefer', 'first_name', '--set', 'notes=Tea or milk', '--set', 'tags:=["new"]'];
    const ran = await world.salon(['clients', 'merge', into, from, '--yes', ...choices]);
    expect(ran.stderr).toContain('Zitta (chosen, not Zita)');
    expect(await readClient(into)).toMatchObject({
      first_name: 'Zitta',
      notes: 'Tea or milk',
      tags: ['new'],
    });
  });

  it('has more tags than a client may have only if the flags choose some', async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await world.client.clients.update(into, { tags });
    const ran = await world.salon(['clients', 'merge', into, from, '--yes']);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(`Decide the field: --set 'tags:=["vip"]' or --prefer tags`);
  });

  it('leaves nobody to delete under the ID of the duplicate, which is not missing either', async () => {
    await world.salon(['clients', 'merge', into, from, '--yes']);
    const ran = await world.salon(['clients', 'delete', from, '--yes', '--ignore-missing']);
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ran.stderr).toContain(`It was merged into ${into}.`);
  });

  it('changes nothing in a dry run, which lists the fields', async () => {
    const before = await readState();
    const ran = await world.salon(['clients', 'merge', into, from, '--dry-run', '--json']);
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('Dry run: the server would accept this.');
    expect(JSON.parse(ran.stdout)).toContainEqual({
      field: 'notes',
      kept: 'Tea',
      other: 'Milk',
      result: 'Tea\nMilk',
      rule: 'joined',
    });
    expect(await readState()).toEqual(before);
    expect(world.jobs()).toEqual([]);
  });

  it('is undone by its job, which leaves the salon as before', async () => {
    const before = await readState();
    const { job } = await world.read<{ job: string }>(['clients', 'merge', into, from, '--yes']);
    expect(await readState()).not.toEqual(before);
    const undone = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(undone.stderr).toContain('Zitta Costa is restored under the same ID.');
    expect(await readState()).toEqual(before);
    expect(await world.salon(['jobs', 'undo', job, '--yes'])).toMatchObject({ exitCode: 0, stdout: '' });
    const rows = await world.read<{ kind: string; verb?: string; source: string }[]>(['jobs', 'list']);
    expect(rows.map(({ kind, source }) => `${kind} ${source}`)).toEqual(
      Array(2).fill('merge Zitta Costa → Zita Costa'),
    );
  });

  it('is undone after the merges that came later, and says so', async () => {
    const last = await add({ first_name: 'Zitto', last_name: 'Costa' });
    const merge = ['clients', 'merge'];
    const { job } = await world.read<{ job: string }>([...merge, into, from, '--yes']);
    const later = await world.read<{ job: string }>([...merge, last, into, '--yes']);
    const undone = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(undone.exitCode, undone.stderr).toBe(6);
    expect(undone.stderr).toContain('Undo that later merge first.');
    for (const id of [later.job, job])
      expect((await world.salon(['jobs', 'undo', id, '--yes'])).exitCode).toBe(0);
  });

  it('keeps what was changed after the merge when it is undone', async () => {
    const { job } = await world.read<{ job: string }>(['clients', 'merge', into, from, '--yes']);
    await world.client.clients.update(into, { notes: 'Coffee' });
    const undone = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(undone.stderr).toContain('Changed since, and kept: Notes.');
    expect(await readClient(into)).toMatchObject({ notes: 'Coffee', phone: null });
  });

  it.each(['client', 'duplicate'])(
    'exits with 7 if somebody edits the %s at the last moment',
    async (which) => {
      await using gateway: CountingGateway = await openCountingGateway(world.service.origin, {
        async fateOf(_method, writes) {
          const isMerge = gateway.writes[writes - 1]?.path.endsWith('/merge') === true;
          if (isMerge)
            await world.client.clients.update(which === 'client' ? into : from, { notes: 'Coffee' });
          return 'passed' as const;
        },
      });
      const env = { SALON_BASE_URL: gateway.origin };
      const ran = await world.salon(['clients', 'merge', into, from, '--yes'], { env });
      expect(ran, ran.stderr).toMatchObject({ exitCode: 7, stdout: '' });
      expect(ran.stderr).toContain('Read it again');
      expect([await readClient(into), await readClient(from)]).toMatchObject([
        { phone: null },
        { phone: '+351912345678' },
      ]);
    },
  );

  it.each<[string, () => string[], number, string]>([
    ['a client with itself', () => [into, 'Zita Costa'], 2, 'are the same client'],
    ['a client without a duplicate', () => [into], 2, 'salon clients duplicates'],
    ['an unknown client', () => [into, 'Nobody Here'], 6, 'Nobody Here'],
    ['an empty reference', () => [into, ''], 2, ''],
    ['an unknown ID', () => [into, `cli_${'0'.repeat(26)}`], 6, 'No client with ID'],
    ['an ID of another kind', () => [into, `sty_${'0'.repeat(26)}`], 2, 'stylist'],
    [
      'a field that does not exist',
      () => [into, from, '--prefer', 'hair'],
      2,
      'Neither client has a field "hair".',
    ],
    [
      'a field decided twice',
      () => [into, from, '--prefer', 'notes', '--set', 'notes=x'],
      2,
      'both decide "notes"',
    ],
    ['notes that are too long', () => [into, from, '--set', `notes=${'n'.repeat(5000)}`], 1, '--set notes=…'],
    ['--curl', () => [into, from, '--curl'], 2, '--curl'],
  ])('refuses %s and changes nothing', async (_title, toArgs, exitCode, message) => {
    const before = await readState();
    const ran = await world.salon(['clients', 'merge', ...toArgs(), '--yes']);
    expect(ran, ran.stderr).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(await readState()).toEqual(before);
    expect(world.jobs()).toEqual([]);
  });

  it('refuses without confirmation, without the right, and a client of another account', async () => {
    const other = await world.service.addAccount();
    const before = await readState();
    const cases = [
      [{}, [], 8],
      [{ SALON_API_KEY: world.service.keys.receptionist }, ['--yes'], 10],
      [{ SALON_API_KEY: other.keys.owner }, ['--yes'], 6],
    ] as const;
    for (const [env, flags, exitCode] of cases) {
      const ran = await world.salon(['clients', 'merge', into, from, ...flags], { env });
      expect(ran, ran.stderr).toMatchObject({ exitCode, stdout: '' });
    }
    expect(await readState()).toEqual(before);
    expect(world.jobs()).toEqual([]);
  });

  it('asks with both names at a terminal, and a no changes nothing', async () => {
    const before = await readState();
    const ran = await world.salon(['clients', 'merge', into, from], { columns: 80, stdin: 'n\n' });
    expect(ran.exitCode).toBe(8);
    expect(ran.stderr).toContain('? Merge Zitta Costa into Zita Costa now?');
    expect(await readState()).toEqual(before);
  });
});

describe('the job of a merge', () => {
  it('shows its result and is no bulk edit or export', async () => {
    const { job } = await world.read<{ job: string }>(['clients', 'merge', into, from, '--yes']);
    expect(await world.read(['jobs', 'show', job])).toMatchObject({
      kind: 'merge',
      verb: 'merge',
      state: 'done',
    });
    expect(await world.read(['jobs', 'results', job])).toMatchObject([{ id: into, result: 'updated' }]);
    const again = await world.salon(['jobs', 'resume', job]);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    expect(again.stderr).toContain('is done: Merged Zitta Costa into Zita Costa.');
    const undo = await world.read<{ job: string }>(['jobs', 'undo', job, '--yes']);
    const ran = await world.salon(['jobs', 'undo', undo.job, '--yes']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain(`salon clients merge ${into} ${from}`);
    expect(await world.salon(['jobs', 'remove', job, '--yes'])).toMatchObject({ exitCode: 0 });
    expect(world.jobs()).toEqual([undo.job]);
  });

  it('cannot be undone after the client was deleted', async () => {
    const { job } = await world.read<{ job: string }>(['clients', 'merge', into, from, '--yes']);
    await world.client.clients.delete(into, { force: true });
    const ran = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
  });

  it('is refused where an earlier version changed records one by one', async () => {
    const { job } = await world.read<{ job: string }>(['clients', 'merge', into, from, '--yes']);
    const path = `data/jobs/${job}/merge`;
    const plan = JSON.parse(world.readText(path).split('\n')[0]?.slice(9) ?? '');
    world.write(path, toLine({ ...plan, method: 'updates' }));
    const before = await readState();
    for (const argv of [
      ['undo', job, '--yes'],
      ['resume', job],
      ['results', job],
    ]) {
      const ran = await world.salon(['jobs', ...argv]);
      expect(ran, ran.stderr).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain('it changes records one by one, as this version no longer does');
    }
    expect(await readState()).toEqual(before);
  });
});
