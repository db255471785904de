/** Lifecycle rules: what a bucket deletes by itself, and when. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { notImplemented } from './operation.ts';
import { childOf, childrenOf, parseXml, textOf, type XmlElement } from './xml.ts';

export interface LifecycleRule {
  readonly prefix: string;
  readonly expireAfterDays: number | undefined;
  readonly abortUploadsAfterDays: number | undefined;
}

const DAY_MS = 24 * 3600 * 1000;
const UNDERSTOOD = ['AbortIncompleteMultipartUpload', 'Expiration', 'Filter', 'ID', 'Prefix', 'Status'];

/** Reads the enabled rules; refuses rules that could be obeyed only in part. */
export function lifecycleRules(configuration: string): LifecycleRule[] {
  const root = parseXml(configuration);
  const rules = childrenOf(root, 'Rule');
  if (root.name !== 'LifecycleConfiguration' || rules.length === 0) throw malformed('There is no rule.');
  return rules.flatMap((rule) => {
    const parsed = ruleIn(rule);
    return textOf(rule, 'Status') === 'Enabled' ? [parsed] : [];
  });
}

/** Objects go at the first midnight (UTC) after their days have passed: so must be at most this old to stay. */
export function expiredBefore(days: number, now: Date): number {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return midnight - days * DAY_MS;
}

function ruleIn(rule: XmlElement): LifecycleRule {
  const unknown = rule.children.find(({ name }) => !UNDERSTOOD.includes(name));
  if (unknown) throw notImplemented(`lifecycle rules with ${unknown.name}`);
  if (!['Enabled', 'Disabled'].includes(textOf(rule, 'Status') ?? ''))
    throw malformed('Status must be Enabled or Disabled.');
  const filter = childOf(rule, 'Filter');
  const expiration = childOf(rule, 'Expiration');
  refuseOthers(filter, 'Prefix');
  refuseOthers(expiration, 'Days');
  return {
    prefix: textOf(filter, 'Prefix') ?? textOf(rule, 'Prefix') ?? '',
    expireAfterDays: days(textOf(expiration, 'Days')),
    abortUploadsAfterDays: days(textOf(childOf(rule, 'AbortIncompleteMultipartUpload'), 'DaysAfterInitiation')),
  };
}

function days(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CallRefusal(400, 'InvalidArgument', "'Days' for an action must be a positive integer");
}

function refuseOthers(element: XmlElement | undefined, supported: string): void {
  const other = element?.children.find(({ name }) => name !== supported);
  if (other) throw notImplemented(`lifecycle rules with ${other.name}`);
}

function malformed(message: string): CallRefusal {
  return new CallRefusal(
    400,
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate against our published schema: ${message}`,
  );
}
