import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { Form } from '../../../functions/console/pages/form.ts';
import { refusedForm } from '../../../functions/console/pages/refused-form.ts';

const failure = (code: string, detail: string, status = 400) => new ManagementFailure({ status, code, detail });
const placing = { fields: { 'authentication.key': 'key' }, codes: { 'name-taken': 'name' } };

describe('a refused form', () => {
  it.each([
    [failure('invalid-input', 'name: must not be blank'), { name: 'must not be blank' }],
    [failure('invalid-input', 'authentication.key: is required'), { key: 'is required' }],
    [failure('name-taken', 'Another one has this name.', 409), { name: 'Another one has this name.' }],
  ])('shows what is wrong beside its field', (refusal, wrong) => {
    expect(refusedForm(refusal, placing)).toMatchObject({ wrong, failure: undefined, status: refusal.status });
  });

  it('shows all faults at once, each beside its field', () => {
    const errors = [
      { pointer: '/name', detail: 'is required' },
      { pointer: '/authentication/key', detail: 'must be text' },
    ];
    const refusal = new ManagementFailure({
      status: 400,
      code: 'invalid-input',
      detail: 'name is required; …',
      errors,
    });
    expect(refusedForm(refusal, placing).wrong).toEqual({ name: 'is required', key: 'must be text' });
  });

  it('shows what belongs to no field above them all', () => {
    const refusal = failure('in-use', 'Two rules use it.', 409);
    expect(refusedForm(refusal, placing)).toEqual({ wrong: {}, failure: refusal, status: 409 });
  });
});

describe('a form', () => {
  it('has its fields as they were typed, with the line ends of Unix', () => {
    const form = new Form('name=%20Dana%20&body=a%0D%0Ab&tick=on&kind=a&kind=b');
    expect(form.text('name')).toBe(' Dana ');
    expect(form.trimmed('name')).toBe('Dana');
    expect(form.text('body')).toBe('a\nb');
    expect(form.isChecked('tick')).toBe(true);
    expect(form.isChecked('other')).toBe(false);
    expect(form.all('kind')).toEqual(['a', 'b']);
    expect(form.trimmed('missing')).toBeUndefined();
  });
});
