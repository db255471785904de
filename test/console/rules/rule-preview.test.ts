import { describe, expect, it } from 'vitest';
import {
  headerFault,
  headersIn,
  newRule,
  sampleIn,
  sampleText,
  withoutOwnSample,
} from '../../../functions/console/rules/rule-form.ts';

describe('the headers of a form', () => {
  it('stand one a line', () => {
    expect(headersIn('X-Source: privacy\n\n  X-Time:  a: b \nX-Empty:\nnone\n')).toEqual([
      { name: 'X-Source', value: 'privacy' },
      { name: 'X-Time', value: 'a: b' },
      { name: 'X-Empty', value: '' },
    ]);
    expect(headerFault('X-Source: privacy\n\nnone\n')).toMatch(/^Line 3 needs a colon/);
    expect(headerFault('X-Source: privacy\n\n')).toBeUndefined();
  });
});

describe('the event of a preview', () => {
  const trigger = 'dsar|DSAR starts';
  const modules = {
    items: [
      {
        id: 'dsar',
        name: 'Data Subject Requests',
        triggers: ['DSAR starts', 'Stage started'].map((name) => ({ name, variables: [], sample: { trigger: name } })),
      },
    ],
  };

  it('is that of the trigger when none is stated', () => {
    expect(sampleIn({ trigger, sample: ' \n' })).toEqual({ ok: true, event: undefined });
  });

  it('is of the trigger that is chosen, whatever it says itself', () => {
    expect(sampleIn({ trigger, sample: '{"id": "e-1", "trigger": "Stage started"}' })).toEqual({
      ok: true,
      event: { id: 'e-1', module: 'dsar', trigger: 'DSAR starts' },
    });
  });

  it('follows the choice of another trigger as long as nobody has changed it', () => {
    const fields = { ...newRule(modules, new URLSearchParams()), trigger };
    const other = sampleText(modules.items[0]?.triggers[1]);
    expect(withoutOwnSample(modules, { ...fields, sample: other }).sample).toBe('');
    expect(withoutOwnSample(modules, { ...fields, sample: '{"id": "mine"}' }).sample).toBe('{"id": "mine"}');
  });

  it.each(['{\n  "id": e-1\n}', '[]', 'null', '7'])('says why it is none: %j', (sample) => {
    expect(sampleIn({ trigger, sample }).ok).toBe(false);
  });
});
