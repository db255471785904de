import { describe, expect, it } from 'vitest';
import { customHeaders } from '../../../functions/webhooks/rules/rule-headers.ts';
import { HEADER_CHARACTERS_MAX } from '../../../functions/webhooks/sending/sending.ts';

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

  it('that grow too long are cut just above the length that is refused', () => {
    const long = customHeaders([{ name: 'X', value: '{{v}}'.repeat(400) }], 'consent', { v: 'x'.repeat(250_000) });
    expect(long[0]?.[1]).toHaveLength(HEADER_CHARACTERS_MAX + 1);
  });
});
