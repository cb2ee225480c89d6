import { expect } from 'vitest';
import { openDatabase } from '../../src/service/db/database.ts';
import { type NewPerson, testPassword } from './members.ts';
import { openTestService, type TestService, type TestServiceOptions } from './service.ts';
import { createVisitor, type VisitedPage, type Visitor } from './visitor.ts';

export const minuteMs = 60_000;

/** What a person types to sign in, and their ID. */
interface SigningPerson {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** A service with people who visit its pages, with a manual clock. */
export interface VisitedService extends AsyncDisposable {
  readonly service: TestService;
  now(): number;
  moveClock(byMs: number): void;
  /** A person with an address of their own, by default an owner. */
  addPerson(person?: NewPerson): Promise<SigningPerson>;
  visit(): Visitor;
  signIn(person: Pick<SigningPerson, 'email' | 'password'>, visitor?: Visitor): Promise<VisitedPage>;
  /** A new person in a browser of their own. */
  openSignedIn(person?: NewPerson): Promise<{ person: SigningPerson; visitor: Visitor; page: VisitedPage }>;
  isSignedIn(visitor: Visitor): Promise<boolean>;
  /** The actions in the audit log about a record, oldest first. */
  readActions(recordId: string): Promise<string[]>;
}

export async function openVisitedService(options: TestServiceOptions = {}): Promise<VisitedService> {
  let nowMs = Date.parse('2026-11-23T09:00:00Z');
  let people = 0;
  const service = await openTestService({ ...options, now: () => new Date(nowMs) });
  const visited: VisitedService = {
    service,
    now: () => nowMs,
    moveClock(byMs) {
      nowMs += byMs;
    },
    async addPerson(person = {}) {
      people += 1;
      const { email = `person-${people}@salon.example`, password = testPassword } = person;
      return { id: await service.addPerson({ ...person, email, password }), email, password };
    },
    visit: () => createVisitor(service.origin),
    async signIn({ email, password }, visitor = visited.visit()) {
      return visitor.submit(await visitor.open('/sign-in'), { email, password });
    },
    async openSignedIn(given) {
      const person = await visited.addPerson(given);
      const visitor = visited.visit();
      const page = await visited.signIn(person, visitor);
      expect([page.status, page.url]).toEqual([200, '/settings/account']);
      return { person, visitor, page };
    },
    isSignedIn: async (visitor) => (await visitor.open('/settings/security')).url.startsWith('/settings/'),
    async readActions(recordId) {
      await using database = await openDatabase(service.database);
      const text = 'select action from audit_entries where record_id = ? order by seq';
      const rows = await database.reader.run<{ action: string }>(text, [recordId]);
      return rows.map(({ action }) => action);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
  return visited;
}
