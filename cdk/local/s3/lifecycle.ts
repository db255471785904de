/** Lifecycle rules: what a bucket deletes by itself, and when. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { notImplemented } from './operation.ts';
import { childOf, childrenOf, parseXml, textOf, type XmlElement } from './xml.ts';

export interface LifecycleRule {
  readonly prefix: string;
  readonly largerThan: number;
  readonly smallerThan: number;
  readonly expireAfterDays: number | undefined;
  /** From this day on everything is deleted that the rule is about. */
  readonly expireOn: Date | undefined;
  readonly abortUploadsAfterDays: number | undefined;
}

const DAY_MS = 24 * 3600 * 1000;
/** Rules may also speak of versions and storage classes, which have no effect on what can be read here. */
const WITHOUT_EFFECT = ['ID', 'NoncurrentVersionExpiration', 'NoncurrentVersionTransition', 'Transition'];
const UNDERSTOOD = ['AbortIncompleteMultipartUpload', 'Expiration', 'Filter', 'Prefix', 'Status', ...WITHOUT_EFFECT];

/** Reads the enabled rules; refuses what would be half obeyed. */
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
  const filters = childOf(filter, 'And') ?? filter;
  if (childOf(filters, 'Tag')) throw notImplemented('lifecycle rules with tags');
  const expiration = childOf(rule, 'Expiration');
  const date = textOf(expiration, 'Date');
  return {
    prefix: textOf(filters, 'Prefix') ?? textOf(rule, 'Prefix') ?? '',
    largerThan: bytes(filters, 'ObjectSizeGreaterThan', -1),
    smallerThan: bytes(filters, 'ObjectSizeLessThan', Number.POSITIVE_INFINITY),
    expireAfterDays: days(textOf(expiration, 'Days')),
    expireOn: date === undefined ? undefined : dateOf(date),
    abortUploadsAfterDays: days(textOf(childOf(rule, 'AbortIncompleteMultipartUpload'), 'DaysAfterInitiation')),
  };
}

function days(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CallRefusal(400, 'InvalidArgument', "'Days' for an action must be a positive integer");
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (date.getTime() % DAY_MS === 0) return date;
  throw new CallRefusal(400, 'InvalidArgument', "'Date' must be at midnight GMT");
}

function bytes(filters: XmlElement | undefined, name: string, otherwise: number): number {
  const text = textOf(filters, name);
  return text === undefined ? otherwise : Number(text);
}

function malformed(message: string): CallRefusal {
  return new CallRefusal(
    400,
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate against our published schema: ${message}`,
  );
}
