/** The `Condition` block of a policy statement. What is not evaluated truthfully here is refused when a policy arrives. */
import { matchesArn, matchesPattern } from './pattern.ts';

/** Operator, then condition key, then the values that the policy names. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Condition key in lower case, then its values in this call. */
export type ConditionContext = ReadonlyMap<string, readonly string[]>;

type Comparison = (expected: string, actual: string) => boolean;

const COMPARISONS = new Map<string, Comparison>([
  ['StringEquals', (expected, actual) => expected === actual],
  ['StringLike', matchesPattern],
  ['ArnEquals', matchesArn],
  ['ArnLike', matchesArn],
  ['Bool', (expected, actual) => expected.toLowerCase() === actual.toLowerCase()],
]);

/** Operators that hold when their opposite holds for no value. */
const NEGATIONS = new Map([
  ['StringNotEquals', 'StringEquals'],
  ['StringNotLike', 'StringLike'],
  ['ArnNotEquals', 'ArnEquals'],
  ['ArnNotLike', 'ArnLike'],
]);

/** Keys that calls carry here, or that only AWS's own services set and that are therefore truthfully absent. */
const KEYS = new Set(
  [
    'aws:CurrentTime',
    'aws:EpochTime',
    'aws:PrincipalAccount',
    'aws:PrincipalArn',
    'aws:PrincipalIsAWSService',
    'aws:PrincipalType',
    'aws:RequestedRegion',
    'aws:ResourceAccount',
    'aws:SecureTransport',
    'aws:SourceAccount',
    'aws:SourceArn',
    'aws:SourceIp',
    'aws:ViaAWSService',
    'dynamodb:LeadingKeys',
    'events:detail-type',
    'events:eventBusInvocation',
    'events:source',
    'iam:PassedToService',
    'kms:CallerAccount',
    'kms:EncryptionAlgorithm',
    'kms:EncryptionContextKeys',
    'kms:GrantIsForAWSResource',
    'kms:KeySpec',
    'kms:ViaService',
    's3:authType',
    's3:delimiter',
    's3:if-match',
    's3:if-none-match',
    's3:max-keys',
    's3:prefix',
    's3:signatureAge',
    's3:signatureversion',
    's3:TlsVersion',
    's3:VersionId',
    's3:x-amz-acl',
    's3:x-amz-content-sha256',
    's3:x-amz-copy-source',
    's3:x-amz-metadata-directive',
    's3:x-amz-server-side-encryption',
    's3:x-amz-server-side-encryption-aws-kms-key-id',
    's3:x-amz-storage-class',
    'secretsmanager:SecretId',
    'secretsmanager:VersionId',
    'secretsmanager:VersionStage',
    'ses:ApiVersion',
    'ses:FromAddress',
    'ses:FromDisplayName',
    'ses:Recipients',
  ].map((key) => key.toLowerCase()),
);

const KEY_PREFIXES = ['kms:encryptioncontext:'];

interface Operator {
  readonly scope: 'any' | 'ForAnyValue' | 'ForAllValues';
  readonly ifExists: boolean;
  readonly negated: boolean;
  readonly holds: Comparison;
}

/** Throws on an unknown operator or key, so that no policy is obeyed only in part. */
export function checkConditions(conditions: Conditions): void {
  for (const [operator, comparisons] of Object.entries(conditions)) {
    if (operator !== 'Null') operatorOf(operator);
    for (const [key, values] of Object.entries(comparisons)) {
      if (!isKnownKey(key.toLowerCase())) throw new Error(`Unknown condition key ${key} in a policy (${operator}).`);
      refuseVariables(key, values);
    }
  }
}

export function conditionsHold(conditions: Conditions, context: ConditionContext): boolean {
  return Object.entries(conditions).every(([operator, comparisons]) =>
    Object.entries(comparisons).every(([key, values]) => holds(operator, values, context.get(key.toLowerCase()))),
  );
}

function holds(operatorName: string, expected: readonly string[], actual: readonly string[] | undefined): boolean {
  if (operatorName === 'Null') return expected.includes(String(actual === undefined));
  const operator = operatorOf(operatorName);
  const one = (value: string) => expected.some((operand) => operator.holds(operand, value)) !== operator.negated;
  if (operator.scope === 'ForAllValues') return (actual ?? []).every(one);
  if (actual === undefined) return operator.ifExists || (operator.negated && operator.scope === 'any');
  return actual.some(one);
}

function operatorOf(name: string): Operator {
  const [, scope, base, ifExists] = /^(?:(ForAnyValue|ForAllValues):)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  const negation = NEGATIONS.get(base ?? '');
  const comparison = COMPARISONS.get(negation ?? base ?? '');
  if (!comparison) throw new Error(`Unknown condition operator ${name} in a policy.`);
  return {
    scope: scope === 'ForAnyValue' || scope === 'ForAllValues' ? scope : 'any',
    ifExists: ifExists !== undefined,
    negated: negation !== undefined,
    holds: comparison,
  };
}

function isKnownKey(key: string): boolean {
  return KEYS.has(key) || KEY_PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** `${aws:username}` and its kin would need values that no local caller has. */
export function refuseVariables(where: string, values: readonly string[]): void {
  const variable = values.find((value) => value.includes('${'));
  if (variable !== undefined) throw new Error(`Policy variables are not evaluated here: ${where} ${variable}`);
}
