import type { Contract } from './contract.ts';

/**
 * Returns in sentences what clients of the one contract lose by the other. What clients send may only get wider, and
 * what they get only narrower: a client need not know a value that it never got.
 */
export function breakingChanges(before: Contract, after: Contract): string[] {
  const removed = [...before].flatMap(([subject, facts]) => {
    const next = after.get(subject);
    // What refers to a schema says that it is gone.
    if (next === undefined) return !isSchema(subject) && hasParent(subject, after) ? [`${subject} is removed`] : [];
    return changesOf(subject, facts, next).map((change) => `${subject} ${change}`);
  });
  const added = [...after].flatMap(([subject, facts]) =>
    before.has(subject) ? [] : additionFaults(subject, facts, before).map((fault) => `${subject} ${fault}`),
  );
  return [...removed, ...added];
}

/** Returns what is wrong with the version of the other contract; undefined if it says how far it differs. */
export function versionFault(before: Contract, after: Contract): string | undefined {
  const [was, is] = [before, after].map((contract) => contract.get('version')?.[0] ?? '');
  const [major = 0, minor = 0] = was!.split('.').map(Number);
  if (textOf(before) === textOf(after)) return undefined;
  const isBreaking = breakingChanges(before, after).length > 0;
  const least = isBreaking ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
  return compareVersions(is!, least) < 0
    ? `The version is ${is}; the contract differs from that of ${was}: ${least}.`
    : undefined;
}

const textOf = (contract: Contract) =>
  JSON.stringify(
    [...contract].filter(([subject]) => subject !== 'version').toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  const at = left!.findIndex((part, index) => part !== right![index]);
  return at === -1 ? 0 : left![at]! - right![at]!;
}

const isRequest = (subject: string) => subject.startsWith('request ');
const isAnswer = (subject: string) => subject.startsWith('answer ');

/** True of a named schema itself. */
const isSchema = (subject: string) => /^(?:request|answer) \w+$/.test(subject);

function changesOf(subject: string, before: readonly string[], after: readonly string[]): string[] {
  if (subject === 'version') return [];
  if (isRequest(subject))
    return [...narrowings(before, after).map((fact) => `now has to be ${fact}`), ...defaultChanges(before, after)];
  if (isAnswer(subject)) return narrowings(after, before).map((fact) => `no longer promises ${fact}`);
  const lost = before.filter((fact) => !after.includes(fact) && !(isBody(fact) && hasBodyOf(before, after)));
  return lost.map((fact) => `lacks ${fact}`);
}

/** True of a media type and the name of its schema. */
const isBody = (fact: string) => /^\w+\/\S+ \w+$/.test(fact);

/** True if every body that is left is one that clients know: then they get less kinds of bodies than before. */
const hasBodyOf = (before: readonly string[], after: readonly string[]) =>
  after.some(isBody) && after.filter(isBody).every((fact) => before.includes(fact));

/** What is new asks something of clients where it is required, and where it is a further kind of success. */
function additionFaults(subject: string, facts: readonly string[], before: Contract): string[] {
  if (isRequest(subject)) return facts[0] === 'required' && hasParent(subject, before) ? ['is required and new'] : [];
  const [, operation = '', status] = /^(\S+ \S+) (\d+)$/.exec(subject) ?? [];
  return status?.startsWith('2') && before.has(operation) ? ['is a new kind of success'] : [];
}

/** The subject that this one is a part of: of a member its schema, of a parameter or status its operation. */
function hasParent(subject: string, contract: Contract): boolean {
  const [, parent] = /^(.*\S)(?:\.[^.\s]+|\[\]|<[^>]*>)$/.exec(subject) ?? [];
  if (parent !== undefined) return contract.has(parent);
  const [, operation] = /^(?:request |answer )?([A-Z]+ \S+) .+$/.exec(subject) ?? [];
  return operation === undefined || contract.has(operation);
}

/** The facts of `next` that values of `facts` need not have. */
function narrowings(facts: readonly string[], next: readonly string[]): string[] {
  const [before, after] = [sorted(facts), sorted(next)];
  return [
    ...(after.required && !before.required ? ['required'] : []),
    ...before.types
      .filter((type) => !covers(after.types, type))
      .map((type) => `only ${after.types.join(' | ')}, not ${type}`),
    ...valuesLost(before.values, after.values),
    ...[...after.limits].flatMap(([name, limit]) =>
      isWithin(name, before.limits.get(name), limit) ? [] : [`${name} ${limit}`],
    ),
  ];
}

interface Facts {
  readonly required: boolean;
  readonly types: readonly string[];
  readonly values?: readonly unknown[];
  readonly limits: ReadonlyMap<string, string>;
}

function sorted(facts: readonly string[]): Facts {
  const required = facts[0] === 'required';
  const [types = '', ...rest] = required ? facts.slice(1) : facts;
  const pairs = rest.map((fact): [string, string] => {
    const [name = '', value = ''] = fact.split(/ (.*)/s);
    return [name, value];
  });
  const values = pairs.find(([name]) => name === 'values')?.[1];
  const limits = pairs.filter(([name]) => name !== 'values' && name !== 'default');
  return {
    required,
    types: types.split(' | '),
    ...(values && { values: JSON.parse(values) }),
    limits: new Map(limits),
  };
}

const covers = (types: readonly string[], type: string) =>
  types.includes(type) || types.includes('any') || (type === 'integer' && types.includes('number'));

function valuesLost(before: readonly unknown[] | undefined, after: readonly unknown[] | undefined): string[] {
  if (after === undefined) return [];
  if (before === undefined) return [`values ${JSON.stringify(after)}`];
  return before.filter((value) => !after.includes(value)).map((value) => `values other than ${JSON.stringify(value)}`);
}

/** True if whatever the one limit lets pass, the other lets pass too. */
function isWithin(name: string, before: string | undefined, after: string): boolean {
  if (before === after) return true;
  if (before === undefined) return false;
  if (/^(?:max|exclusiveMax)/.test(name)) return Number(before) <= Number(after);
  if (/^(?:min|exclusiveMin)/.test(name)) return Number(before) >= Number(after);
  return false;
}

function defaultChanges(before: readonly string[], after: readonly string[]): string[] {
  const preset = before.find((fact) => fact.startsWith('default '));
  return preset === undefined || after.includes(preset) ? [] : [`changes its ${preset}`];
}
