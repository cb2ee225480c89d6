import type { ClientOptions } from '../../src/client/client.ts';
import { createClient, type SalonClient } from '../../src/client/client.ts';
import type { Dialect } from '../../src/client/dialect/dialect.ts';
import { parseDialect } from '../../src/client/dialect/parse-dialect.ts';
import { recogniseServer } from '../../src/client/recognise/recognise-server.ts';
import { openClient, type TestClient } from './open-client.ts';

/** The dialect that a sign-in finds at a server; undefined where it finds no list of clients. */
export async function recognise(origin: string): Promise<Partial<Dialect> | undefined> {
  await using client: SalonClient = createClient({ baseUrl: origin, dialect: { prefix: '' }, retries: 0 });
  const recognised = await recogniseServer(client, { root: '' });
  if (recognised === undefined) return undefined;
  const { preset, differences } = recognised;
  return parseDialect({ ...(preset && { extends: preset }), ...differences });
}

/** A client of a server of another kind, whose dialect the sign-in found. */
export async function openRecognised(
  origin: string,
  options: Partial<ClientOptions> = {},
): Promise<TestClient> {
  return openClient(origin, { ...options, dialect: { ...(await recognise(origin)), ...options.dialect } });
}
