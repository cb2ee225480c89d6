import type { FastifyInstance } from 'fastify';
import { addDocs } from '../web/docs.ts';
import { pageList } from '../web/page-list.ts';
import { addProblemPages } from '../web/problem-pages.ts';
import { addAssets, addPages } from '../web/register-pages.ts';
import { addOauth, type OauthOptions } from './routes.ts';

/** Adds what browsers and apps use. A command of the embedded service loads none of it. */
export function addWebRoutes(app: FastifyInstance, options: OauthOptions): void {
  addDocs(app);
  addProblemPages(app);
  addPages(app, options.services, pageList);
  addAssets(app);
  addOauth(app, options);
}
