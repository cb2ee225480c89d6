import { endpoints } from '../../contract/endpoints.ts';

/**
 * The paths that each method has, as `GET=/clients`. A path with an identifier is offered up to that, as `GET=/clients/`:
 * nobody but the service knows what may follow.
 */
export function listRequestPaths(): readonly string[] {
  const paths = Object.values(endpoints).flatMap(({ method, path }) => {
    const known = path.replace(/:.*/, '');
    return method === 'GET' ? [`GET=${known}`, `HEAD=${known}`] : [`${method}=${known}`];
  });
  return [...new Set(paths)].sort();
}
