import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyGapLedger, GapLedger, parseGapLedger } from '../../../src/cli/listen/gap-ledger.ts';

const beginMs = Date.parse('2026-11-21T12:00:00Z');
const minuteMs = 60_000;

function logged(id: string, ms: number) {
  return { event_id: id, created_at: new Date(ms).toISOString() };
}

describe('a gap ledger', () => {
  it('recognises duplicates during and after processing', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    expect(ledger.markReceived('evt_1', beginMs)).toBe(true);
    expect(ledger.markReceived('evt_1', beginMs)).toBe(false);
    ledger.markProcessed('evt_1', beginMs + 1);
    expect(ledger.markReceived('evt_1', beginMs)).toBe(false);
  });

  it('accepts an event again after a full queue', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    ledger.markReceived('evt_1', beginMs);
    ledger.forget('evt_1');
    expect(ledger.findMissed([logged('evt_1', beginMs)], beginMs)).toHaveLength(1);
    expect(ledger.markReceived('evt_1', beginMs)).toBe(true);
  });

  it('finds logged events that never arrived, but not recent ones', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    ledger.markReceived('evt_1', beginMs);
    ledger.markReceived('evt_2', beginMs);
    ledger.markProcessed('evt_2', beginMs);
    const log = ['evt_1', 'evt_2', 'evt_3'].map((id) => logged(id, beginMs));
    const late = logged('evt_4', beginMs + 1);
    expect(ledger.findMissed([...log, late], beginMs)).toEqual([logged('evt_3', beginMs)]);
  });

  it('rereads the log from before events in progress', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    ledger.markReceived('evt_1', beginMs + minuteMs);
    ledger.moveOn(beginMs + 60 * minuteMs, beginMs + 60 * minuteMs);
    expect(ledger.unsettledFromMs).toBe(beginMs + minuteMs);
    ledger.markProcessed('evt_1', beginMs + 60 * minuteMs);
    ledger.moveOn(beginMs + 60 * minuteMs, beginMs + 60 * minuteMs);
    expect(ledger.unsettledFromMs).toBe(beginMs + 58 * minuteMs);
  });

  it('moves forward to where the log was read, except for recent entries', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    ledger.moveOn(beginMs + minuteMs, beginMs + 60 * minuteMs);
    expect(ledger.unsettledFromMs).toBe(beginMs + minuteMs);
  });

  it('never moves back', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    ledger.moveOn(beginMs - minuteMs, beginMs - minuteMs);
    expect(ledger.unsettledFromMs).toBe(beginMs);
  });

  it('remembers 50,000 events and always saves the last thousand', () => {
    const ledger = new GapLedger(emptyGapLedger(beginMs));
    for (let number = 0; number < 50_001; number += 1) ledger.markProcessed(`evt_${number}`, beginMs);
    ledger.moveOn(beginMs + 60 * minuteMs, beginMs + 60 * minuteMs);
    expect(ledger.markReceived('evt_0', beginMs)).toBe(true);
    expect(ledger.markReceived('evt_1', beginMs)).toBe(false);
    const { settled } = ledger.save();
    expect(Object.keys(settled)).toHaveLength(1_000);
    expect(settled).toHaveProperty('evt_50000');
  });

  it.each([null, [], 'text', {}, { unsettled_from_ms: '1', settled: {} }, { unsettled_from_ms: 1 }])(
    'is not begun from what is none: %j',
    (value) => expect(parseGapLedger(value)).toBeUndefined(),
  );
});

describe('with listeners killed at any moment', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('send' as const), comes: fc.boolean() }),
    fc.record({ act: fc.constantFrom('settle', 'save', 'compare', 'kill') }),
  );

  it('every event is processed, twice only if a listener was killed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        let nowMs = beginMs;
        let disk = emptyGapLedger(beginMs);
        let ledger = new GapLedger(disk);
        let waiting: string[] = [];
        let kills = 0;
        const log: ReturnType<typeof logged>[] = [];
        const dealt: string[] = [];
        const settleAll = () => {
          for (const id of waiting) ledger.markProcessed(id, nowMs);
          dealt.push(...waiting);
          waiting = [];
        };
        const compare = () => {
          const window = log.filter(({ created_at }) => Date.parse(created_at) >= ledger.unsettledFromMs);
          for (const { event_id, created_at } of ledger.findMissed(window, nowMs)) {
            if (ledger.markReceived(event_id, Date.parse(created_at))) waiting.push(event_id);
          }
          ledger.moveOn(nowMs, nowMs);
        };
        for (const taken of steps) {
          nowMs += 45_000;
          if (taken.act === 'send') {
            const id = `evt_${log.length}`;
            log.push(logged(id, nowMs));
            if ('comes' in taken && taken.comes && ledger.markReceived(id, nowMs)) waiting.push(id);
          } else if (taken.act === 'settle') settleAll();
          else if (taken.act === 'save')
            disk = parseGapLedger(JSON.parse(JSON.stringify(ledger.save()))) ?? disk;
          else if (taken.act === 'compare') compare();
          else {
            kills += 1;
            waiting = [];
            ledger = new GapLedger(disk);
          }
        }
        compare();
        settleAll();
        expect(new Set(dealt).size).toBe(log.length);
        if (kills === 0) expect(dealt).toHaveLength(log.length);
      }),
    );
  });
});
