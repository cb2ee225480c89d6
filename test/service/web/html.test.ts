import { describe, expect, it } from 'vitest';
import { attribute, type HtmlContent, html } from '../../../src/service/web/html.ts';

describe('an HTML template', () => {
  it.each<[string, HtmlContent, string]>([
    ['a tag', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['quotes', `" onload='x'`, '&quot; onload=&#39;x&#39;'],
    ['an entity', '&amp;', '&amp;amp;'],
    ['a number', 0, '0'],
    ['nothing', [null, undefined, false], ''],
    ['a list', [html`<b>${'<'}</b>`, 'a>b'], '<b>&lt;</b>a&gt;b'],
  ])('inserts %s', (_name, content, expected) => {
    expect(html`<p title="${content}">${content}</p>`.toString()).toBe(
      `<p title="${expected}">${expected}</p>`,
    );
  });

  it('escapes an object that only looks like HTML', () => {
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(html`${[forged]}`.toString()).not.toContain('<script>');
  });
});

describe('an attribute', () => {
  it.each([
    [true, ' required'],
    [false, ''],
    [undefined, ''],
    ['"><script>', ' required="&quot;&gt;&lt;script&gt;"'],
  ])('is written for %j', (value, expected) => {
    expect(attribute('required', value).toString()).toBe(expected);
  });
});
