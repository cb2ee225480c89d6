import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort } from '../../src/client/deadline.ts';

describe('a signal that many requests wait for', () => {
  it('has one listener, as long as one of them waits', () => {
    const { signal } = new AbortController();
    const forget = [1, 2, 3].map(() => onAbort(signal, () => {}));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const each of forget.slice(1)) each();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    forget[0]?.();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('stops all that wait, and none that has ended, even if it ends twice', () => {
    const controller = new AbortController();
    const stopped: string[] = [];
    const forget = ['first', 'second', 'third'].map((name) =>
      onAbort(controller.signal, () => {
        stopped.push(name);
        forget[0]?.();
      }),
    );
    forget[1]?.();
    forget[1]?.();
    controller.abort();
    expect(stopped).toEqual(['first', 'third']);
  });
});
