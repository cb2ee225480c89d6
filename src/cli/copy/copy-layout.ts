import { appointment } from '../../contract/appointment.ts';
import { blockedTime } from '../../contract/blocked-time.ts';
import { client } from '../../contract/client.ts';
import { payment } from '../../contract/payment.ts';
import { salonService } from '../../contract/salon-service.ts';
import { stylist } from '../../contract/stylist.ts';
import { waitlistEntry } from '../../contract/waitlist.ts';
import { type ColumnKind, toColumns } from '../output/columns.ts';

/** In the header of the file, as SQLite provides for: it tells a copy from any other database. */
export const copyApplicationId = 0x53414c4e;
/** A copy with a higher version is of a newer release. */
export const layoutVersion = 1;

const numbers: readonly ColumnKind[] = ['integer', 'minutes', 'amount', 'boolean'];

/** The tables, with the list of the client that each is a copy of: records are read before those that they name. */
export const copyTables = {
  waitlist: { list: 'waitlist', columns: toTableColumns(waitlistEntry.properties) },
  blocked_times: { list: 'blockedTimes', columns: toTableColumns(blockedTime.properties) },
  payments: { list: 'payments', columns: toTableColumns(payment.properties) },
  appointments: { list: 'appointments', columns: toTableColumns(appointment.properties) },
  clients: { list: 'clients', columns: toTableColumns(client.properties) },
  services: { list: 'services', columns: toTableColumns(salonService.properties) },
  stylists: { list: 'stylists', columns: toTableColumns(stylist.properties) },
} as const;

export type CopyTable = keyof typeof copyTables;

export const copyTableNames = Object.keys(copyTables) as readonly CopyTable[];

export interface CopyColumn {
  readonly key: string;
  readonly type: 'text' | 'integer';
}

function toTableColumns(properties: Parameters<typeof toColumns>[0]): readonly CopyColumn[] {
  return toColumns(properties).map(({ key, kind }) => ({
    key,
    type: numbers.includes(kind) ? 'integer' : 'text',
  }));
}

/** Creates everything, without any rows. */
export function renderSchema(): string {
  const tables = copyTableNames.map((table) => {
    const columns = copyTables[table].columns.map(
      ({ key, type }) => `"${key}" ${type}${key === 'id' ? ' primary key not null' : ''}`,
    );
    return `create table ${table} (${columns.join(', ')}, raw text not null)`;
  });
  return [...tables, ...ownTables, ...renderViews()].join(';\n');
}

/** What the copy is of, and what its views calculate with. */
const ownTables = [
  `create table salon_sync (origin text not null, account text, salon text, time_zone text, tz_version text,
    currency text, synced_at text not null, has_remains integer not null)`,
  'create table clock (starts_at integer primary key, offset_minutes integer not null)',
  'create table currencies (code text primary key, factor integer not null)',
];

/** A view beside each table: its columns, and what people ask for with them. */
function renderViews(): readonly string[] {
  const joins = {
    client: 'left join clients c on c.id = t.client_id',
    stylist: 'left join stylists s on s.id = t.stylist_id',
    salonCurrency: 'left join currencies m on m.code = (select currency from salon_sync)',
  };
  const contact = { client_name: clientName('c'), client_phone: 'c.phone', client_email: 'c.email' };
  const currency = '(select currency from salon_sync)';
  const view = (table: CopyTable, added: Readonly<Record<string, string>>, ...from: readonly string[]) => {
    const own = copyTables[table].columns.map(({ key }) => `t."${key}"`);
    const others = Object.entries(added).map(([name, value]) => `${value} as ${name}`);
    return `create view ${table}_view as select ${[...own, ...others].join(', ')} from ${[`${table} t`, ...from].join(' ')}`;
  };
  const end = `unixepoch(t.start_time) + t.duration * 60`;
  return [
    view(
      'clients',
      { name: clientName('t'), preferred_stylist_name: stylistName('s') },
      'left join stylists s on s.id = t.preferred_stylist_id',
    ),
    view('stylists', { name: stylistName('t') }),
    view('services', { currency, price_units: toUnits('t.price') }, joins.salonCurrency),
    view(
      'appointments',
      {
        ...contact,
        stylist_name: stylistName('s'),
        local_start: toLocal('unixepoch(t.start_time)'),
        local_end: toLocal(end),
        local_day: `substr(${toLocal('unixepoch(t.start_time)')}, 1, 10)`,
        currency,
        price_units: toUnits('t.price'),
        paid_units: toUnits('t.paid_amount'),
      },
      joins.client,
      joins.stylist,
      joins.salonCurrency,
    ),
    view(
      'payments',
      {
        ...contact,
        service: 'a.service',
        stylist_id: 'a.stylist_id',
        stylist_name: stylistName('s'),
        local_time: toLocal('unixepoch(t.created_at)'),
        local_day: `substr(${toLocal('unixepoch(t.created_at)')}, 1, 10)`,
        amount_units: toUnits('t.amount'),
        tip_units: toUnits('t.tip_amount'),
        refunded_units: toUnits('t.refunded_amount'),
      },
      joins.client,
      'left join appointments a on a.id = t.appointment_id left join stylists s on s.id = a.stylist_id',
      'left join currencies m on m.code = t.currency',
    ),
    view(
      'blocked_times',
      {
        stylist_name: stylistName('s'),
        local_start: toLocal('unixepoch(t.start_time)'),
        local_end: toLocal('unixepoch(t.end_time)'),
      },
      joins.stylist,
    ),
    view(
      'waitlist',
      {
        ...contact,
        stylist_name: stylistName('s'),
        local_from: toLocal('unixepoch(t."from")'),
        local_to: toLocal('unixepoch(t."to")'),
      },
      joins.client,
      joins.stylist,
    ),
  ];
}

function clientName(alias: string): string {
  return `coalesce(${fullName(alias)}, nullif(${alias}.email, ''), nullif(${alias}.phone, ''))`;
}

function stylistName(alias: string): string {
  return `coalesce(nullif(${alias}.display_name, ''), ${fullName(alias)}, ${alias}.id)`;
}

function fullName(alias: string): string {
  const both = `coalesce(${alias}.first_name, '') || ' ' || coalesce(${alias}.last_name, '')`;
  return `nullif(trim(${both}), '')`;
}

/** `2026-11-21 09:30` in the salon's time zone, which SQLite does not know: the offsets are in a table. */
function toLocal(seconds: string): string {
  const offset = `select offset_minutes from clock where starts_at <= ${seconds} order by starts_at desc limit 1`;
  return `strftime('%Y-%m-%d %H:%M', ${seconds}, 'unixepoch', (${offset}) || ' minutes')`;
}

function toUnits(minorUnits: string): string {
  return `${minorUnits} * 1.0 / m.factor`;
}
