export type { QueryValues } from './client/call.ts';
export { type ClientOptions, createClient, type SalonClient } from './client/client.ts';
export type { Dialect } from './client/dialect.ts';
export type { ClientEvent } from './client/events.ts';
export type { RateLimit } from './client/rate-limit.ts';
export type { Written } from './client/record.ts';
export type { Page, Walk } from './client/walk.ts';
export { SalonError, type SalonErrorCode } from './contract/errors.ts';
