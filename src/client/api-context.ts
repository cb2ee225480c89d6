import type { Endpoint } from '../contract/endpoint.ts';
import type { SalonError } from '../contract/errors.ts';
import type { DialectSource, ResourceDialect } from './dialect/dialect.ts';
import type { ServerForms } from './dialect/server-forms.ts';
import type { Observe } from './events.ts';
import type { ApiRequester } from './http/api-requester.ts';
import type { QueryValues } from './http/request-path.ts';

/** What the resources of a client share. */
export interface ApiContext {
  readonly origin: string;
  readonly api: ApiRequester;
  readonly dialect: DialectSource;
  readonly observe: Observe;
  readonly concurrency: number;
  /** Of times without one. */
  readonly timeZone: () => string;
  /** What records of a server of another kind show; undefined for the documented API. */
  readonly forms: ServerForms | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The error that a member of a response describes. */
  readonly decodeProblem: (problem: object) => SalonError;
}

/** A list endpoint and the plural noun for its records. */
export interface ListResource {
  readonly plural: string;
  readonly list: Endpoint;
}

/** What is requested of every page of a list. */
export interface PageOptions {
  /** In which every page is asked for, whatever its rows show. */
  readonly dialect: ResourceDialect;
  readonly query: QueryValues;
  readonly limit: number | undefined;
  readonly parameters: Readonly<Record<string, string>> | undefined;
  /** Whether all pages are wanted, so that the service may send them in one response. */
  readonly isWhole?: boolean | undefined;
}
