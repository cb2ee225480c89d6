import { describe, expect, it } from 'vitest';
import { parseState, renderState } from '../../../src/cli/export/incremental-export.ts';

const scope = {
  origin: 'https://salon.example',
  account: 'acc_1',
  list: 'clients',
  query: { status: 'confirmed', client_id: 'cli_1' },
};
const text = renderState(scope, { watermark: '2026-11-21T09:58:00.000Z' });

describe('the state of an export', () => {
  it('has the start of the next export', () => {
    expect(parseState(text, scope, 'state.json').watermark).toBe('2026-11-21T09:58:00.000Z');
  });

  it('fits the same query in another order', () => {
    const query = { client_id: 'cli_1', status: 'confirmed' };
    expect(() => parseState(text, { ...scope, query }, 'state.json')).not.toThrow();
  });

  it('has the position of the next export instead, where the server lists changes', () => {
    const next = renderState(scope, { position: 'WzIsNF0' });
    expect(parseState(next, scope, 'state.json')).toEqual({
      ...scope,
      state_version: 1,
      position: 'WzIsNF0',
    });
  });

  it.each([
    ['origin', { origin: 'https://other.example' }, 'another origin: https://salon.example'],
    ['account', { account: 'acc_2' }, 'another account: acc_1'],
    ['list', { list: 'appointments' }, 'another list: clients'],
    ['query', { query: { status: 'confirmed' } }, 'another query'],
  ])('is refused for another %s', (_part, other, said) => {
    expect(() => parseState(text, { ...scope, ...other }, 'state.json')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(said) }),
    );
  });

  it.each([['', '[]', 'null', '{}', '{"state_version":2}', text.slice(0, -9), text.replace('2026-', 'x')]])(
    'is refused if it is damaged: %j',
    (...broken) => {
      for (const one of broken) {
        expect(() => parseState(one, scope, 'state.json')).toThrow(
          expect.objectContaining({ code: 'usage', message: 'state.json is not an export state file.' }),
        );
      }
    },
  );
});
