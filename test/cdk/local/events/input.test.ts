import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputFor, type TargetInput, valueAt } from '../../../../cdk/local/events/input.ts';

const event = {
  source: 's',
  time: '2026-03-01T00:00:00Z',
  detail: { id: 7, name: 'a "b"\n', tags: ['x', { y: 1 }], on: true },
};
const rule = { ruleArn: 'arn:rule', ruleName: 'rule' };
const given = (input: TargetInput) => inputFor(input, event, rule);
const filled = (template: string, paths: Record<string, string> = {}) => given({ kind: 'template', template, paths });

describe('what a target gets', () => {
  it('is the event, a constant or a part', () => {
    expect(JSON.parse(given({ kind: 'event' }))).toEqual(event);
    expect(given({ kind: 'constant', text: '{"a":1}' })).toBe('{"a":1}');
    expect(given({ kind: 'path', path: '$.detail.tags[1]' })).toBe('{"y":1}');
    expect(given({ kind: 'path', path: '$.detail.missing' })).toBe('null');
  });

  it('is a template with JSON outside quotes and text inside', () => {
    const paths = { id: '$.detail.id', name: '$.detail.name', tags: '$.detail.tags', none: '$.detail.none' };
    expect(JSON.parse(filled('{"id": <id>, "name": <name>, "text": "<id>: <name>", "tags": <tags>}', paths))).toEqual({
      id: 7,
      name: 'a "b"\n',
      text: '7: a "b"\n',
      tags: ['x', { y: 1 }],
    });
    expect(JSON.parse(filled('{"a": <none>, "b": "<none>", "c": "\\"<id>"}', paths))).toEqual({
      a: null,
      b: '',
      c: '"7',
    });
  });

  it('may be told of the rule and the whole event', () => {
    expect(JSON.parse(filled('{"rule": "<aws.events.rule-arn>", "event": <aws.events.event.json>}'))).toEqual({
      rule: 'arn:rule',
      event,
    });
    expect(JSON.parse(filled('<aws.events.event>'))).not.toHaveProperty('detail');
  });

  it('keeps angle brackets that name no variable', () => {
    expect(filled('"a < b <c>"')).toBe('"a < b <c>"');
  });

  it('is JSON whatever text stands in the event', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const template = { kind: 'template', template: '{"a": <x>, "b": "[<x>]"}', paths: { x: '$.x' } } as const;
        expect(JSON.parse(inputFor(template, { x: text }, rule))).toEqual({ a: text, b: `[${text}]` });
      }),
    );
  });
});

describe('a path', () => {
  it('goes by names, indexes and quoted names', () => {
    expect(valueAt(event, '$')).toBe(event);
    expect(valueAt({ 'a b': [{ c: 1 }] }, "$['a b'][0].c")).toBe(1);
    expect(valueAt({}, '$.constructor')).toBeUndefined();
  });

  it('that is not understood is refused', () => {
    expect(() => valueAt(event, 'detail')).toThrow('begins with $');
    expect(() => valueAt(event, '$.detail[*]')).toThrow('not understood');
  });
});
