import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCountingGateway } from '../../support/counting-gateway.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 2 });
});
afterEach(() => world[Symbol.asyncDispose]());

const sheet = 'first_name,last_name,notes\nAna,Costa,window\nBea,Cruz,\nBea,Cruz,\n';
const add = ['clients', 'create', '--file', 'new.csv', '--yes'];

async function countAdded(): Promise<number> {
  return (await world.clients()).length - 2;
}

/** Adds the sheet, and returns the job. */
async function addSheet(): Promise<string> {
  world.write('new.csv', sheet);
  expect(await world.salon(add)).toMatchObject({ exitCode: 0 });
  return world.jobs()[0] ?? '';
}

const undo = async (job: string) =>
  expect(await world.salon(['jobs', 'undo', job, '--yes'])).toMatchObject({ exitCode: 0 });

describe('a sheet that a job has added', () => {
  it('is refused, with the job and what to do', async () => {
    const job = await addSheet();
    world.write('renamed.csv', sheet);
    const ran = await world.salon(['clients', 'create', '--file', 'renamed.csv', '--yes', '--json']);
    expect(ran).toMatchObject({ exitCode: 8 });
    const error = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ code: 'confirmation_required' });
    expect(error.detail ?? error.message).toBe(`renamed.csv was already added by job ${job}.`);
    expect(error.hint).toContain(`salon jobs undo ${job}`);
    expect(error.hint).toContain('--again');
    expect(await countAdded()).toBe(3);
    expect(world.jobs()).toEqual([job]);
  });

  it('is refused before anybody is asked', async () => {
    await addSheet();
    const ran = await world.salon(['clients', 'create', '--file', 'new.csv'], { columns: 80 });
    expect(ran).toMatchObject({ exitCode: 8 });
    expect(ran.stderr).toContain('was already added');
    expect(ran.stderr).not.toContain('Add 3 clients');
  });

  it('is refused as a plan and from standard input, too', async () => {
    world.write('new.csv', sheet);
    await world.salon(['clients', 'create', '--file', 'new.csv', '--plan-file', 'plan.json']);
    await addSheet();
    const planned = await world.salon(['jobs', 'apply', 'plan.json', '--yes']);
    expect(planned, planned.stderr).toMatchObject({ exitCode: 8 });
    const piped = await world.salon(['clients', 'create', '--file', '-', '--yes'], { stdin: sheet });
    expect(piped, piped.stderr).toMatchObject({ exitCode: 8 });
    expect(await countAdded()).toBe(3);
    expect(await world.salon(['jobs', 'apply', 'plan.json', '--yes', '--again'])).toMatchObject({
      exitCode: 0,
    });
    expect(await countAdded()).toBe(6);
  });

  it.each<[what: string, argv: readonly string[], text: string]>([
    ['with other content', add, `${sheet}Cem,Demir,\n`],
    [
      'with another meaning of its columns',
      [...add, '--map', 'notes=external_id'],
      sheet.replaceAll('Bea,Cruz,\n', ''),
    ],
    ['with --again', [...add, '--again'], sheet],
  ])('is added %s', async (_, argv, text) => {
    world.write('new.csv', text);
    if (text !== sheet && argv === add) await addSheet();
    else await world.salon(add);
    const before = await countAdded();
    world.write('new.csv', text);
    const ran = await world.salon([...argv, '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect((await countAdded()) - before).toBe(JSON.parse(ran.stdout).done);
    expect(await countAdded()).toBeGreaterThan(before);
  });

  it('is added to another account', async () => {
    await addSheet();
    const { keys } = await world.service.addAccount();
    const ran = await world.salon([...add, '--json'], { env: { SALON_API_KEY: keys.owner } });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 3 });
  });

  it('is added once its job was undone, and again after each undo', async () => {
    await undo(await addSheet());
    for (let round = 0; round < 2; round += 1) {
      const again = await world.salon([...add, '--json']);
      expect(again, again.stderr).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(again.stdout)).toMatchObject({ done: 3, failed: 0 });
      expect(await countAdded()).toBe(3);
      expect(await world.salon(add)).toMatchObject({ exitCode: 8 });
      await undo(JSON.parse(again.stdout).job);
      expect(await countAdded()).toBe(0);
    }
  });

  it('is refused again once its undo was undone', async () => {
    const job = await addSheet();
    await undo(job);
    const undoing = world.jobs().find((id) => id !== job) ?? '';
    await undo(undoing);
    expect(await countAdded()).toBe(3);
    expect(await world.salon(add)).toMatchObject({ exitCode: 8 });
  });

  it('keeps the undo of its undo from adding it a second time, until that job is undone', async () => {
    const job = await addSheet();
    await undo(job);
    const undoing = world.jobs().find((id) => id !== job) ?? '';
    await world.salon(add);
    const again = world.jobs().find((id) => id !== job && id !== undoing) ?? '';
    const restore = ['jobs', 'undo', undoing, '--yes'];
    const refused = await world.salon(restore);
    expect(refused, refused.stderr).toMatchObject({ exitCode: 8 });
    expect(refused.stderr).toContain(`The same file was added again by job ${again}.`);
    expect(await countAdded()).toBe(3);
    await undo(again);
    await undo(undoing);
    expect(await countAdded()).toBe(3);
  });

  it('is added if the job has added nothing', async () => {
    world.write('new.csv', 'first_name,notes\nAna,1\n');
    const { key } = await world.service.addKey({ scopes: ['clients:read'] });
    const refused = await world.salon(add, { env: { SALON_API_KEY: key } });
    expect(refused.exitCode, refused.stderr).toBe(10);
    const [first = ''] = world.jobs();
    const ran = await world.salon(add);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    // The first job would add it once more.
    const resumed = await world.salon(['jobs', 'resume', first]);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 8 });
    expect(await countAdded()).toBe(1);
  });

  it('is checked by --dry-run, which says that it was added', async () => {
    world.write('new.csv', sheet);
    const before = await world.salon([...add, '--dry-run']);
    expect(before).toMatchObject({ exitCode: 0 });
    expect(before.stderr).not.toContain('already added');
    await addSheet();
    const after = await world.salon([...add, '--dry-run']);
    expect(after).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('was already added by job') });
    expect(await world.salon([...add, '--simulate'])).toMatchObject({ exitCode: 0 });
  });
});

describe('a sheet of appointments that a job has added', () => {
  it('is refused', async () => {
    const [client] = await world.clients();
    const [stylist] = world.service.stylistIds;
    world.writeSheet('book.csv', [
      {
        ...{ client_id: client?.id, stylist_id: stylist, service: 'Haircut', duration: 30 },
        ...{ start_time: '2031-03-05T10:00:00Z', allow_overlap: true },
      },
    ]);
    const book = ['appointments', 'create', '--file', 'book.csv', '--yes'];
    const first = await world.salon(book);
    expect(first, first.stderr).toMatchObject({ exitCode: 0 });
    expect(await world.salon(book)).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('--again'),
    });
    const again = await world.salon([...book, '--again']);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
  });
});

it('--again needs a file', async () => {
  const ran = await world.salon(['clients', 'create', '--set', 'first_name=Ana', '--again']);
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--again needs --file') });
});

describe('a sheet that a job has added in part', () => {
  it('is refused, and its job can be resumed', async () => {
    world.write('new.csv', sheet);
    const interrupt = new AbortController();
    await using gateway = await openCountingGateway(world.service.origin, {
      fateOf(_method, writes) {
        if (writes === 2) interrupt.abort('SIGINT');
        return 'passed';
      },
    });
    const env = { SALON_BASE_URL: gateway.origin };
    const slowly = [...add, '--concurrency', '1'];
    const stopped = await world.salon(slowly, { env, signal: interrupt.signal });
    expect(stopped.exitCode, stopped.stderr).toBe(130);
    const [job = ''] = world.jobs();
    const refused = await world.salon(slowly, { env });
    expect(refused, refused.stderr).toMatchObject({ exitCode: 8 });
    expect(refused.stderr).toContain(`new.csv was added in part by job ${job}.`);
    expect(refused.stderr).toContain(`salon jobs resume ${job}`);
    expect(await world.salon(['jobs', 'resume', job], { env })).toMatchObject({ exitCode: 0 });
    expect(await countAdded()).toBe(3);
  });
});
