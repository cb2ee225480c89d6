import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isProblemCode, type ProblemCode, problems, SalonError } from '../../../contract/errors.ts';
import { sendPage } from '../send-page.ts';

/** Serves a page for every problem, and their list; for programs that ask so, as JSON. */
export function addProblemPages(app: FastifyInstance): void {
  app.get('/problems', async (request, reply) => {
    if (wantsJson(request)) {
      return sendJson(reply, { data: Object.keys(problems).filter(isProblemCode).map(toExplanation) });
    }
    const { renderProblemList } = await import('./problem-page.ts');
    return sendPage(reply.header('vary', 'Accept'), renderProblemList());
  });

  app.get<{ Params: { name: string } }>('/problems/:name', async (request, reply) => {
    const { name } = request.params;
    if (name === '') {
      return reply.redirect('/problems', 308);
    }
    const code = readCode(name);
    if (code === undefined) {
      return sendNoProblem(request, reply);
    }
    if (name.includes('_')) {
      return reply.redirect(`/problems/${code.replaceAll('_', '-')}`, 308);
    }
    if (wantsJson(request)) {
      return sendJson(reply, toExplanation(code));
    }
    const { renderProblemPage } = await import('./problem-page.ts');
    return sendPage(reply.header('vary', 'Accept'), renderProblemPage(code, request.server.baseUrl));
  });
}

function readCode(name: string): ProblemCode | undefined {
  const code = name.replaceAll('-', '_');
  return isProblemCode(code) ? code : undefined;
}

/** A browser gets a page with those there are; everything else a problem like any other. */
async function sendNoProblem(
  { headers, params: { name } }: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('vary', 'Accept');
  if (!headers.accept?.includes('text/html')) {
    throw new SalonError('not_found', 'There is no problem with this code.', {
      members: { resource: 'problem', id: name },
    });
  }
  const { renderNoProblem } = await import('./problem-page.ts');
  return sendPage(reply.code(404), renderNoProblem(name));
}

function wantsJson({ headers }: FastifyRequest): boolean {
  return /application\/(?:problem\+)?json/.test(headers.accept ?? '');
}

/** What a code means, for programs. */
function toExplanation(code: ProblemCode): object {
  return { code, ...problems[code] };
}

function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply
    .header('vary', 'Accept')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(value));
}
