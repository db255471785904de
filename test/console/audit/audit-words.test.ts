import { describe, expect, it } from 'vitest';
import { actionText, beginOf, fieldsText, isAction, targetText } from '../../../functions/console/audit/audit-words.ts';

describe('a line of the audit log in words', () => {
  it.each([
    ['accounts.management-keys.create', 'Create a management key'],
    ['api-configurations.change', 'Change an API configuration'],
    ['loyalty.imports.uploads.create', 'Begin an upload of places'],
    ['second-factor.delete', 'Remove an authenticator app'],
    ['events.create', 'Send an event'],
    ['former.things.create', 'Create former › things'],
    ['runs.replay.create', 'Replay a failed run'],
    ['somewhere.else', 'somewhere › else'],
  ])('%s is "%s"', (action, text) => expect(actionText(action)).toBe(text));

  it('names the one field that says more than the action', () => {
    const text = (fields: string[], values: Record<string, string>) => actionText('people.change', { fields, values });
    expect(text(['active'], { active: 'false' })).toBe('Disable a person');
    expect(text(['active'], { active: 'true' })).toBe('Enable a person');
    expect(text(['role'], { role: 'viewer' })).toBe('Change the role of a person');
    expect(text(['active', 'role'], { active: 'true' })).toBe('Change, disable or enable a person');
    expect(fieldsText({ fields: ['name', 'points'], values: { points: '25' } })).toBe('name, points 25');
  });

  it('names what the change was about, and what it created', () => {
    expect(targetText({ target: { id: 'acme', keyId: 'k1' }, createdId: null })).toBe('acme › k1');
    expect(targetText({ target: {}, createdId: 'rule_1' })).toBe('rule_1');
  });
});

describe('the filter of the audit log', () => {
  it('begins a period of days before now, and has no beginning for all that is kept or an unknown period', () => {
    const now = Date.UTC(2026, 0, 8);
    expect(beginOf('7', now)).toBe('2026-01-01T00:00:00.000Z');
    expect([beginOf('', now), beginOf('8', now)]).toEqual([undefined, undefined]);
  });

  it('takes what the API takes as an action', () => {
    expect(['rules.create', 'rules', 'Rules!', 'a b'].map(isAction)).toEqual([true, true, false, false]);
  });
});
