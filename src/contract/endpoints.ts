import type { XStatic } from 'typebox/schema';
import { appointment, appointmentList, appointmentQuery, newAppointment } from './appointment.ts';
import { client, clientChange, clientList, clientQuery, clientRemovalQuery, newClient } from './client.ts';
import { me } from './me.ts';
import type { Action, Scope } from './roles.ts';

/** The path prefixes of version 1; both serve the same, the first one stands in links. */
export const prefixes = ['/api/v1', '/v1'] as const;

/** What every answer says about itself in `API-Version`. */
export const apiVersion = 'v1.0';

/** One operation of the service. `documented` ones stand in the service's document; extensions are ours. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the prefix; a segment such as `:id` is an identifier. */
  readonly path: string;
  readonly standing: 'documented' | 'extension';
  readonly summary: string;
  /** What a narrowed credential needs; null where any good credential will do. */
  readonly scope: Scope | null;
  /** What the role must allow; null where every role may. */
  readonly action: Action | null;
  /** Whether it works on one record that has an `ETag`, which a change can be bound to with `If-Match`. */
  readonly isTagged?: true;
  readonly query?: object;
  readonly body?: object;
  /** Status and schema of success; no schema means no body. */
  readonly success: { readonly status: number; readonly body?: object };
}

/** Every endpoint there is. Routes, client methods and the OpenAPI document all come from this table. */
export const endpoints = {
  listAppointments: {
    method: 'GET',
    path: '/appointments',
    standing: 'documented',
    summary: 'List appointments',
    scope: 'appointments:read',
    action: 'appointments.read',
    query: appointmentQuery,
    success: { status: 200, body: appointmentList },
  },
  createAppointment: {
    method: 'POST',
    path: '/appointments',
    standing: 'documented',
    summary: 'Create an appointment',
    scope: 'appointments:write',
    action: 'appointments.write',
    body: newAppointment,
    success: { status: 201, body: appointment },
  },
  getAppointment: {
    method: 'GET',
    path: '/appointments/:id',
    standing: 'extension',
    summary: 'Read one appointment',
    scope: 'appointments:read',
    action: 'appointments.read',
    success: { status: 200, body: appointment },
  },
  listClients: {
    method: 'GET',
    path: '/clients',
    standing: 'documented',
    summary: 'List clients',
    scope: 'clients:read',
    action: 'clients.read',
    query: clientQuery,
    success: { status: 200, body: clientList },
  },
  createClient: {
    method: 'POST',
    path: '/clients',
    standing: 'documented',
    summary: 'Add a client',
    scope: 'clients:write',
    action: 'clients.write',
    isTagged: true,
    body: newClient,
    success: { status: 201, body: client },
  },
  getClient: {
    method: 'GET',
    path: '/clients/:id',
    standing: 'extension',
    summary: 'Read one client',
    scope: 'clients:read',
    action: 'clients.read',
    isTagged: true,
    success: { status: 200, body: client },
  },
  updateClient: {
    method: 'PUT',
    path: '/clients/:id',
    standing: 'documented',
    summary: 'Update a client',
    scope: 'clients:write',
    action: 'clients.write',
    isTagged: true,
    body: clientChange,
    success: { status: 200, body: client },
  },
  patchClient: {
    method: 'PATCH',
    path: '/clients/:id',
    standing: 'extension',
    summary: 'Update a client, as PUT does',
    scope: 'clients:write',
    action: 'clients.write',
    isTagged: true,
    body: clientChange,
    success: { status: 200, body: client },
  },
  deleteClient: {
    method: 'DELETE',
    path: '/clients/:id',
    standing: 'documented',
    summary: 'Remove a client',
    scope: 'clients:write',
    action: 'clients.delete',
    isTagged: true,
    query: clientRemovalQuery,
    success: { status: 204 },
  },
  getMe: {
    method: 'GET',
    path: '/me',
    standing: 'extension',
    summary: 'Read the account and the rights behind the credential',
    scope: null,
    action: null,
    success: { status: 200, body: me },
  },
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;

type Table = typeof endpoints;

/** Query parameters of an operation, already parsed; `Record<never, never>` where it takes none. */
export type QueryOf<Op extends Operation> = Table[Op] extends { query: infer Schema }
  ? XStatic<Schema>
  : Record<never, never>;

/** Request body of an operation; undefined where it takes none. */
export type BodyOf<Op extends Operation> = Table[Op] extends { body: infer Schema }
  ? XStatic<Schema>
  : undefined;

/** Body of a successful answer; undefined where there is none. */
export type AnswerOf<Op extends Operation> = Table[Op]['success'] extends { body: infer Schema }
  ? XStatic<Schema>
  : undefined;
