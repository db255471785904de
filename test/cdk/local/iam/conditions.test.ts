import { describe, expect, test } from 'vitest';
import { checkConditions, conditionsHold } from '../../../../cdk/local/iam/conditions.ts';

const context = new Map<string, readonly string[]>([
  ['aws:principalarn', ['arn:aws:iam::000000000000:role/reader']],
  ['aws:securetransport', ['true']],
  ['dynamodb:leadingkeys', ['tenant-1', 'tenant-2']],
  ['s3:prefix', ['results/2026']],
]);

function holds(operator: string, key: string, ...values: string[]): boolean {
  checkConditions({ [operator]: { [key]: values } });
  return conditionsHold({ [operator]: { [key]: values } }, context);
}

describe('a condition', () => {
  test.each([
    ['StringEquals', 's3:prefix', 'results/2026', true],
    ['StringEquals', 's3:prefix', 'results', false],
    ['StringNotEquals', 's3:prefix', 'results', true],
    ['StringLike', 'S3:Prefix', 'results/*', true],
    ['StringNotLike', 's3:prefix', 'results/*', false],
    ['ArnLike', 'aws:PrincipalArn', 'arn:aws:iam::*:role/read*', true],
    ['ArnNotEquals', 'aws:PrincipalArn', 'arn:aws:iam::000000000000:role/writer', true],
    ['Bool', 'aws:SecureTransport', 'false', false],
    ['Bool', 'aws:SecureTransport', 'true', true],
    ['Null', 's3:prefix', 'true', false],
    ['Null', 's3:delimiter', 'true', true],
  ])('%s %s %s: %s', (operator, key, value, expected) => {
    expect(holds(operator, key, value)).toBe(expected);
  });

  test('on an absent key does not hold, unless it is negated or says IfExists', () => {
    expect(holds('StringEquals', 's3:delimiter', '/')).toBe(false);
    expect(holds('StringNotEquals', 's3:delimiter', '/')).toBe(true);
    expect(holds('StringEqualsIfExists', 's3:delimiter', '/')).toBe(true);
    expect(holds('ForAnyValue:StringEquals', 's3:delimiter', '/')).toBe(false);
  });

  test('on several values asks for all or any of them', () => {
    expect(holds('ForAllValues:StringEquals', 'dynamodb:LeadingKeys', 'tenant-1')).toBe(false);
    expect(holds('ForAllValues:StringEquals', 'dynamodb:LeadingKeys', 'tenant-1', 'tenant-2')).toBe(true);
    expect(holds('ForAllValues:StringLike', 'dynamodb:LeadingKeys', 'tenant-?')).toBe(true);
    expect(holds('ForAnyValue:StringEquals', 'dynamodb:LeadingKeys', 'tenant-2')).toBe(true);
    expect(holds('ForAllValues:StringNotEquals', 'dynamodb:LeadingKeys', 'tenant-2')).toBe(false);
  });
});

describe('a policy is refused when it arrives', () => {
  test('with a condition key that is not evaluated', () => {
    expect(() => holds('StringEquals', 'aws:SourceVpce', 'vpce-1')).toThrow(/Unknown condition key aws:SourceVpce/);
    expect(() => holds('Null', 'aws:MultiFactorAuthAge', 'true')).toThrow(/Unknown condition key/);
  });

  test('with an operator that is not evaluated', () => {
    expect(() => holds('IpAddress', 'aws:SourceIp', '10.0.0.0/8')).toThrow(/Unknown condition operator IpAddress/);
    expect(() => holds('NumericLessThan', 's3:max-keys', '10')).toThrow(/Unknown condition operator NumericLessThan/);
    expect(() => holds('StringSounds', 's3:prefix', 'x')).toThrow(/Unknown condition operator/);
  });

  test('with a policy variable', () => {
    expect(() => holds('StringLike', 's3:prefix', 'home/${aws:username}/*')).toThrow(/variables are not evaluated/);
  });
});
