import { expect, it } from 'vitest';
import { listRequestPaths } from '../../../src/cli/completion/request-paths.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';

it('every endpoint can be reached by a path that is offered for its method, whole or up to its identifier', () => {
  const offered = listRequestPaths();
  for (const { method, path } of Object.values(endpoints)) {
    expect(offered).toContain(`${method}=${path.split(':')[0]}`);
  }
  expect(new Set(offered).size).toBe(offered.length);
});

it('a path with an identifier ends where that begins, and what can be read has HEAD too', () => {
  const offered = listRequestPaths();
  expect(offered).toEqual(expect.arrayContaining(['DELETE=/clients/', 'GET=/clients', 'HEAD=/clients/']));
  expect(offered).not.toContain('DELETE=/clients');
  expect(offered.join()).not.toContain(':id');
});
