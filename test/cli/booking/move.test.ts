import { beforeEach, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;
let appointment: string;

/** Ana is booked on Friday at 15:00 with Quinn, Bob on Thursday at 11:00. */
beforeEach(async () => {
  salon = await openPeopleSalon();
  for (const id of [salon.quinn, salon.ravi]) {
    await salon.client.stylists.update(id, { working_hours: 'mon-sat 09:00-18:00' });
  }
  appointment = await salon.book('ana');
  await salon.book('bob', { start_time: '2026-11-26T11:00:00Z' });
  return () => salon[Symbol.asyncDispose]();
});

const move = (line: string, options = {}) => salon.salon(['move', ...line.split(' ')], options);
const current = () => salon.client.appointments.get(appointment);
const plain = (answers: readonly string[]) => ({
  columns: 80,
  stdin: answers.map((answer) => `${answer}\n`).join(''),
});

describe('salon move in a script', () => {
  it.each([
    ['Ana Costa thu 9:30', '2026-11-26T09:30:00Z'],
    ['Ana Costa to thu at 9:30', '2026-11-26T09:30:00Z'],
    ['ana@costa.example 2026-12-01T10:00', '2026-12-01T10:00:00Z'],
    ['Ana Costa 4 jan 11:00', '2027-01-04T11:00:00Z'],
    // A time alone is on the same day.
    ['Ana Costa 11:00', '2026-11-27T11:00:00Z'],
    ['Ana Costa 15:30', '2026-11-27T15:30:00Z'],
    // She is late, or comes earlier: from the appointment's time, not from now.
    ['Ana Costa +20m', '2026-11-27T15:20:00Z'],
    ['Ana Costa --start=-1h30m', '2026-11-27T13:30:00Z'],
    ['Ana Costa +7m', '2026-11-27T15:07:00Z'],
    ['Ana Costa in 20 minutes', '2026-11-21T12:20:00Z'],
  ])('moves the upcoming appointment and keeps the stylist: %s', async (line, start_time) => {
    const ran = await move(`${line} --json`);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: appointment, start_time, stylist_id: salon.quinn });
  });

  it('names whom it moved, and when to', async () => {
    const { stderr } = await move('Ana Costa thu 9:30');
    expect(stderr).toBe(`Moved Ana Costa to Thu 26 Nov 09:30–10:30 (${appointment}).\n`);
    const byId = await move(`${appointment} thu 9:45`);
    expect(byId.stderr).toBe(`Moved Balayage to Thu 26 Nov 09:45–10:45 (${appointment}).\n`);
  });

  it.each([
    'Ana Costa thu 11:00 with Ravi',
    'Ana Costa thu 11:00 --stylist Ravi',
    'Ana Costa thu 11:00 with anyone',
  ])('moves to another stylist: %s', async (line) => {
    expect(await move(line)).toMatchObject({ exitCode: 0 });
    expect((await current()).stylist_id).not.toBe(salon.quinn);
  });

  it('keeps the time where only the stylist changes', async () => {
    expect(await move('Ana Costa with Ravi')).toMatchObject({ exitCode: 0 });
    expect(await current()).toMatchObject({ stylist_id: salon.ravi, start_time: '2026-11-27T15:00:00Z' });
  });

  it('exits 7 naming who is booked', async () => {
    const ran = await move('Ana Costa thu 10:30');
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ran.stderr).toContain('Quinn S. is booked Thu 26 Nov 11:00–12:00 (Bob Twin).');
    expect(await current()).toMatchObject({ start_time: '2026-11-27T15:00:00Z' });
  });

  it('changes nothing where the appointment is at that time', async () => {
    const ran = await move('Ana Costa fri 15:00');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('Ana Costa is booked for that time already. Nothing was changed.');
    expect(ran.requests).not.toContain('PUT appointments');
  });

  it('shows old and new with --dry-run', async () => {
    const ran = await move('Ana Costa thu 9:30 -n --json');
    expect(JSON.parse(ran.stdout)).toEqual([
      { field: 'start_time', old: '2026-11-27T15:00:00Z', new: '2026-11-26T09:30:00Z' },
    ]);
    expect(await current()).toMatchObject({ start_time: '2026-11-27T15:00:00Z' });
  });

  it('lists the appointments of a client who has several', async () => {
    await salon.book('ana', { start_time: '2026-12-04T15:00:00Z' });
    const ran = await move('Ana Costa thu 9:30');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(appointment);
    expect(await move(`${appointment} thu 9:30`)).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['Ana Costa', 2, 'Missing: time.'],
    ['Ana Costa fri', 2, 'Missing: time.'],
    ['thu 9:30', 2, 'Missing: client.'],
    ['João Silva thu 9:30', 6, 'João Silva has no upcoming appointment.'],
    ['Xaver thu 9:30', 6, 'No client matches "Xaver".'],
    ['Ana Costa thu 9:30 with Xaver', 6, 'No stylist matches "Xaver".'],
    ['Ana Costa thu 9:30 for Colour', 2, 'A move keeps the service.'],
    ['Ana Costa 31.2. 9:30', 2, 'does not exist'],
    ['Ana Costa thu 9:30 --start sun', 2, 'The time is given twice'],
    ['Ana Costa thu 9:30 --stylist=', 2, '--stylist is empty.'],
  ])('moves nothing for %s', async (line, exitCode, message) => {
    const ran = await move(line);
    expect(ran).toMatchObject({ exitCode, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(await current()).toMatchObject({ start_time: '2026-11-27T15:00:00Z', stylist_id: salon.quinn });
  });
});

describe('salon move at a terminal', () => {
  it('shows old and new and asks for confirmation', async () => {
    const ran = await move('Ana Costa thu 9:30 --plain', plain(['1']));
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain(
      '  Ana Costa, Balayage with Quinn S.\n  Fri 27 Nov 15:00–16:00 → Thu 26 Nov 09:30–10:30\n',
    );
    expect(await current()).toMatchObject({ start_time: '2026-11-26T09:30:00Z' });
  });

  it('moves nothing if it is cancelled', async () => {
    const ran = await move('Ana Costa thu 9:30 with Ravi --plain', plain(['5']));
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain(
      '  Fri 27 Nov 15:00–16:00 with Quinn S. → Thu 26 Nov 09:30–10:30 with Ravi\n',
    );
    expect(ran.stderr).toContain('Cancelled. Nothing was changed.');
    expect(ran.stderr).toContain(`salon move ${appointment} --stylist ${salon.ravi} 2026-11-26T09:30`);
    expect(await current()).toMatchObject({ start_time: '2026-11-27T15:00:00Z' });
  });

  it('offers the free times of a day, and asks for a refused time again', async () => {
    const ran = await move('Ana Costa thu --plain', plain(['11:30', '1', '1', '12:00', '1', '1']));
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('is booked Thu 26 Nov 11:00–12:00 (Bob Twin). Free from 12:00.');
    expect(await current()).toMatchObject({ start_time: '2026-11-26T12:00:00Z' });
  });

  it('does not count the appointment itself as busy', async () => {
    const ran = await move('Ana Costa fri --plain', plain(['15:15', '1', '1']));
    expect(ran.stderr).not.toContain('not free');
    expect(await current()).toMatchObject({ start_time: '2026-11-27T15:15:00Z' });
  });
});
