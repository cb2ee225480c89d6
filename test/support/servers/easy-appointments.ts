import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  empty,
  notAllowed,
  type OtherServerOptions,
  openOtherServer,
  readInteger,
  readObject,
  type ServerKind,
  sortRows,
  withOwnNames,
} from './other-server.ts';

/**
 * The REST API of Easy!Appointments 1.5: https://easyappointments.org/documentation/rest-api/ and its OpenAPI file. Bare
 * arrays by `page` and `length` without a total, no rows beyond the end, unknown parameters and fields ignored, local
 * times, PUT keeps what is left out, 404 without a body, and 500 with `"success": false` for what is not valid.
 */
export const easyAppointments: ServerKind = {
  name: 'Easy!Appointments',
  dialect: 'easyappointments',
  addresses: { prefix: '/index.php/api/v1', resources: { clients: 'customers', stylists: 'providers' } },
  fields: {
    ...{ first: 'firstName', last: 'lastName', email: 'email', phone: 'phone', notes: 'notes' },
    // It shows neither time of a customer; the IDs ascend.
    ...{ created: 'id', updated: 'id' },
  },
  toOwn: withOwnNames('easyappointments'),
  open: openEasyAppointments,
};

const customerFields = [
  ...['firstName', 'lastName', 'email', 'phone', 'address', 'city', 'zip', 'notes', 'timezone', 'language'],
  ...['customField1', 'customField2', 'customField3', 'customField4', 'customField5', 'ldapDn'],
];
const appointmentFields = [
  ...['book', 'start', 'end', 'hash', 'color', 'status', 'location', 'notes'],
  ...['customerId', 'providerId', 'serviceId', 'googleCalendarId'],
];

interface Table {
  readonly store: ReturnType<typeof createClientStore>;
  readonly fields: readonly string[];
  /** Why a record is not valid. */
  readonly findProblem: (row: Row) => string | undefined;
}

function openEasyAppointments(options: OtherServerOptions = {}) {
  const { count = 7, toId } = options;
  const blank = Object.fromEntries(customerFields.map((name) => [name, null]));
  const customers = createClientStore({
    count,
    toId,
    toRow: ({ first_name, last_name, phone, notes }, number) => ({
      ...{ ...blank, firstName: first_name, lastName: last_name, email: `client${number}@example.com` },
      ...{ phone, notes, timezone: 'Europe/Berlin', language: 'english' },
    }),
  });
  const appointments = createClientStore({ count: Math.min(count, 12), toRow: toAppointment });
  const tables: Readonly<Record<string, Table>> = {
    customers: {
      store: customers,
      fields: customerFields,
      findProblem: ({ email }) =>
        /^\S+@\S+$/.test(String(email)) ? undefined : 'Invalid email address provided',
    },
    appointments: {
      store: appointments,
      fields: appointmentFields,
      findProblem: ({ start, end }) =>
        String(start) < String(end) ? undefined : 'The appointment must be at least five minutes long',
    },
  };
  return openOtherServer(
    {
      store: customers,
      others: { appointments: appointments.all },
      handle: (request) => handle(request, tables),
      unauthorized: empty(401),
      failure: (status) => json({ success: false, message: 'Something went wrong.' }, { status }),
    },
    options,
  );
}

function toAppointment(_person: Row, number: number): Row {
  const day = `2026-03-${String(number + 1).padStart(2, '0')}`;
  return {
    ...{ book: '2026-02-01 10:00:00', start: `${day} 09:30:00`, end: `${day} 10:15:00`, hash: `h${number}` },
    ...{ color: '#7cbae8', status: ['Booked', '', 'Cancelled'][number % 3], location: null, notes: null },
    ...{ customerId: (number % 5) + 1, providerId: (number % 2) + 1, serviceId: 1, googleCalendarId: null },
  };
}

function handle(request: Received, tables: Readonly<Record<string, Table>>): Reply {
  const [, file, api, version, noun = '', id] = request.path.split('/');
  const table = [file, api, version].join('/') === 'index.php/api/v1' ? tables[noun] : undefined;
  if (table === undefined) return empty(404);
  const { method } = request;
  if (id !== undefined) return handleOne(request, table, decodeURIComponent(id));
  if (method === 'GET') return list(request, table);
  return method === 'POST' ? save(request, table) : notAllowed('GET, POST');
}

function list({ query }: Received, { store, fields }: Table): Reply {
  const words = (query.get('q') ?? '').toLowerCase();
  const sort = query.get('sort') ?? '';
  const field = sort.replace(/^[-+]/, '');
  const matching = store.all().filter((row) => JSON.stringify(row).toLowerCase().includes(words));
  const isKnown = fields.includes(field) || field === 'id';
  const sorted = field === 'id' ? matching : sortRows(matching, field, false);
  const rows = isKnown ? (sort.startsWith('-') ? sorted.toReversed() : sorted) : matching;
  const same = ['customerId', 'providerId', 'serviceId'].filter((name) => query.has(name));
  const filtered = rows.filter((row) =>
    same.every((name) => !fields.includes(name) || String(row[name]) === query.get(name)),
  );
  const length = readInteger(query.get('length')) ?? 20;
  const start = ((readInteger(query.get('page')) ?? 1) - 1) * length;
  return json(filtered.slice(start, start + length));
}

function handleOne(request: Received, table: Table, id: string): Reply {
  const row = table.store.find(id);
  if (row === undefined) return empty(404);
  if (request.method === 'GET') return json(row);
  if (request.method === 'PUT') return save(request, table, row);
  if (request.method !== 'DELETE') return notAllowed('GET, PUT, DELETE');
  table.store.remove(id);
  return empty(204);
}

function save(request: Received, { store, fields, findProblem }: Table, before?: Row): Reply {
  const given = Object.entries(readObject(request) ?? {}).filter(([name]) => fields.includes(name));
  const blank = Object.fromEntries(fields.map((name) => [name, null]));
  const numbers = given.map(([name, value]) => [name, /Id$/.test(name) && value ? Number(value) : value]);
  const row: Row = { ...(before ?? blank), ...Object.fromEntries(numbers) };
  const problem = findProblem(row);
  if (problem !== undefined)
    return json({ success: false, message: `${problem}.`, trace: [] }, { status: 500 });
  if (before !== undefined) return json(store.replace(String(before['id']), row));
  return json(store.add(row), { status: 201 });
}
