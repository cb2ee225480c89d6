import { join } from 'node:path';
import type { Dialect } from '../../../src/client/dialect/dialect.ts';
import type { Row } from '../../support/servers/client-store.ts';
import { contractFields, type FieldsInUse } from '../../support/servers/other-server.ts';
import type { FactsOf } from '../facts.ts';
import type { AnyConnection } from '../machine.ts';
import { makeRecords, type Records } from './records.ts';

/** Real software in a process. */
export interface RunningSoftware extends AsyncDisposable {
  readonly origin: string;
  /** Replaces all records. */
  put(records: Records): Promise<void>;
  read(): Promise<Records>;
}

/** One way in which a software is set up. */
export interface RealKind {
  /** As the guide's table shows it: with the version. */
  readonly name: string;
  /** Name of the file in `dialects`, or of a ready-made dialect. */
  readonly dialect: string;
  /** Path of its lists below the origin. */
  readonly path?: string;
  readonly fields?: FieldsInUse;
  /** Filters that a sign-in without a dialect has to find out, or to leave to us. */
  readonly filters?: Dialect['filterNames'];
  /** What is known of it, also for its stub. */
  readonly facts?: FactsOf;
}

/** Software of somebody else and how it starts. */
export interface RealSoftware {
  readonly title: string;
  readonly kinds: readonly RealKind[];
  start(): Promise<RunningSoftware>;
}

/** The file with the dialect that is declared for a kind. */
export function dialectFile({ dialect }: RealKind): string {
  return join(import.meta.dirname, '..', 'dialects', `${dialect}.json`);
}

/** A connection to running software by the dialect that is declared for it. */
export function connectReal(running: () => RunningSoftware, kind: RealKind): AnyConnection {
  return {
    kind: {
      name: kind.name,
      fields: kind.fields ?? contractFields,
      async open({ count = 7, maxPageSize } = {}) {
        const software = running();
        await software.put(makeRecords(count));
        return {
          baseUrl: software.origin + (kind.path ?? ''),
          login: maxPageSize === undefined ? [] : ['--set', `per_page=${maxPageSize}`],
          all: async (noun = 'clients') => (await software.read())[noun] ?? [],
          async [Symbol.asyncDispose]() {},
        };
      },
    },
    via: { login: ['--dialect', dialectFile(kind)] },
  };
}

/** What the apps of these tests offer beside their lists: the records themselves. */
export function readTruth(origin: string): Pick<RunningSoftware, 'origin' | 'put' | 'read'> {
  const send = async (init?: RequestInit) => {
    const response = await fetch(`${origin}/_truth`, init);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, readonly Row[]>;
  };
  const headers = { 'content-type': 'application/json' };
  return {
    origin,
    async put(records) {
      await send({ method: 'PUT', headers, body: JSON.stringify(records) });
    },
    read: () => send(),
  };
}
