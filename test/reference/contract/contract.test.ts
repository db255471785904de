import { describe, expect, it } from 'vitest';
import { breakingChanges, versionFault } from './breaking-changes.ts';
import { contractOf, DOCUMENT_PATHS, documentNow, type Json, recordedContract } from './contract.ts';

describe.each(DOCUMENT_PATHS)('the contract of %s', (path) => {
  const [recorded, now] = [recordedContract(path), contractOf(documentNow(path))];

  it('breaks no client of the last recording (else: npm run baseline)', () => {
    expect(recorded.size).toBeGreaterThan(100);
    expect(breakingChanges(recorded, now)).toEqual([]);
  });

  it('has a version that tells it from the last recording', () => {
    expect(versionFault(recorded, now)).toBeUndefined();
  });
});

// oxlint-disable-next-line typescript/no-explicit-any -- a document that a test changes
type Changed = Record<string, any>;
type Change = (document: Changed) => void;

/** The document with the operations that the rows change, and no others: each row reads it anew. */
const document = ofRules(documentNow('/manage/v1/openapi.json'));
const before = contractOf(document);

function ofRules(whole: Json): Json {
  return { ...whole, paths: { '/manage/v1/rules': whole['paths']['/manage/v1/rules'] } };
}

function changed(change: Change): Json {
  const copy = structuredClone(document);
  change(copy);
  return copy;
}

/** The schema with this name; clients send NewRule, and get Rule. */
const schema = (name: string, change: Change) => (all: Changed) => change(all['components'].schemas[name]);
const member = (name: string, key: string, change: Change) => schema(name, ({ properties }) => change(properties[key]));
const operation = (method: string, path: string, change: Change) => (all: Changed) =>
  change(all['paths'][path][method]);
const listRules = (change: Change) => operation('get', '/manage/v1/rules', change);
const parameter = (name: string, change: Change) =>
  listRules(({ parameters }) => change(parameters.find((one: Json) => one['name'] === name)));

describe('the comparison with the last recording', () => {
  it.each<[string, Change, string]>([
    ['a removed operation', ({ paths }) => delete paths['/manage/v1/rules'].get, 'GET /manage/v1/rules is removed'],
    [
      'another id of an operation',
      listRules((one) => (one['operationId'] = 'rules')),
      'GET /manage/v1/rules lacks listRules',
    ],
    [
      'another way to authenticate',
      listRules((one) => (one['security'] = [])),
      'GET /manage/v1/rules lacks security bearer',
    ],
    ['a removed status', listRules(({ responses }) => delete responses[200]), 'GET /manage/v1/rules 200 is removed'],
    [
      'a new kind of success',
      listRules(({ responses }) => (responses[202] = responses[200])),
      'GET /manage/v1/rules 202 is a new kind of success',
    ],
    [
      'a removed code of an error',
      listRules(({ responses }) => (responses[400].description = 'Codes: invalid-input, tenant-required.')),
      'GET /manage/v1/rules 400 lacks code invalid-cursor',
    ],
    [
      'a removed header',
      listRules(({ responses }) => delete responses[401].headers['WWW-Authenticate']),
      'GET /manage/v1/rules 401 lacks header WWW-Authenticate',
    ],
    [
      'another body of an error',
      listRules(({ responses }) => (responses[404].content = responses[200].content)),
      'GET /manage/v1/rules 404 lacks application/problem+json Problem',
    ],
    [
      'a removed parameter',
      listRules((one) => (one['parameters'] = one['parameters'].filter((each: Json) => each['name'] !== 'cursor'))),
      'request GET /manage/v1/rules query cursor is removed',
    ],
    [
      'a parameter that becomes required',
      parameter('cursor', (one) => (one['required'] = true)),
      'request GET /manage/v1/rules query cursor now has to be required',
    ],
    [
      'a new required parameter',
      listRules(({ parameters }) => parameters.push({ name: 'new', in: 'query', required: true, schema: {} })),
      'request GET /manage/v1/rules query new is required and new',
    ],
    [
      'a lower limit of a parameter',
      parameter('limit', (one) => (one['schema'].maximum = 50)),
      'request GET /manage/v1/rules query limit now has to be maximum 50',
    ],
    [
      'another default of a parameter',
      parameter('limit', (one) => (one['schema'].default = 20)),
      'request GET /manage/v1/rules query limit changes its default 50',
    ],
    [
      'a value that is no longer taken',
      parameter('module', (one) => one['schema'].enum.shift()),
      'request GET /manage/v1/rules query module now has to be values other than "dsar"',
    ],
    [
      'a new required member of a request',
      schema('NewRule', (one) => {
        one['properties'].owner = { type: 'string' };
        one['required'].push('owner');
      }),
      'request NewRule.owner is required and new',
    ],
    [
      'a removed member of a request',
      schema('NewRule', ({ properties }) => delete properties.body),
      'request NewRule.body is removed',
    ],
    [
      'another type of a request',
      member('NewRule', 'trigger', (one) => (one['type'] = 'integer')),
      'request NewRule.trigger now has to be only integer, not string',
    ],
    [
      'a pattern of a request',
      member('NewRule', 'trigger', (one) => (one['pattern'] = '^[a-z]*$')),
      'request NewRule.trigger now has to be pattern "^[a-z]*$"',
    ],
    [
      'a removed member of an answer',
      schema('Rule', ({ properties }) => delete properties.trigger),
      'answer Rule.trigger is removed',
    ],
    [
      'a member of an answer that may be absent',
      schema('Rule', (one) => (one['required'] = one['required'].filter((name: string) => name !== 'trigger'))),
      'answer Rule.trigger no longer promises required',
    ],
    [
      'a member of an answer that may be null',
      schema('Rule', ({ properties }) => (properties.trigger = { anyOf: [properties.trigger, { type: 'null' }] })),
      'answer Rule.trigger no longer promises only string, not null',
    ],
    [
      'a value that answers did not have',
      schema('ModuleId', (one) => one['enum'].push('another')),
      'answer ModuleId no longer promises values other than "another"',
    ],
    [
      'a time that becomes any text',
      member('Rule', 'createdAt', (one) => delete one['format']),
      'answer Rule.createdAt no longer promises format "date-time"',
    ],
  ])('finds %s, and nothing else', (_, change, breakingChange) => {
    const after = contractOf(changed(change));
    expect(breakingChanges(before, after)).toEqual([breakingChange]);
    expect(versionFault(before, after)).toMatch(/: \d+\.0\.0\.$/);
  });

  it.each<[string, Change]>([
    ['a new operation', ({ paths }) => (paths['/manage/v1/more'] = paths['/manage/v1/rules'])],
    [
      'a new optional parameter',
      listRules(({ parameters }) => parameters.push({ name: 'new', in: 'query', schema: {} })),
    ],
    ['a new code of an error', listRules(({ responses }) => (responses[404].description = 'Codes: not-found, gone.'))],
    ['a new status of an error', listRules(({ responses }) => (responses[410] = responses[404]))],
    ['one kind of error less', listRules(({ responses }) => delete responses[500].content['application/json'])],
    ['a new header', listRules(({ responses }) => (responses[200].headers['X-New'] = { schema: { type: 'string' } }))],
    [
      'a new optional member of a request',
      schema('NewRule', ({ properties }) => (properties.more = { type: 'string' })),
    ],
    [
      'a new optional member of a request that has required members',
      schema('NewRule', ({ properties }) => {
        properties.more = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
      }),
    ],
    ['a member of a request that need not be sent', schema('NewRule', (one) => one['required'].shift())],
    ['a higher limit of a request', parameter('limit', (one) => (one['schema'].maximum = 500))],
    ['a value that requests may newly have', parameter('module', (one) => one['schema'].enum.push('another'))],
    ['a new member of an answer', schema('Rule', ({ properties }) => (properties.more = { type: 'string' }))],
    ['a value that answers no longer have', schema('ModuleId', (one) => one['enum'].shift())],
    ['one more way to authenticate', listRules((one) => (one['security'] = [{ bearer: [] }, { other: [] }]))],
  ])('lets pass %s, with a higher version', (_, change) => {
    const grown = changed(change);
    const after = contractOf(grown);
    expect(breakingChanges(before, after)).toEqual([]);
    expect(versionFault(before, after)).toMatch(/: \d+\.\d+\.0\.$/);
    const [major, minor] = document['info'].version.split('.').map(Number);
    grown['info'].version = `${major}.${minor + 1}.0`;
    expect(versionFault(before, contractOf(grown))).toBeUndefined();
  });

  it('lets pass other words', () => {
    const reworded = contractOf(changed(schema('Rule', (one) => (one['description'] = 'Another.'))));
    expect(breakingChanges(before, reworded)).toEqual([]);
    expect(versionFault(before, reworded)).toBeUndefined();
  });
});
