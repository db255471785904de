import { describe, expect, it } from 'vitest';
import { NO_VALUE, resolve, type Scope } from '../../../../cdk/local/assembly/intrinsics.ts';
import { resourcesInOrder } from '../../../../cdk/local/assembly/references.ts';
import { Template } from '../../../../cdk/local/assembly/template.ts';

const refs = new Map<string, unknown>([
  ['AWS::Region', 'us-east-1'],
  ['AWS::NoValue', NO_VALUE],
  ['Name', 'value'],
]);

const scope: Scope = {
  ref(name) {
    if (!refs.has(name)) throw new Error(`nothing named ${name}`);
    return refs.get(name);
  },
  attribute: (logicalId, name) => `${logicalId}/${name}`,
  importValue: (name) => `imported ${name}`,
};

describe('a function of CloudFormation', () => {
  it.each<[string, unknown, unknown]>([
    ['Ref', { Ref: 'Name' }, 'value'],
    ['GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table/Arn'],
    ['GetAtt as text', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'Table/Stream.Arn'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Name' }, 1]] }, 'a-value-1'],
    ['Sub', { 'Fn::Sub': 'x-${Name}-${AWS::Region}-${Table.Arn}-${!Name}' }, 'x-value-us-east-1-Table/Arn-${Name}'],
    ['Sub with variables', { 'Fn::Sub': ['${A}-${Name}', { A: { Ref: 'Name' } }] }, 'value-value'],
    ['ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': 'export-${Name}' } }, 'imported export-value'],
    [
      'NoValue',
      { kept: 1, dropped: { Ref: 'AWS::NoValue' }, list: [1, { Ref: 'AWS::NoValue' }] },
      { kept: 1, list: [1] },
    ],
    ['nothing', { a: [{ b: null }, true, 5] }, { a: [{ b: null }, true, 5] }],
    [
      'the condition of a policy',
      { Condition: { StringEquals: { a: { Ref: 'Name' } } } },
      { Condition: { StringEquals: { a: 'value' } } },
    ],
  ])('is resolved: %s', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    ['one that is not here', { 'Fn::If': ['Yes', 1, 2] }, 'The local cloud does not have the function Fn::If.'],
    ['another one', { 'Fn::Split': ['/', 'a/b'] }, 'does not have the function Fn::Split'],
    ['a name that is missing', { a: [{ Ref: 'Missing' }] }, 'nothing named Missing'],
    ['text where a list belongs', { 'Fn::Join': ['-', 'ab'] }, 'A list was expected'],
    ['an object where text belongs', { 'Fn::Join': ['-', [{ a: 1 }]] }, 'Text was expected'],
    ['a secret of a deployment', 'x{{resolve:secretsmanager:name}}', '{{resolve:secretsmanager:name}} is looked up'],
  ])('fails clearly: %s', (_, value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});

describe('a condition', () => {
  it('of a resource or an output is refused', () => {
    const conditional = { Type: 'T', Value: 1, Condition: 'IsProduction' };
    for (const template of [{ Resources: { A: conditional } }, { Resources: {}, Outputs: { A: conditional } }]) {
      expect(() => Template.parse(template)).toThrow('the local cloud does not have conditions');
    }
  });
});

describe('the resources of a template', () => {
  const order = (resources: Record<string, unknown>) => resourcesInOrder(Template.parse({ Resources: resources }));
  const needing = (value: unknown) => ({ Type: 'T', Properties: { value } });

  it('come after all they refer to, otherwise as they stand', () => {
    expect(
      order({
        A: needing({ 'Fn::Join': ['', [{ Ref: 'D' }]] }),
        B: needing({ 'Fn::Sub': ['${C.Arn} ${x}', { x: { 'Fn::GetAtt': ['E', 'Arn'] } }] }),
        C: { Type: 'T', DependsOn: 'D' },
        D: { Type: 'T' },
        E: { Type: 'T', DependsOn: ['C'] },
      }),
    ).toEqual(['D', 'A', 'C', 'E', 'B']);
  });

  it('may not depend on each other in a circle', () => {
    expect(() => order({ A: needing({ Ref: 'B' }), B: needing({ 'Fn::GetAtt': 'A.Arn' }) })).toThrow(
      'These depend on each other: A -> B -> A.',
    );
  });
});
