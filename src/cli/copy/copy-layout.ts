import { appointment } from '../../contract/appointment.ts';
import { blockedTime } from '../../contract/blocked-time.ts';
import { changedKinds } from '../../contract/changes.ts';
import { client } from '../../contract/client.ts';
import { scopeOf } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { payment } from '../../contract/payment.ts';
import { salonService } from '../../contract/salon-service.ts';
import { stylist } from '../../contract/stylist.ts';
import { waitlistEntry } from '../../contract/waitlist.ts';
import { toColumns } from '../output/columns.ts';

/** In the header of the file, as SQLite provides for: it tells a copy from any other database ("slcp"). */
export const copyApplicationId = 0x736c6370;
/** A copy with a higher version is of a newer release. */
export const copyVersion = 1;

/** The tables in the order in which their lists are read: records before those that they name. */
export const copyTables = {
  waitlist: { list: 'waitlist', resource: 'waitlist_entry', record: waitlistEntry },
  blocked_times: { list: 'blockedTimes', resource: 'blocked_time', record: blockedTime },
  payments: { list: 'payments', resource: 'payment', record: payment },
  appointments: { list: 'appointments', resource: 'appointment', record: appointment },
  clients: { list: 'clients', resource: 'client', record: client },
  services: { list: 'services', resource: 'service', record: salonService },
  stylists: { list: 'stylists', resource: 'stylist', record: stylist },
} as const;

export type CopyTable = keyof typeof copyTables;

export const copyTableNames = Object.keys(copyTables) as readonly CopyTable[];

/** The scope that reads the records of a table. */
export function scopeOfCopy(table: CopyTable) {
  return scopeOf(endpoints[changedKinds[copyTables[table].resource]]);
}

/** The columns of the contract. Numbers, also 0 and 1 for false and true, are integers. */
export function columnsOfCopy(table: CopyTable) {
  return toColumns(copyTables[table].record.properties).map(({ key, kind }) => ({
    key,
    type: ['integer', 'minutes', 'amount', 'boolean'].includes(kind) ? 'integer' : 'text',
  }));
}

/** Creates tables without any rows, unless they are there, and their views. */
export function renderTables(tables: readonly CopyTable[]): string {
  const creations = tables.map((table) => {
    const columns = columnsOfCopy(table).map(
      ({ key, type }) => `"${key}" ${type}${key === 'id' ? ' primary key not null' : ''}`,
    );
    return `create table if not exists ${table} (${columns.join(', ')}, raw text not null)`;
  });
  return [...creations, ...tables.map((table) => renderView(table, tables))].join(';\n');
}

/** What the copy is of, and what its views calculate with. */
export const ownTables = `
  create table salon_sync (origin text not null, account text, salon text, position text, time_zone text,
    tz_version text, currency text, synced_at text not null, has_remains integer not null);
  create table clock (starts_at integer primary key, offset_minutes integer not null);
  create table currencies (code text primary key, factor integer not null)`;

/** Columns of a view, and where they are from. Without the tables that they need, the view does not have them. */
interface ViewPart {
  readonly columns: string;
  readonly from?: string;
  readonly needs?: readonly CopyTable[];
}

const ofClient: ViewPart = {
  columns: `${clientName('c')} as client_name, c.phone as client_phone, c.email as client_email`,
  from: 'left join clients c on c.id = t.client_id',
  needs: ['clients'],
};

const ofStylist = toStylist('t.stylist_id', 'stylist_name');

/** What people ask for besides the columns of a table. */
const views: Readonly<Record<CopyTable, readonly ViewPart[]>> = {
  clients: [
    { columns: `${clientName('t')} as name` },
    toStylist('t.preferred_stylist_id', 'preferred_stylist_name'),
  ],
  stylists: [{ columns: `${stylistName('t')} as name` }],
  services: [toMoney('price')],
  appointments: [
    ofClient,
    ofStylist,
    {
      columns: `${toLocal('t.start_time')} as local_start,
        ${toLocal("t.start_time, '+' || t.duration || ' minutes'")} as local_end,
        substr(${toLocal('t.start_time')}, 1, 10) as local_day`,
    },
    toMoney('price', 'paid_amount'),
  ],
  payments: [
    ofClient,
    {
      columns: 'a.service, a.stylist_id',
      from: 'left join appointments a on a.id = t.appointment_id',
      needs: ['appointments'],
    },
    { ...toStylist('a.stylist_id', 'stylist_name'), needs: ['appointments', 'stylists'] },
    {
      columns: `${toLocal('t.created_at')} as local_time, substr(${toLocal('t.created_at')}, 1, 10) as local_day,
        ${toUnits('amount')}, ${toUnits('tip_amount')}, ${toUnits('refunded_amount')}`,
      from: 'left join currencies m on m.code = t.currency',
    },
  ],
  blocked_times: [
    ofStylist,
    { columns: `${toLocal('t.start_time')} as local_start, ${toLocal('t.end_time')} as local_end` },
  ],
  waitlist: [
    ofClient,
    ofStylist,
    { columns: `${toLocal('t."from"')} as local_from, ${toLocal('t."to"')} as local_to` },
  ],
};

function renderView(table: CopyTable, tables: readonly CopyTable[]): string {
  const own = columnsOfCopy(table).map(({ key }) => `t."${key}"`);
  const parts = views[table].filter(({ needs = [] }) => needs.every((name) => tables.includes(name)));
  const columns = [...own, ...parts.map((part) => part.columns)].join(', ');
  return `create view ${table}_view as select ${columns} from ${table} t ${parts.map(({ from = '' }) => from).join(' ')}`;
}

function toStylist(id: string, name: string): ViewPart {
  return {
    columns: `${stylistName('s')} as ${name}`,
    from: `left join stylists s on s.id = ${id}`,
    needs: ['stylists'],
  };
}

/** Amounts in the currency of the salon. */
function toMoney(...columns: readonly string[]): ViewPart {
  const currency = '(select currency from salon_sync)';
  return {
    columns: [`${currency} as currency`, ...columns.map(toUnits)].join(', '),
    from: `left join currencies m on m.code = ${currency}`,
  };
}

function clientName(alias: string): string {
  return `coalesce(${fullName(alias)}, nullif(${alias}.email, ''), nullif(${alias}.phone, ''))`;
}

function stylistName(alias: string): string {
  return `coalesce(nullif(${alias}.display_name, ''), ${fullName(alias)}, ${alias}.id)`;
}

function fullName(alias: string): string {
  return `nullif(trim(coalesce(${alias}.first_name, '') || ' ' || coalesce(${alias}.last_name, '')), '')`;
}

/** `2026-11-21 09:30` in the salon's time zone, which SQLite does not know: the offsets are in a table. */
function toLocal(time: string): string {
  const offset = `select offset_minutes from clock where starts_at <= unixepoch(${time}) order by starts_at desc limit 1`;
  return `strftime('%Y-%m-%d %H:%M', ${time}, (${offset}) || ' minutes')`;
}

/** `price_units` of `price`, and `tip_units` of `tip_amount`. */
function toUnits(column: string): string {
  const name = column === 'amount' ? column : column.replace('_amount', '');
  return `t.${column} * 1.0 / m.factor as ${name}_units`;
}
