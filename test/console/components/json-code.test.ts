import * as fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { JsonCode } from '../../../functions/console/components/json-code.tsx';
import { formatJson, jsonParts } from '../../../functions/console/components/json-text.ts';

const rendered = (text: string) => renderToString(h(JsonCode, { id: 'answer', text, label: 'Response' }));

describe('formatted JSON', () => {
  it('is shown with line breaks and means the same, whatever it holds', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, 3), (text, indent) => {
        const json = JSON.stringify(JSON.parse(text), undefined, indent);
        expect(JSON.parse(formatJson(json))).toEqual(JSON.parse(json));
        expect(formatJson(formatJson(json))).toBe(formatJson(json));
      }),
    );
  });

  it('keeps every digit, and blanks and braces in texts', () => {
    expect(formatJson('{"id":12345678901234567890,"price":1.10,"note":"a { \\" } : , b","none":{},"list":[ ]}')).toBe(
      [
        '{',
        '  "id": 12345678901234567890,',
        '  "price": 1.10,',
        '  "note": "a { \\" } : , b",',
        '  "none": {},',
        '  "list": []',
        '}',
      ].join('\n'),
    );
  });

  it('ends after the most characters, however deeply it is nested and wherever it is cut', () => {
    const deep = '['.repeat(8_000) + ']'.repeat(8_000);
    expect(formatJson(deep, 16_384)).toHaveLength(16_384);
    const quotes = JSON.stringify({ text: '"'.repeat(40_000) });
    expect(formatJson(quotes, 16_384)).toHaveLength(16_384);
    expect(jsonParts(formatJson(quotes, 16_384)).at(-1)?.kind).toBe('text');
  });
});

describe('coloured JSON', () => {
  it('is the same text, whatever it holds and wherever it is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(200), (json, cut) => {
        const text = formatJson(json).slice(0, cut);
        expect(
          jsonParts(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('tells names, texts, numbers and words apart', () => {
    const parts = jsonParts(formatJson('{"a": "b:", "c": [-1.5e3, true, null]}'));
    expect(parts.filter(({ kind }) => kind !== 'other').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'key "a"',
      'text "b:"',
      'key "c"',
      'number -1.5e3',
      'word true',
      'word null',
    ]);
  });

  it('shows hostile text as text, in JSON and elsewhere', () => {
    const hostile = '<img src=x onerror=alert(1)></pre><script>alert(2)</script>';
    for (const text of [hostile, JSON.stringify({ [hostile]: [hostile, 7] })]) {
      const html = rendered(text);
      expect(html).not.toMatch(/<img|<script/);
      expect(html).toContain('&lt;img src=x');
    }
  });

  it('leaves text that is no JSON as it is, and says when only the beginning is shown', () => {
    const html = rendered('a  b: 1, {oops');
    expect(html).toContain('>a  b: 1, {oops</pre>');
    expect(html).not.toContain('Only the beginning');
    expect(rendered('x'.repeat(20_000))).toContain('Only the beginning is shown.');
  });
});
