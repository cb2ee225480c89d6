import type { FastifyInstance } from 'fastify';

/** One line for each request. Query values, headers and bodies may hold secrets or personal data and stay out. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        account: request.caller?.account.id ?? null,
      },
      'request',
    );
    done();
  });
}
