import { expect, it } from 'vitest';
import { combineClients } from '../../src/contract/client-merging.ts';

function combine(kept: unknown, other: unknown, field: string): unknown {
  return combineClients({ [field]: kept }, { [field]: other }, [])[0]?.result;
}

it.each([
  ['Likes doughnuts', 'nuts', 'Likes doughnuts\nnuts'],
  ['Tea\nNo nuts', 'No nuts', 'Tea\nNo nuts'],
  ['Tea', ' Tea ', 'Tea'],
  ['Tea\nMilk', 'Tea\nMilk', 'Tea\nMilk'],
  ['Tea', 'Milk', 'Tea\nMilk'],
])('joins the notes %j and %j without repeating whole lines', (kept, other, result) => {
  expect(combine(kept, other, 'notes')).toBe(result);
});

it('unites tags that differ by more than case and accents', () => {
  expect(combine(['Vip', 'Curls'], ['vip', 'bridal', 'CURLS'], 'tags')).toEqual(['Vip', 'Curls', 'bridal']);
});

it.each([
  ['--05-15', '1985-05-15', '1985-05-15'],
  ['1985-05-15', '--05-15', '1985-05-15'],
  ['--05-15', '1985-05-16', '--05-15'],
])('keeps the birthday %s, with the year of %s if it is the same day', (kept, other, result) => {
  expect(combine(kept, other, 'birthday')).toBe(result);
});

it.each([
  ['tags', ['Vip'], ['vip'], 'kept'],
  ['tags', ['Vip'], ['bridal'], 'united'],
  ['phone', '+351912345678', null, 'kept'],
  ['phone', null, '+351912345678', 'filled in'],
  ['sms_marketing_consent', true, false, 'stricter'],
])('says how it combines %s of %j and %j', (field, kept, other, rule) => {
  expect(combineClients({ [field]: kept }, { [field]: other }, [])[0]?.rule).toBe(rule);
});
