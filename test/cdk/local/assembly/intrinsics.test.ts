import { describe, expect, it } from 'vitest';
import { NO_VALUE, resolve, resolveCondition, type Scope } from '../../../../cdk/local/assembly/intrinsics.ts';
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
  mapping: (map, first, second) => `${map}.${first}.${second}`,
  condition: (name) => name === 'Yes',
};

describe('a function of CloudFormation', () => {
  it.each<[string, unknown, unknown]>([
    ['Ref', { Ref: 'Name' }, 'value'],
    ['GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table/Arn'],
    ['GetAtt as text', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'Table/Stream.Arn'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Name' }, 1]] }, 'a-value-1'],
    ['Join of a function', { 'Fn::Join': [',', { 'Fn::Split': ['/', 'a/b'] }] }, 'a,b'],
    ['Sub', { 'Fn::Sub': 'x-${Name}-${AWS::Region}-${Table.Arn}-${!Name}' }, 'x-value-us-east-1-Table/Arn-${Name}'],
    ['Sub with variables', { 'Fn::Sub': ['${A}-${Name}', { A: { Ref: 'Name' } }] }, 'value-value'],
    ['ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': 'export-${Name}' } }, 'imported export-value'],
    ['Select and Split', { 'Fn::Select': ['1', { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['FindInMap', { 'Fn::FindInMap': ['Map', { Ref: 'AWS::Region' }, 'key'] }, 'Map.us-east-1.key'],
    ['Base64', { 'Fn::Base64': 'hi' }, 'aGk='],
    ['If', { 'Fn::If': ['Yes', 'then', { Ref: 'Missing' }] }, 'then'],
    ['If not', { 'Fn::If': ['No', { Ref: 'Missing' }, 'else'] }, 'else'],
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
    ['an unknown one', { 'Fn::Cidr': ['10.0.0.0/16', 1, 1] }, 'Fn::Cidr is not known'],
    ['a name that is missing', { a: [{ Ref: 'Missing' }] }, 'nothing named Missing'],
    ['a place that is missing', { 'Fn::Select': [5, ['a']] }, 'finds nothing at 5'],
    ['text where a list belongs', { 'Fn::Join': ['-', 'ab'] }, 'A list was expected'],
    ['an object where text belongs', { 'Fn::Join': ['-', [{ a: 1 }]] }, 'Text was expected'],
    ['a secret of a deployment', 'x{{resolve:secretsmanager:name}}', '{{resolve:secretsmanager:name}} is looked up'],
  ])('fails clearly: %s', (_, value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});

describe('a condition', () => {
  it.each<[unknown, boolean]>([
    [{ 'Fn::Equals': [{ Ref: 'Name' }, 'value'] }, true],
    [{ 'Fn::Not': [{ 'Fn::Equals': ['a', 'a'] }] }, false],
    [{ 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Equals': [1, '1'] }] }, true],
    [{ 'Fn::Or': [{ Condition: 'No' }, { 'Fn::Not': [{ Condition: 'Yes' }] }] }, false],
  ])('is evaluated: %j', (value, expected) => {
    expect(resolveCondition(value, scope)).toBe(expected);
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
