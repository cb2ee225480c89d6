import { expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { readSourceFiles } from '../../architecture/source-file.ts';

/** Left to other programs. */
const uncalled = [
  ...['patchAppointment', 'patchClient'],
  ...['listOauthClients', 'createOauthClient', 'deleteOauthClient', 'rotateOauthClientSecret'],
];

/** What the functions that make the methods of a resource call, with its name for the star. */
const operationsOf = {
  createCollection: ['list*s', 'get*', 'create*'],
  createUpdatable: ['list*s', 'get*', 'create*', 'update*'],
  createDeletable: ['list*s', 'get*', 'create*', 'update*', 'delete*'],
  createUpdate: ['update*'],
  createDelete: ['delete*'],
};

it('the client calls every endpoint but those left to other programs', () => {
  const files = readSourceFiles(`${import.meta.dirname}/../../..`, ['src/client/**/*.ts']);
  const source = files.map(({ text }) => text).join('\n');
  const named = [...source.matchAll(/ndpoints\.(\w+)/g)].map(([, name = '']) => name);
  const made = Object.entries(operationsOf).flatMap(([maker, operations]) =>
    [...source.matchAll(new RegExp(`\\b${maker}(?:<.*>)?\\('(\\w+)'`, 'g'))].flatMap(([, resource = '']) =>
      operations.map((operation) => operation.replace('*', resource).replace(/ys$/, 'ies')),
    ),
  );
  const called = new Set([...named, ...made]);
  expect(Object.keys(endpoints).filter((name) => !called.has(name))).toEqual(uncalled);
});
