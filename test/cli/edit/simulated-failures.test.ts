import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFailurePicker } from '../../../src/cli/edit/simulation-proxy.ts';
import { failureNames, parseFailures } from '../../../src/cli/flags/values.ts';
import { SalonError } from '../../../src/contract/errors.ts';

const request = (path: string) => ({ method: 'GET', path, body: Buffer.from('') });
const paths = Array.from({ length: 2_000 }, (_, index) => `/clients/${index}`);

describe('--faults', () => {
  it.each([
    ['429', ['429']],
    ['429,503,timeout', ['429', '503', 'timeout']],
    [' Lost , lost', ['lost']],
    [failureNames.join(','), [...failureNames]],
  ])('accepts %s', (text, names) => {
    expect(parseFailures(text, '--faults')).toEqual(names);
  });

  it.each([
    ['timout', 'Unknown failure "timout". Did you mean timeout?'],
    ['429,504', 'Unknown failure "504". Did you mean 503?'],
    ['everything', 'Unknown failure "everything".'],
    ['429,,503', expect.stringMatching(/^--faults needs a comma-separated list/)],
  ])('%s is refused', (text, message) => {
    const refused = expect.objectContaining({ code: 'usage', message });
    expect(() => parseFailures(text, '--faults')).toThrow(SalonError);
    expect(() => parseFailures(text, '--faults')).toThrow(refused);
  });
});

describe('simulated failures', () => {
  it.each([[0], [0.05], [0.5], [1]])('hit a share of %d of the requests', (share) => {
    const draw = createFailurePicker({ names: failureNames, share, seed: 1 });
    const befallen = paths.filter((path) => draw(request(path)) !== undefined).length;
    expect(Math.abs(befallen / paths.length - share)).toBeLessThan(0.04);
  });

  it('are of the given kinds only', () => {
    const draw = createFailurePicker({ names: ['429', 'cut'], share: 1, seed: 1 });
    expect(new Set(paths.map((path) => draw(request(path))?.name))).toEqual(new Set(['429', 'cut']));
  });

  it('do not occur unless given', () => {
    const draw = createFailurePicker({ names: [], share: 1, seed: 1 });
    expect(paths.map((path) => draw(request(path)))).toEqual(paths.map(() => undefined));
  });

  it('are the same for the same requests in any order', () => {
    const requests = fc.array(fc.constantFrom(...paths.slice(0, 20)), { maxLength: 60 });
    fc.assert(
      fc.property(requests, fc.integer(), (asked, seed) => {
        const one = createFailurePicker({ names: failureNames, share: 0.5, seed });
        const other = createFailurePicker({ names: failureNames, share: 0.5, seed });
        const draw = (drawOne: typeof one, order: readonly string[]) =>
          order.map((path) => `${path} ${JSON.stringify(drawOne(request(path)))}`).sort();
        expect(draw(one, asked)).toEqual(draw(other, asked.toReversed()));
      }),
    );
  });

  it('differ by seed, body and repetition', () => {
    const of = (seed: number, body: string) => {
      const draw = createFailurePicker({ names: failureNames, share: 0.5, seed });
      return paths.map((path) => draw({ method: 'PUT', path, body: Buffer.from(body) })?.name);
    };
    expect(of(1, '{}')).not.toEqual(of(2, '{}'));
    expect(of(1, '{}')).not.toEqual(of(1, '{"notes":null}'));
    const draw = createFailurePicker({ names: failureNames, share: 0.5, seed: 1 });
    const tries = Array.from({ length: 50 }, () => draw(request('/clients/1')));
    expect(tries).toContain(undefined);
  });
});
