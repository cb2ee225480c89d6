import { beforeEach, describe, expect, it } from 'vitest';
import { openVisitSalon } from '../../support/visit-salon.ts';

let salon: Awaited<ReturnType<typeof openVisitSalon>>;
let ids: readonly string[];

const run = (line: string, options = {}) => salon.salon(line.split(' '), options);

/** Books a repeat, and returns the IDs in their order. */
async function book(line: string): Promise<readonly string[]> {
  const ran = await run(`book ${line} --json`);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  const results = await run(`jobs results ${JSON.parse(ran.stdout).job} --json`);
  return JSON.parse(results.stdout).map(({ id }: { id: string }) => id);
}

/** What has become of them: status, start in UTC, stylist. */
const read = async (all = ids) =>
  Promise.all(
    all.map(async (id) => {
      const { status, start_time, stylist_id } = await salon.client.appointments.get(id);
      const stylist = stylist_id === salon.quinn ? 'Quinn' : 'Ravi';
      return `${status === 'cancelled' ? 'cancelled ' : ''}${start_time.slice(5, 16)} ${stylist}`;
    }),
  );

/** Ana has four appointments, four weeks apart: before and after the clocks go forward on 28 March. */
beforeEach(async () => {
  salon = await openVisitSalon();
  ids = await book('Ana Costa with Quinn for Blow-dry 2027-02-09 15:00 every 4 weeks 4 times');
  return () => salon[Symbol.asyncDispose]();
});
const booked = ['02-09T15:00 Quinn', '03-09T15:00 Quinn', '04-06T14:00 Quinn', '05-04T14:00 Quinn'];

describe('salon appointments cancel of one of several', () => {
  it('cancels the one alone in a script, and says how many follow and with which command', async () => {
    const ran = await run(`appointments cancel ${ids[1]}`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr.split('\n')[0]).toBe(
      `Booked with it, and follows: 2 appointments. To include: salon appointments cancel ${ids[2]} --following`,
    );
    expect(await read()).toEqual([booked[0], `cancelled ${booked[1]}`, ...booked.slice(2)]);
    const last = await run(`appointments cancel ${ids[2]} --yes`);
    expect(last.stderr).toContain(
      `follows: 1 appointment. To include: salon appointments cancel ${ids[3]} --following`,
    );
    expect((await run(`appointments cancel ${ids[3]} --yes`)).stderr).not.toContain('follow');
  });

  it('cancels those that follow with --following as one job, and an undo books all again', async () => {
    const asked = await run(`appointments cancel ${ids[1]} --following`);
    expect(asked, asked.stderr).toMatchObject({ exitCode: 8 });
    await salon.client.appointments.cancel(ids[2] ?? '');
    const ran = await run(`appointments cancel ${ids[1]} --following --reason Moves --yes --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain(`2 appointments match ${ids[1]} --following. Both will be cancelled.`);
    expect(await read()).toEqual([booked[0], ...booked.slice(1).map((one) => `cancelled ${one}`)]);
    const { cancellation_reason } = await salon.client.appointments.get(ids[3] ?? '');
    expect(cancellation_reason).toBe('Moves');
    expect(JSON.parse(ran.stdout)).toMatchObject({ verb: 'cancel', rows: 2, done: 2 });
    const undone = await run(`jobs undo ${JSON.parse(ran.stdout).job} --yes --json`);
    expect(JSON.parse(undone.stdout)).toMatchObject({ done: 2 });
  });

  it('shows all with --dry-run --following, and sends nothing', async () => {
    const ran = await run(`appointments cancel ${ids[2]} --following --dry-run --json`);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ id: ids[2] }, { id: ids[3] }]);
    expect(await read()).toEqual(booked);
  });

  it.each([
    ['y y', [booked[0], ...booked.slice(1).map((one) => `cancelled ${one}`)]],
    ['n y', [booked[0], `cancelled ${booked[1]}`, ...booked.slice(2)]],
    ['y n', booked],
  ])('asks at a terminal: %s', async (answers, expected) => {
    const ran = await salon.talk(`appointments cancel ${ids[1]}`, answers.split(' '));
    expect(ran.stderr).toContain('Also what follows (2 appointments, until Tue 4 May 2027 15:00)?');
    expect(await read()).toEqual(expected);
  });
});

describe('salon move of one of several', () => {
  it('leaves out one that is completed meanwhile', async () => {
    await salon.client.appointments.update(ids[2] ?? '', { status: 'completed', allow_early: true });
    const ran = await run(`move ${ids[1]} 16:00 --following --yes --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, done: 2 });
    expect(await read()).toEqual([
      ...[booked[0], '03-09T16:00 Quinn', '04-06T14:00 Quinn', '05-04T15:00 Quinn'],
    ]);
  });

  it('moves the one alone in a script, and says how many follow and with which command', async () => {
    const dry = await run(`move ${ids[1]} 16:30 --dry-run`);
    expect(dry.stderr).toContain(`To include: salon move ${ids[1]} 2027-03-09T16:30 --following`);
    const ran = await run(`move ${ids[1]} 16:30`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const command = `move ${ids[2]} 2027-04-06T16:30 --following`;
    expect(ran.stderr.split('\n')[0]).toBe(
      `Booked with it, and follows: 2 appointments. To include: salon ${command}`,
    );
    const rest = await run(`${command} --yes`);
    expect(rest, rest.stderr).toMatchObject({ exitCode: 0 });
    expect(await read()).toEqual([
      ...[booked[0], '03-09T16:30 Quinn', '04-06T15:30 Quinn', '05-04T15:30 Quinn'],
    ]);
  });

  it('moves those that follow by the same local time and to the same stylist, and an undo brings all back', async () => {
    await run(`appointments cancel ${ids[2]} --yes`);
    const ran = await run(`move ${ids[0]} thu 11 feb 2027 16:00 with Ravi --following --yes --json`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(await read()).toEqual([
      ...['02-11T16:00 Ravi', '03-11T16:00 Ravi', `cancelled ${booked[2]}`, '05-06T15:00 Ravi'],
    ]);
    const { job } = JSON.parse(ran.stdout);
    expect(ran.stderr).toContain(`To call them: salon call-list --job ${job}`);
    expect((await run(`jobs undo ${job} --yes`)).exitCode).toBe(0);
    expect(await read()).toEqual([booked[0], booked[1], `cancelled ${booked[2]}`, booked[3]]);
  });

  it.each(['2027-03-09T15:00', '2027-01-12T15:00'])(
    'moves each to where the next one was, or the one before: to %s',
    async (time) => {
      const ran = await run(`move ${ids[0]} ${time} --following --yes --json`);
      expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
      const expected = time.includes('-03-')
        ? ['03-09T15:00 Quinn', '04-06T14:00 Quinn', '05-04T14:00 Quinn', '06-01T14:00 Quinn']
        : ['01-12T15:00 Quinn', '02-09T15:00 Quinn', '03-09T15:00 Quinn', '04-06T14:00 Quinn'];
      expect(await read()).toEqual(expected);
      const undone = await run(`jobs undo ${JSON.parse(ran.stdout).job} --yes`);
      expect(undone, undone.stderr).toMatchObject({ exitCode: 0 });
      expect(await read()).toEqual(booked);
    },
  );

  describe('with a conflict', () => {
    beforeEach(() =>
      salon.book('bob', { start_time: '2027-04-06T15:30:00Z', duration: 60, service: 'Colour' }),
    );
    const line = () => `move ${ids[0]} 16:00 --following --yes`;

    it.each(['', ' --on-conflict stop'])('stops before anything is sent in a script%s', async (how) => {
      const ran = await run(`${line()}${how}`);
      expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
      expect(ran.stderr).toContain('Quinn S. is booked Tue 6 Apr 2027 16:30–17:30 (Bob Twin).');
      expect(ran.stderr).toContain('1 appointment cannot be moved. Nothing was changed.');
      expect(ran.stderr).toContain('To move the others: --on-conflict skip');
      expect(await read()).toEqual(booked);
    });

    it('leaves out the one with --on-conflict skip', async () => {
      expect((await run(`${line()} --on-conflict skip`)).exitCode).toBe(3);
      expect(await read()).toEqual([
        ...['02-09T16:00 Quinn', '03-09T16:00 Quinn', booked[2], '05-04T15:00 Quinn'],
      ]);
    });

    it.each([
      ['1 y y', ['02-09T16:00 Quinn', '03-09T16:00 Quinn', booked[2], '05-04T15:00 Quinn']],
      ['1 y n', booked],
      ['1 n', ['02-09T16:00 Quinn', ...booked.slice(1)]],
    ])('is shown at a terminal, which moves the others or stops: %s', async (answers, expected) => {
      const ran = await salon.talk(`move ${ids[0]} 16:00`, answers.split(' '));
      if (!answers.includes('1 n'))
        expect(ran.stderr).toContain('Quinn S. is booked Tue 6 Apr 2027 16:30–17:30 (Bob Twin).');
      expect(await read()).toEqual(expected);
    });
  });
});

describe('appointments that no job of this machine has booked', () => {
  const times = ['2027-03-23T15:00:00Z', '2027-03-30T14:00:00Z', '2027-04-06T16:00:00Z'];
  let alone: readonly string[];

  /** Two on Tuesdays at 15:00, around the change of the clocks; the third at another time. */
  beforeEach(async () => {
    const all = times.map((start_time) => salon.book('joao', { start_time, service: 'Blow-dry' }));
    alone = await Promise.all(all);
  });

  it('are proposed at a terminal: same client, service, stylist and time of the week', async () => {
    const ran = await salon.talk(`move ${alone[0]} 10:00`, ['1', 'y', 'y']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Also what follows (1 appointment, until Tue 30 Mar 2027 15:00)?');
    expect(await read(alone)).toEqual(['03-23T10:00 Quinn', '03-30T09:00 Quinn', '04-06T16:00 Quinn']);
  });

  it('are left to a script to name: --following is refused, and without it nothing is looked up', async () => {
    for (const line of [`appointments cancel ${alone[0]}`, `move ${alone[0]} 10:00`]) {
      const ran = await run(`${line} --following --yes`);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain(
        `What follows ${alone[0]} is not known: no job on this machine has booked it.`,
      );
    }
    const ran = await run(`appointments cancel ${alone[0]} --yes --quiet`);
    expect(ran.requests).toEqual(['POST appointments']);
  });

  it('cannot be combined with a selection', async () => {
    const ran = await run('appointments cancel --where-date 2027-03-23 --following');
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('--following cannot be combined with --where-date.');
  });
});

describe("with a stylist's own key", () => {
  it('includes their own appointments alone', async () => {
    const visit =
      'Ana Costa: Colour with Quinn, then Blow-dry with Ravi, 2027-01-14 10:00 every week 2 times';
    const all = await book(visit);
    const rights = { name: 'Ravi', role: 'stylist', stylist_id: salon.ravi } as const;
    const { key } = await salon.client.apiKeys.create(rights);
    const line = `appointments cancel ${all[1]} --following --yes --json`;
    const ran = await run(line, { env: { SALON_API_KEY: key } });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, done: 2 });
    expect(await read(all)).toEqual([
      ...['01-14T10:00 Quinn', 'cancelled 01-14T11:30 Ravi'],
      ...['01-21T10:00 Quinn', 'cancelled 01-21T11:30 Ravi'],
    ]);
  });
});
