import { describe, expect, it } from 'vitest';
import { parseState, renderState } from '../../../src/bulk/export/export-state.ts';

const binding = {
  origin: 'https://salon.example',
  account: 'acc_1',
  list: 'clients',
  query: { status: 'confirmed', client_id: 'cli_1' },
};
const watermark = new Date('2026-11-21T09:58:00Z');
const text = renderState(binding, watermark);

describe('the state of an export', () => {
  it('says up to when everything was exported', () => {
    expect(parseState(text, binding, 'state.json').watermark).toBe('2026-11-21T09:58:00.000Z');
  });

  it('is good for the same query in another order', () => {
    const query = { client_id: 'cli_1', status: 'confirmed' };
    expect(() => parseState(text, { ...binding, query }, 'state.json')).not.toThrow();
  });

  it.each([
    ['origin', { origin: 'https://other.example' }, 'another origin: https://salon.example'],
    ['account', { account: 'acc_2' }, 'another account: acc_1'],
    ['list', { list: 'appointments' }, 'another list: clients'],
    ['query', { query: { status: 'confirmed' } }, 'another query'],
  ])('of another %s is refused', (_part, other, said) => {
    expect(() => parseState(text, { ...binding, ...other }, 'state.json')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(said) }),
    );
  });

  it.each([['', '[]', 'null', '{}', '{"state_version":2}', text.slice(0, -9), text.replace('2026-', 'x')]])(
    'that is none is refused: %j',
    (...broken) => {
      for (const one of broken) {
        expect(() => parseState(one, binding, 'state.json')).toThrow(
          expect.objectContaining({ code: 'usage', message: 'state.json is not the state of an export.' }),
        );
      }
    },
  );
});
