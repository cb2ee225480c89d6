import { appointment } from '../../contract/appointment.ts';
import { blockedTime } from '../../contract/blocked-time.ts';
import { client } from '../../contract/client.ts';
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

/** The columns of the contract. Numbers, also 0 and 1 for false and true, are integers. */
export function columnsOfCopy(table: CopyTable) {
  return toColumns(copyTables[table].record.properties).map(({ key, kind }) => ({
    key,
    type: ['integer', 'minutes', 'amount', 'boolean'].includes(kind) ? 'integer' : 'text',
  }));
}

/** Creates everything, without any rows. */
export function renderSchema(): string {
  const tables = copyTableNames.map((table) => {
    const columns = columnsOfCopy(table).map(
      ({ key, type }) => `"${key}" ${type}${key === 'id' ? ' primary key not null' : ''}`,
    );
    return `create table ${table} (${columns.join(', ')}, raw text not null)`;
  });
  return [...tables, ownTables, ...copyTableNames.map(renderView)].join(';\n');
}

/** What the copy is of, and what its views calculate with. */
const ownTables = `
  create table salon_sync (origin text not null, account text, salon text, position text, time_zone text,
    tz_version text, currency text, synced_at text not null, has_remains integer not null);
  create table clock (starts_at integer primary key, offset_minutes integer not null);
  create table currencies (code text primary key, factor integer not null)`;

const contact = `${clientName('c')} as client_name, c.phone as client_phone, c.email as client_email`;
const stylistOf = `${stylistName('s')} as stylist_name`;
const currency = '(select currency from salon_sync)';
const joins = {
  client: 'left join clients c on c.id = t.client_id',
  stylist: 'left join stylists s on s.id = t.stylist_id',
  currency: `left join currencies m on m.code = ${currency}`,
};

/** What people ask for besides the columns of a table, and where it is from. */
const views: Readonly<Record<CopyTable, readonly [columns: string, from: string]>> = {
  clients: [
    `${clientName('t')} as name, ${stylistName('s')} as preferred_stylist_name`,
    'left join stylists s on s.id = t.preferred_stylist_id',
  ],
  stylists: [`${stylistName('t')} as name`, ''],
  services: [`${currency} as currency, ${toUnits('price')}`, joins.currency],
  appointments: [
    `${contact}, ${stylistOf}, ${toLocal('t.start_time')} as local_start,
      ${toLocal("t.start_time, '+' || t.duration || ' minutes'")} as local_end,
      substr(${toLocal('t.start_time')}, 1, 10) as local_day,
      ${currency} as currency, ${toUnits('price')}, ${toUnits('paid_amount')}`,
    `${joins.client} ${joins.stylist} ${joins.currency}`,
  ],
  payments: [
    `${contact}, a.service, a.stylist_id, ${stylistOf}, ${toLocal('t.created_at')} as local_time,
      substr(${toLocal('t.created_at')}, 1, 10) as local_day,
      ${toUnits('amount')}, ${toUnits('tip_amount')}, ${toUnits('refunded_amount')}`,
    `${joins.client} left join appointments a on a.id = t.appointment_id
      left join stylists s on s.id = a.stylist_id left join currencies m on m.code = t.currency`,
  ],
  blocked_times: [
    `${stylistOf}, ${toLocal('t.start_time')} as local_start, ${toLocal('t.end_time')} as local_end`,
    joins.stylist,
  ],
  waitlist: [
    `${contact}, ${stylistOf}, ${toLocal('t."from"')} as local_from, ${toLocal('t."to"')} as local_to`,
    `${joins.client} ${joins.stylist}`,
  ],
};

function renderView(table: CopyTable): string {
  const own = columnsOfCopy(table).map(({ key }) => `t."${key}"`);
  const [columns, from] = views[table];
  return `create view ${table}_view as select ${own.join(', ')}, ${columns} from ${table} t ${from}`;
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
