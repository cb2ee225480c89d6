import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../support/servers/client-store.ts';
import { easyAppointments } from '../support/servers/easy-appointments.ts';
import { laravelPaginate } from '../support/servers/laravel.ts';
import { square } from '../support/servers/square.ts';
import { type ConnectedMachine, connect } from './machine.ts';

let machine: ConnectedMachine;

beforeEach(async () => {
  machine = await connect({ kind: square, via: { dialect: { extends: 'square' } } });
});

afterEach(() => machine[Symbol.asyncDispose]());

async function exportCsv(...argv: string[]): Promise<readonly Readonly<Record<string, string>>[]> {
  const ran = await machine.salon(...argv, '-o', 'list.csv', '--format', 'csv');
  expect(ran).toMatchObject({ exitCode: 0 });
  const [head = '', ...lines] = readFileSync(join(machine.home, 'list.csv'), 'utf8').trim().split(/\r?\n/);
  const names = head.replace(/^\uFEFF/, '').split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])),
  );
}

function sentWindows(): readonly (readonly [string | null, string | null])[] {
  return machine.server.received
    .filter(({ path }) => path === '/v2/bookings')
    .map(({ query }) => [query.get('start_at_min'), query.get('start_at_max')]);
}

it('refuses a birthday without a year where the dialect does not say how it is written', async () => {
  await using other = await connect({ kind: laravelPaginate, via: { dialect: { extends: 'laravel' } } });
  writeFileSync(join(other.home, 'b.csv'), 'first_name,birthday\nNova,15 May\n');
  const ran = await other.salon('clients', 'create', '--file', 'b.csv', '--yes');
  expect(ran.stderr).toContain('15 May is a birthday without a year, which this server cannot save.');
  const set = ['--set', 'first_name=Nova', '--set', 'birthday=--05-15'];
  const one = await other.salon('clients', 'create', ...set);
  expect(one).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--05-15 has no year, and this server takes no such birthday.'),
  });
  expect(other.server.received.filter(({ method }) => method === 'POST')).toEqual([]);
});

describe('clients of Square', () => {
  it('are exported with the names of the contract', async () => {
    const rows = await exportCsv('clients', 'list', '--columns', 'id,first_name,last_name,email,phone');
    const truth = (await machine.all()).map((row) =>
      ['id', 'given_name', 'family_name', 'email_address', 'phone_number'].map((name) => row[name] ?? ''),
    );
    const printed = rows.map((row) => Object.values(row).map((cell) => cell.replace(/^'/, '')));
    expect(printed.sort()).toEqual(truth.sort());
  });

  it('have birthdays without a year as Square writes them', async () => {
    writeFileSync(join(machine.home, 'b.csv'), 'first_name,birthday\nNova,15 May\n');
    const ran = await machine.salon('clients', 'create', '--file', 'b.csv', '--yes');
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect((await machine.all()).at(-1)).toMatchObject({ given_name: 'Nova', birthday: '0000-05-15' });
    const rows = await exportCsv('clients', 'list', '--columns', 'first_name,birthday');
    expect(rows.find(({ first_name }) => first_name === 'Nova')?.['birthday']?.replace(/^'/, '')).toBe(
      '--05-15',
    );
  });

  it.each([
    ['the contract', 'first_name,last_name,email,phone,notes'],
    ['the server', 'given_name,family_name,email_address,phone_number,note'],
    ['both', 'given_name,last_name,email_address,phone,note'],
  ])('are added from a sheet with the names of %s', async (_whose, head) => {
    const line = 'Nova,Sá,nova@example.com,+4930999123,Evenings';
    writeFileSync(join(machine.home, 'sheet.csv'), `${head}\n${line}\n`);
    const ran = await machine.salon('clients', 'create', '--file', 'sheet.csv', '--yes');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect((await machine.all()).at(-1)).toMatchObject({
      ...{ given_name: 'Nova', family_name: 'Sá', email_address: 'nova@example.com' },
      ...{ phone_number: '+4930999123', note: 'Evenings' },
    });
  });

  it.each(['notes', 'note'])('lose a field that is cleared as %s', async (field) => {
    const id = String((await machine.all())[4]?.['id']);
    const ran = await machine.salon('clients', 'update', id, '--set', `${field}:=null`);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect((await machine.all())[4]).not.toHaveProperty('note');
  });

  it('are sorted by the name of either side', async () => {
    const [one, other] = [
      await exportCsv('clients', 'list', '--sort', 'last_name', '--columns', 'id'),
      await exportCsv('clients', 'list', '--sort', 'family_name', '--columns', 'id'),
    ];
    expect(one).toEqual(other);
  });

  it('do not take one field under two names', async () => {
    const before = await machine.all();
    const set = ['--set', 'given_name=A', '--set', 'first_name=B'];
    const ran = await machine.salon('clients', 'create', ...set);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain("given_name is the server's name for first_name");
    expect(await machine.all()).toEqual(before);
  });
});

describe('appointments of Square', () => {
  const columns = 'id,client_id,stylist_id,service,start_time,duration,status';

  it('are read 31 days at a time, each once, with all columns', async () => {
    const range = ['--from', '2026-03-01T09:00:00Z', '--to', '2026-08-30T00:00:00Z'];
    const rows = await exportCsv('appointments', 'list', ...range, '--columns', columns);
    const words: Record<string, string> = {
      ...{ ACCEPTED: 'confirmed', PENDING: 'pending', NO_SHOW: 'no_show' },
      CANCELLED_BY_CUSTOMER: 'cancelled',
    };
    const truth = (await machine.all('appointments')).map((row) => {
      const [segment] = row['appointment_segments'] as readonly Row[];
      return {
        ...{ id: row['id'], client_id: row['customer_id'], stylist_id: segment?.['team_member_id'] },
        ...{ service: segment?.['service_variation_id'], start_time: row['start_at'] },
        ...{ duration: String(segment?.['duration_minutes']), status: words[String(row['status'])] },
      };
    });
    expect(rows).toEqual(truth);
    const windows = sentWindows();
    expect(windows).toHaveLength(6);
    for (const [from, to] of windows)
      expect(Date.parse(String(to)) - Date.parse(String(from))).toBeLessThanOrEqual(31 * 86_400_000);
  });

  it('stop at a limit that lies in a later part', async () => {
    const flags = ['--from', '2026-03-01', '--to', '2026-08-30', '--limit', '15', '--columns', 'id'];
    const rows = await exportCsv('appointments', 'list', ...flags);
    const ids = (await machine.all('appointments')).slice(0, 15).map(({ id }) => ({ id }));
    expect(rows).toEqual(ids);
    expect(sentWindows()).toHaveLength(2);
  });

  it.each([
    ['without a range', []],
    ['with a start alone', ['--from', '2026-03-01']],
  ])('are refused in a sentence %s, before anything is sent', async (_how, flags) => {
    const ran = await machine.salon('appointments', 'list', '--json', ...flags);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('lists appointments only between two times');
    expect(sentWindows()).toEqual([]);
  });

  it('of one stylist are those that the server has', async () => {
    const flags = ['--from', '2026-03-01', '--to', '2026-05-01', '--stylist', 'TMXUrsBWWcHTt791'];
    const rows = await exportCsv('appointments', 'list', ...flags, '--columns', 'id,stylist_id');
    expect(rows).toHaveLength(11);
    expect(new Set(rows.map((row) => row['stylist_id']))).toEqual(new Set(['TMXUrsBWWcHTt791']));
  });

  it('keep the other fields of a segment when its length changes', async () => {
    const [before] = await machine.all('appointments');
    const ran = await machine.salon('appointments', 'update', String(before?.['id']), '--set', 'duration=90');
    expect(ran).toMatchObject({ exitCode: 0 });
    const [segment] = (before?.['appointment_segments'] ?? []) as readonly Row[];
    expect((await machine.all('appointments'))[0]).toEqual({
      ...before,
      version: 1,
      appointment_segments: [{ ...segment, duration_minutes: 90 }],
    });
  });

  it('have stylists with the ID of their own key', async () => {
    const rows = await exportCsv('stylists', 'list', '--columns', 'id,display_name,active');
    expect(rows).toEqual([
      { id: 'TMXUrsBWWcHTt790', display_name: 'Sandbox Seller', active: 'true' },
      { id: 'TMXUrsBWWcHTt791', display_name: 'Jo Stylist', active: 'false' },
    ]);
  });
});

describe('Easy!Appointments', () => {
  let easy: ConnectedMachine;

  beforeEach(async () => {
    easy = await connect({ kind: easyAppointments, via: { dialect: { extends: 'easyappointments' } } });
  });

  afterEach(() => easy[Symbol.asyncDispose]());

  const salon = (...argv: string[]) => easy.salon(...argv, '--time-zone', 'Europe/Berlin');

  it('gets local times and the end of a new appointment', async () => {
    const set = [
      'client_id=1',
      'stylist_id=2',
      'service=1',
      'start_time=2026-04-01T12:00:00Z',
      'duration=45',
    ];
    const ran = await salon('appointments', 'create', ...set.flatMap((one) => ['--set', one]), '--json');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect((await easy.all('appointments')).at(-1)).toMatchObject({
      ...{ start: '2026-04-01 14:00:00', end: '2026-04-01 14:45:00' },
      ...{ customerId: 1, providerId: 2, serviceId: 1 },
    });
  });

  it.each([
    [
      'is moved with its length',
      'start_time=2026-04-01T12:00:00Z',
      '2026-04-01 14:00:00',
      '2026-04-01 14:45:00',
    ],
    ['gets another length', 'duration=60', '2026-03-03 09:30:00', '2026-03-03 10:30:00'],
    ['keeps its times', 'notes=Window seat', '2026-03-03 09:30:00', '2026-03-03 10:15:00'],
  ])('keeps everything else of an appointment that %s', async (_what, change, start, end) => {
    const before = (await easy.all('appointments'))[1];
    const ran = await salon('appointments', 'update', '2', '--set', change);
    expect(ran).toMatchObject({ exitCode: 0 });
    const notes = change.startsWith('notes') ? 'Window seat' : null;
    expect((await easy.all('appointments'))[1]).toEqual({ ...before, start, end, notes });
  });

  it('keeps a word that another one would mean, too', async () => {
    const at = (await easy.all('appointments')).findIndex(({ status }) => status === '');
    const ran = await salon('appointments', 'update', String(at + 1), '--set', 'notes=New');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect((await easy.all('appointments'))[at]).toMatchObject({ status: '', notes: 'New' });
  });

  it('refuses what is not valid with 500, which is sent once and changes nothing', async () => {
    const before = await easy.all();
    const ran = await salon(
      'clients',
      'create',
      '--set',
      'first_name=Ana',
      '--set',
      'last_name=Sá',
      '--json',
    );
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      ...{ code: 'refused', message: 'Invalid email address provided.', status: 500 },
    });
    expect(easy.server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(await easy.all()).toEqual(before);
  });

  it('shows its appointments in a calendar and conditions', async () => {
    const calendar = await salon('calendar', '2026-03-04', '--json');
    expect(calendar).toMatchObject({ exitCode: 0 });
    expect(calendar.stdout).toContain('"end_time":"2026-03-04T09:15:00Z"');
    const free = await salon('clients', 'list', '--no-upcoming', '--json');
    expect(free.exitCode, free.stderr).toBe(0);
    expect(JSON.parse(free.stdout)).toHaveLength(7);
  });
});

describe('Square', () => {
  it('shows its bookings in a calendar', async () => {
    const ran = await machine.salon('calendar', '2026-03-10', '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('TMXUrsBWWcHTt790');
  });

  it('counts no-shows in a report of more than 31 days', async () => {
    const range = ['--from', '2026-03-01', '--to', '2026-06-30'];
    const ran = await machine.salon('report', 'no-shows', ...range, '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('"no_shows":10');
  });
});

describe('a client of Square', () => {
  it('is deleted once its bookings were looked at for two years, which is said', async () => {
    const id = String((await machine.all())[6]?.['id']);
    const ran = await machine.salon('clients', 'delete', id, '--yes');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/Upcoming appointments are looked at until \d{4}-\d\d-\d\d, because/);
    const ends = sentWindows().map(([, to]) => Date.parse(String(to)));
    expect(Math.max(...ends)).toBeGreaterThan(Date.now() + 730 * 86_400_000);
  });
});
