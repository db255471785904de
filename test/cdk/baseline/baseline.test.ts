import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Baseline, baselineOf, losses, templatesOfProd } from './baseline.ts';

const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const templates = templatesOfProd(folder);
const now = baselineOf(templates);

// oxlint-disable-next-line typescript/no-explicit-any -- a template that a test changes
type Changed = Record<string, { Resources: Record<string, any>; Outputs: Record<string, any> }>;

const DATA = 'five-services-prod-data';
const EDGE = 'five-services-prod-edge';

/** The losses by an upgrade to templates that differ from these by one change. */
function lossesBy(change: (stacks: Changed) => void): string[] {
  const changed = structuredClone(templates) as Changed;
  change(changed);
  return losses(now, baselineOf(changed));
}

/** The logical id of the resource of this type whose id begins so. */
function idOf(stacks: Changed, stack: string, { type, start = '' }: { type: string; start?: string }): string {
  const [id] = Object.entries(stacks[stack]!.Resources).find(
    ([name, { Type }]) => Type === type && name.startsWith(start),
  )!;
  return id;
}

const propertiesOf = (stacks: Changed, stack: string, which: { type: string; start?: string }) =>
  stacks[stack]!.Resources[idOf(stacks, stack, which)].Properties;

const TABLE = { type: 'AWS::DynamoDB::GlobalTable', start: 'Webhooks' };
const POOL = { type: 'AWS::Cognito::UserPool' };

function renamed(stack: string, which: { type: string; start?: string }) {
  return (stacks: Changed) => {
    const id = idOf(stacks, stack, which);
    const { [id]: resource, ...others } = stacks[stack]!.Resources;
    stacks[stack]!.Resources = { ...others, [`New${id}`]: resource };
  };
}

function indexed(count: number) {
  return (stacks: Changed) => {
    const { GlobalSecondaryIndexes: indexes } = propertiesOf(stacks, DATA, TABLE);
    for (let n = 0; n < count; n += 1) indexes.push({ ...indexes[0], IndexName: `New${n}` });
  };
}

describe('an upgrade from the last recorded release', () => {
  it('replaces and removes nothing that holds data, and changes no export (else: npm run baseline)', () => {
    const released = JSON.parse(readFileSync(join(import.meta.dirname, 'prod.json'), 'utf8')) as Baseline;
    expect(Object.values(released).flatMap(({ resources }) => Object.keys(resources)).length).toBeGreaterThan(40);
    expect(losses(released, now)).toEqual([]);
  });
});

describe('the comparison with the release', () => {
  it.each<[string, (stacks: Changed) => void, RegExp]>([
    ['another name of a table', renamed(DATA, TABLE), /Webhooks\w+ \(AWS::DynamoDB::GlobalTable\) is removed/],
    ['another name of a bucket', renamed(DATA, { type: 'AWS::S3::Bucket' }), /\(AWS::S3::Bucket\) is removed/],
    ['another name of the key', renamed(DATA, { type: 'AWS::KMS::Key' }), /\(AWS::KMS::Key\) is removed/],
    ['another name of the HTTP API', renamed(EDGE, { type: 'AWS::ApiGatewayV2::Api' }), /Api\) is removed/],
    [
      'a changed attribute of the user pool',
      (stacks) => {
        propertiesOf(stacks, DATA, POOL).Schema[0].Mutable = true;
      },
      /UserPool\) changes the attribute tenant/,
    ],
    [
      'another view of a stream',
      (stacks) => {
        propertiesOf(stacks, DATA, TABLE).StreamSpecification.StreamViewType = 'NEW_IMAGE';
      },
      /GlobalTable\) changes StreamSpecification/,
    ],
    [
      'another projection of an index',
      (stacks) => {
        propertiesOf(stacks, DATA, TABLE).GlobalSecondaryIndexes[0].Projection = { ProjectionType: 'KEYS_ONLY' };
      },
      /GlobalTable\) changes the index Listing/,
    ],
    ['two indexes at once', indexed(2), /GlobalTable\) changes more than one index: New0, New1/],
    [
      'another value of an export',
      ({ [DATA]: data }) => {
        Object.values(data!.Outputs).find(({ Export }) => Export !== undefined)!.Value = 'another';
      },
      /changes the value of the export five-services-prod-data:/,
    ],
    [
      'another way to make a secret, which gives it another value',
      (stacks) => {
        propertiesOf(stacks, DATA, { type: 'AWS::SecretsManager::Secret' }).GenerateSecretString.PasswordLength = 65;
      },
      /Secret\) changes GenerateSecretString/,
    ],
    [
      'a table that is no longer kept',
      (stacks) => {
        stacks[DATA]!.Resources[idOf(stacks, DATA, TABLE)].DeletionPolicy = 'Delete';
      },
      /GlobalTable\) is no longer kept as Retain/,
    ],
  ])('finds %s, and nothing else', (_, change, loss) => {
    expect(lossesBy(change)).toEqual([expect.stringMatching(loss)]);
  });

  it.each<[string, (stacks: Changed) => void]>([
    ['one more index', indexed(1)],
    ['one more attribute of the user pool', (stacks) => propertiesOf(stacks, DATA, POOL).Schema.push({ Name: 'team' })],
    [
      'one more table',
      (stacks) => {
        stacks[DATA]!.Resources['More'] = structuredClone(stacks[DATA]!.Resources[idOf(stacks, DATA, TABLE)]);
      },
    ],
    [
      'another description of the API',
      (stacks) => (propertiesOf(stacks, EDGE, { type: 'AWS::ApiGatewayV2::Api' }).Description = 'x'),
    ],
  ])('lets pass %s', (_, change) => {
    expect(lossesBy(change)).toEqual([]);
  });
});
