import { describe, expect, it } from 'vitest';
import {
  parseCount,
  parseFormat,
  parseKeyValue,
  parseList,
  parseRate,
} from '../../../src/cli/flags/values.ts';

function usageNaming(flag: string) {
  return expect.objectContaining({ code: 'usage', message: expect.stringContaining(flag) });
}

describe('parseCount', () => {
  it('accepts whole numbers from the minimum', () => {
    expect(parseCount('50', '--limit')).toBe(50);
    expect(parseCount('0', '--retries', { least: 0 })).toBe(0);
  });

  it.each(['0', '-1', '1.5', '1e3', '', ' 5', '0x10', 'many', '9'.repeat(16)])('refuses "%s"', (text) => {
    expect(() => parseCount(text, '--limit')).toThrow(usageNaming('--limit'));
  });
});

describe('parseKeyValue', () => {
  it.each([
    ['k=v', ['k', 'v']],
    ['k=a=b', ['k', 'a=b']],
    ['k=', ['k', '']],
  ])('%s', (text, expected) => {
    expect(parseKeyValue(text)).toEqual(expected);
  });

  it.each(['k', '=v', ''])('refuses "%s"', (text) => {
    expect(() => parseKeyValue(text)).toThrow(usageNaming('--param'));
  });
});

describe('parseFormat', () => {
  it('accepts the four formats', () => {
    expect(['table', 'json', 'ndjson', 'csv'].map((text) => parseFormat(text))).toEqual([
      'table',
      'json',
      'ndjson',
      'csv',
    ]);
  });

  it('suggests a format for a typo', () => {
    expect(() => parseFormat('jsno')).toThrow('--format cannot be "jsno". Did you mean json?');
  });

  it.each(['', 'xml', 'toString'])('refuses "%s"', (text) => {
    expect(() => parseFormat(text)).toThrow(usageNaming('--format'));
  });
});

describe('parseList', () => {
  it('trims the parts', () => {
    expect(parseList('a, b,c', '--scopes')).toEqual(['a', 'b', 'c']);
  });

  it.each(['', 'a,,b', ',', ' '])('refuses "%s"', (text) => {
    expect(() => parseList(text, '--scopes')).toThrow(usageNaming('--scopes'));
  });
});

describe('parseRate', () => {
  it.each([
    ['5000/h', 5000],
    ['100/m', 6000],
    ['2/s', 7200],
  ])('%s is %i per hour', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  it.each(['', '5000', '0/h', '-1/s', '1/d', '1.5/s', '/h'])('"%s" is a usage error', (text) => {
    expect(() => parseRate(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
