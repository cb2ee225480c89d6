import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { newAppointment } from '../../contract/appointment.ts';
import { clientChange } from '../../contract/client.ts';
import { type ProblemCode, problems } from '../../contract/errors.ts';
import { parseJson } from '../../text/json.ts';
import { type FailureName, failureNames } from '../flags/values.ts';

/** A request or response, read completely. */
interface WholeMessage {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

/** A loopback proxy that makes some requests fail. */
export async function openFailureProxy(target: string, pickFailure: PickFailure) {
  const agent = new Agent({ keepAlive: true });
  const failures = Object.fromEntries(failureNames.map((name) => [name, 0])) as Record<FailureName, number>;
  let requests = 0;

  const server = createServer(async (message, response) => {
    try {
      requests += 1;
      const { method = 'GET', url: path = '/' } = message;
      const body = await buffer(message);
      const failure = pickFailure({ method, path, body });
      if (failure !== undefined) failures[failure.name] += 1;
      await respond({ message, body }, response, failure);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ requests, faults: { ...failures } }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      agent.destroy();
    },
  };

  async function respond(
    incoming: WholeMessage,
    response: ServerResponse,
    failure: SimulatedFailure | undefined,
  ): Promise<void> {
    switch (failure?.name) {
      case '429':
        return sendProblem(response, 'rate_limited', { hasRetryAfter: true });
      case '503':
        return sendProblem(response, 'service_unavailable', { hasRetryAfter: failure.draw < 0.5 });
      case '500':
        return sendProblem(response, 'internal_error', { hasRetryAfter: false });
      case 'timeout':
        return;
      case 'lost':
        await forward(incoming);
        response.destroy();
        return;
      case 'cut':
        return sendHalf(response, await forward(incoming));
      case undefined: {
        const { message, body } = await forward(incoming);
        response.writeHead(message.statusCode ?? 502, withoutHopHeaders(message.headers)).end(body);
      }
    }
  }

  async function forward({
    message: { method, url = '/', headers },
    body,
  }: WholeMessage): Promise<WholeMessage> {
    const { known, unknown } = splitMembers(url, body);
    const kept = unknown === undefined ? body : Buffer.from(JSON.stringify(known));
    const { 'content-length': _length, ...others } = withoutHopHeaders(headers);
    const length = kept.length === 0 ? {} : { 'content-length': kept.length };
    const outgoing = request(new URL(url, target), { method, agent, headers: { ...others, ...length } });
    outgoing.end(kept);
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answer = await buffer(message);
    if (unknown === undefined || (message.statusCode ?? 502) >= 300) return { message, body: answer };
    const stored = Buffer.from(JSON.stringify({ ...Object(parseJson(String(answer))), ...unknown }));
    message.headers['content-length'] = String(stored.length);
    return { message, body: stored };
  }
}

/** Removes the hop-by-hop headers. */
function withoutHopHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection, 'keep-alive': keepAlive, 'transfer-encoding': transferEncoding, ...kept } = headers;
  return kept;
}

/** With `Retry-After` the request was certainly not applied; without, the result is unknown. */
function sendProblem(
  response: ServerResponse,
  code: ProblemCode,
  { hasRetryAfter }: { readonly hasRetryAfter: boolean },
): void {
  const { status, title } = problems[code];
  const detail = `${title} (simulated failure).`;
  response
    .writeHead(status, {
      'content-type': 'application/problem+json',
      ...(hasRetryAfter ? { 'retry-after': '1' } : {}),
    })
    .end(JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: 'simulation' }));
}

/** Closes the connection in the middle of the body, or before the headers if there is no body. */
function sendHalf(response: ServerResponse, { message, body }: WholeMessage): void {
  if (body.length === 0) {
    response.destroy();
    return;
  }
  response.writeHead(message.statusCode ?? 502, withoutHopHeaders(message.headers));
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}

const knownOf: Readonly<Record<string, object>> = {
  clients: clientChange.properties,
  appointments: newAppointment.properties,
};

/** Members that the contract does not have: other servers store them, the local copy does not. None is undefined. */
function splitMembers(path: string, body: Buffer): { readonly known?: object; readonly unknown?: object } {
  const noun = /\/(clients|appointments)(?:[/?]|$)/.exec(path)?.[1];
  const fields = noun === undefined ? undefined : knownOf[noun];
  const members = fields === undefined || body.length === 0 ? undefined : parseJson(String(body));
  if (fields === undefined || typeof members !== 'object' || members === null) return {};
  const { known = [], unknown } = Object.groupBy(Object.entries(members), ([name]) =>
    Object.hasOwn(fields, name) ? 'known' : 'unknown',
  );
  return unknown === undefined
    ? {}
    : { known: Object.fromEntries(known), unknown: Object.fromEntries(unknown) };
}

/** A failure of a request; `draw`, from 0 to 1, varies it. */
interface SimulatedFailure {
  readonly name: FailureName;
  readonly draw: number;
}

type PickFailure = (request: { method: string; path: string; body: Buffer }) => SimulatedFailure | undefined;

/** `share`: of failing requests, from 0 to 1. Picks failures by request and earlier failures of it, not by time: the same requests fail in any order. */
export function createFailurePicker({
  names,
  share,
  seed,
}: { readonly names: readonly FailureName[] } & Readonly<Record<'share' | 'seed', number>>): PickFailure {
  const failures = new Map<string, number>();
  return ({ method, path, body }) => {
    const identity = toDigest(`${seed} ${method} ${path} `, body).toString('base64');
    const before = failures.get(identity) ?? 0;
    const digest = toDigest(identity, String(before));
    const [happens = 1, which = 0, draw = 0] = [0, 4, 8].map((at) => digest.readUInt32LE(at) / 2 ** 32);
    const name = happens < share ? names[Math.floor(which * names.length)] : undefined;
    if (name === undefined) return undefined;
    failures.set(identity, before + 1);
    return { name, draw };
  };
}

function toDigest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
