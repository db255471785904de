import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headersIn, sampleIn } from '../../../functions/console/rules/rule-form.ts';
import { pretty } from '../../../functions/console/rules/rule-preview.tsx';

describe('the payload of a preview', () => {
  it('is shown with line breaks and means the same, whatever it holds', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, 3), (text, indent) => {
        const json = JSON.stringify(JSON.parse(text), undefined, indent);
        expect(JSON.parse(pretty(json))).toEqual(JSON.parse(json));
        expect(pretty(pretty(json))).toBe(pretty(json));
      }),
    );
  });

  it('keeps every digit, and blanks and braces in texts', () => {
    expect(pretty('{"id":12345678901234567890,"price":1.10,"note":"a { \\" } : , b","none":{},"list":[ ]}')).toBe(
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
});

describe('the headers of a form', () => {
  it('stand one a line', () => {
    expect(headersIn('X-Source: privacy\n\n  X-Time:  a: b \nX-Empty\n')).toEqual([
      { name: 'X-Source', value: 'privacy' },
      { name: 'X-Time', value: 'a: b' },
      { name: 'X-Empty', value: '' },
    ]);
  });
});

describe('the event of a preview', () => {
  it('is that of the trigger when none is stated', () => {
    expect(sampleIn(' \n')).toEqual({ ok: true, event: undefined });
    expect(sampleIn('{"id": "e-1"}')).toEqual({ ok: true, event: { id: 'e-1' } });
  });

  it('says why it is no JSON', () => {
    const sample = sampleIn('{\n  "id": e-1\n}');
    expect(sample.ok ? '' : sample.fault).toContain('Unexpected token');
  });
});
