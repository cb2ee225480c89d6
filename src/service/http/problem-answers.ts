import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiVersion } from '../../contract/endpoints.ts';
import { bodyLimitBytes } from '../../contract/limits.ts';
import { problemMediaType, toProblem, toSalonError } from './problems.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The origin that callers see; empty until one is known, which makes addresses relative. */
    baseUrl: string;
  }
}

/** Lets everything that is thrown on the way to an answer be answered as a problem. */
export function addProblems(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorate('baseUrl', publicUrl ?? '');
  app.addHook('onListen', (done) => {
    app.baseUrl = publicUrl ?? app.listeningOrigin;
    done();
  });
  app.setErrorHandler(sendProblem);
}

/** Answers a problem. What is not the caller's doing goes to the log with its cause. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toSalonError(error);
  const { status, headers, problem } = toProblem(known, {
    requestId: request.id,
    baseUrl: request.server.baseUrl,
  });
  if (status >= 500) {
    request.log.error({ err: known.cause ?? known }, 'request failed');
  }
  if (hasLongBodyLeft(request)) {
    reply.header('connection', 'close');
  }
  reply
    .code(status)
    .header('x-request-id', request.id)
    .header('api-version', apiVersion)
    .headers(headers)
    .header('content-type', problemMediaType)
    .send(JSON.stringify(problem));
}

/** Whether keeping the connection would mean reading on through a body that nobody wants. */
function hasLongBodyLeft({ raw }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
  return !raw.complete && (encoding !== undefined || Number(length ?? 0) > bodyLimitBytes);
}
