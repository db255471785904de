import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customHeaders } from '../../../functions/webhooks/rules/rule-headers.ts';
import { isHeaderValue } from '../../../functions/webhooks/sending/header-rules.ts';
import { HEADER_CHARACTERS_MAX } from '../../../functions/webhooks/sending/sending.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

describe('the custom headers of a run', () => {
  const headers = [
    { name: 'X-Id', value: '{{id}}/{{unknown}}' },
    { name: '{{id}}', value: 'as is' },
  ];

  it('have placeholders in consent rules only', () => {
    expect(customHeaders(headers, 'consent', { id: 'c-1' })).toEqual([
      ['X-Id', 'c-1/{{unknown}}'],
      ['{{id}}', 'as is'],
    ]);
    for (const module of ['dsar', 'breach', 'assessment'] as const) {
      expect(customHeaders(headers, module, { id: 'c-1' })).toEqual(headers.map(({ name, value }) => [name, value]));
    }
  });

  const carrying = (v: unknown) => customHeaders([{ name: 'X', value: 'a {{v}}' }], 'consent', { v })[0]?.[1];

  it('that grow too long are cut to the length that is sent', () => {
    const long = customHeaders([{ name: 'X', value: '{{v}}'.repeat(400) }], 'consent', { v: 'x'.repeat(250_000) });
    expect(long[0]?.[1]).toHaveLength(HEADER_CHARACTERS_MAX);
    expect(carrying('マ'.repeat(10_000))).toMatch(/^a (%E3%83%9E)+$/);
  });

  it('carry any text of a visitor: percent-encoded where a header cannot, and without control characters', () => {
    expect(carrying('マーケティング')).toBe(`a ${encodeURIComponent('マーケティング')}`);
    expect(carrying('café 100%')).toBe('a café 100%');
    expect(carrying('one\r\nX-Evil: 1\u0000\t\u0085')).toBe('a oneX-Evil: 1');
    expect(carrying(['é', '😀'])).toBe('a ["é","%F0%9F%98%80"]');
    const text = fc.string({ unit: CODE_POINT, maxLength: 200 });
    fc.assert(
      fc.property(text, (v) => {
        const value = carrying(v) ?? '';
        expect(isHeaderValue(value)).toBe(true);
        expect(value.trim()).toBe(value);
      }),
    );
  });
});
