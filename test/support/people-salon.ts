import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SalonClient } from '../../src/client/client.ts';
import type { Scope } from '../../src/contract/roles.ts';
import { addClient } from '../../src/service/domain/clients.ts';
import { createStylist } from '../../src/service/domain/stylists.ts';
import { createMachine, type RunOptions, type RunResult } from './io.ts';
import { openSharedService, type TestAccount } from './service.ts';

/** A Saturday at noon. */
export const peopleNow = new Date('2026-11-21T12:00:00Z');

export interface PeopleSalon extends AsyncDisposable {
  readonly client: SalonClient;
  readonly env: { readonly SALON_BASE_URL: string; readonly SALON_API_KEY: string };
  readonly ids: Readonly<Record<PersonKey, string>>;
  /** Runs a command and returns the requests that it sent too, such as `GET clients`. */
  salon(argv: readonly string[], options?: RunOptions): Promise<RunResult & { readonly requests: string[] }>;
  /** Runs a command at a terminal for screen readers, where the answers are typed ahead, a line each. */
  talk(words: string, answers: readonly string[]): ReturnType<PeopleSalon['salon']>;
  book(who: PersonKey, change?: object): Promise<string>;
  readonly keys: TestAccount['keys'];
  /** A key with some rights only. */
  addKey(scopes: readonly Scope[]): Promise<string>;
}

const people = {
  ana: { first_name: 'Ana', last_name: 'Costa', phone: '+351912345678', email: 'ana@costa.example' },
  anaMaria: { first_name: 'Ana María', last_name: 'Núñez', phone: '+351918887766' },
  joao: { first_name: 'João', last_name: 'Silva', email: 'joao@silva.example' },
  bob: { first_name: 'Bob', last_name: 'Twin', phone: '+351910000001' },
  otherBob: { first_name: 'Bob', last_name: 'Twin', phone: '+351910000002' },
} as const;

type PersonKey = keyof typeof people;

/** The real service with two stylists, Quinn Sato and Ravi Brandt, and clients with similar names. */
export async function openPeopleSalon(): Promise<
  PeopleSalon & { readonly quinn: string; readonly ravi: string }
> {
  const service = await openSharedService({ clients: 0, now: peopleNow });
  const client = createClient({
    baseUrl: service.origin,
    credential: { kind: 'bearer', token: service.keys.owner },
  });
  const ids = {} as Record<PersonKey, string>;
  const [quinn, ravi] = await service.asOperator(async (operator) => {
    for (const [key, body] of Object.entries(people)) {
      ids[key as PersonKey] = (await addClient(operator, body)).id;
    }
    const stylists = [
      { first_name: 'Quinn', last_name: 'Sato', display_name: 'Quinn S.' },
      { first_name: 'Ravi', last_name: 'Brandt', display_name: 'Ravi' },
    ].map((body) => createStylist(operator, body));
    const [first, second] = await Promise.all(stylists);
    return [first?.id ?? '', second?.id ?? ''];
  });
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
  const machine = createMachine({ env, now: peopleNow, timeZone: 'Europe/Lisbon' });
  const salon: PeopleSalon['salon'] = async (argv, options) => {
    const file = join(machine.home, 'requests.har');
    rmSync(file, { force: true });
    const ran = await machine.salon([...argv, '--trace', 'requests.har'], options);
    return { ...ran, requests: readRequests(file) };
  };
  return {
    client,
    env,
    keys: service.keys,
    ids,
    quinn,
    ravi,
    salon,
    talk: (words, answers) =>
      salon([...words.split(' '), '--plain', '--json'], {
        columns: 80,
        stdin: answers.map((answer) => `${answer}\n`).join(''),
      }),
    addKey: async (scopes) => (await service.addKey({ scopes: [...scopes] })).key,
    async book(who, change = {}) {
      const written = await client.appointments.create({
        client_id: ids[who] ?? '',
        stylist_id: quinn,
        service: 'Balayage',
        start_time: '2026-11-27T15:00:00Z',
        duration: 60,
        ...change,
      });
      return written.id ?? '';
    },
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await client.close();
    },
  };
}

/** The requests in a file of --trace, such as `GET clients`. */
export function readRequests(file: string): string[] {
  if (!existsSync(file)) return [];
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: { request: Sent }[] } };
  return log.entries.map(({ request }) => {
    const [, noun] = new URL(request.url).pathname.replace(/^\/api\/v1/, '').split('/');
    return `${request.method} ${noun}`;
  });
}

interface Sent {
  readonly method: string;
  readonly url: string;
}

/** Leaves only Quinn and Ravi to be booked. */
export async function retireSampleStylists({
  client,
  quinn,
  ravi,
}: Awaited<ReturnType<typeof openPeopleSalon>>): Promise<void> {
  for await (const { rows } of client.stylists.list()) {
    for (const { id } of rows.filter((row) => ![quinn, ravi].includes(row.id))) {
      await client.stylists.update(id, { active: false });
    }
  }
}
