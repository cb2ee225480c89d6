import type { FastifyInstance } from 'fastify';
import { addDocs } from './docs/docs-routes.ts';
import { addProblemPages } from './problems/problem-routes.ts';

/**
 * Serves the pages that a person opens. Their code and the files they show are loaded when the first of them is
 * asked for, so that a start has nothing to do with them.
 */
export function addPages(app: FastifyInstance): void {
  addDocs(app);
  addProblemPages(app);
}
