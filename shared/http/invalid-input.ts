import * as z from 'zod/mini';
import { Refusal } from '#shared/errors';

/** A fault of a request: its place (RFC 6901) and a description. */
export interface InputFault {
  readonly pointer: string;
  readonly detail: string;
}

/** A fault before it is presented. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  /** A predicate about the value, or a whole sentence. */
  readonly message: string;
  /** The answer to a request with no other fault. @default 400 invalid-input */
  readonly alone?: { readonly status: number; readonly code: string } | undefined;
}

const FAULTS_MAX = 20;

/** A request whose parts are invalid, with all their faults. */
export class InvalidInput extends Refusal {
  readonly faults: readonly Fault[];
  readonly errors: readonly InputFault[];

  constructor(faults: readonly Fault[]) {
    const listed = faults.slice(0, FAULTS_MAX);
    const { status, code } = (listed.length === 1 && listed[0]?.alone) || { status: 400, code: 'invalid-input' };
    const presented = listed.map(({ path, message }) => faultAt(path, message));
    super(status, code, presented.map(({ sentence }) => sentence).join('; '));
    this.faults = listed;
    this.errors = presented.map(({ pointer, detail }) => ({ pointer, detail }));
  }
}

/** The refusal of one member. @param path `authentication.key` @param alone the answer if nothing else is wrong */
export const faultOf = (path: string, message: string, alone?: Fault['alone']): InvalidInput =>
  new InvalidInput([{ path: path.split('.'), message, alone }]);

/**
 * Parses the value with its schema. Validator messages are not shown: faults use the schema's own text, or those below.
 */
export function parsed<T>(schema: z.core.$ZodType<T>, value: unknown): T {
  const result = z.safeParse(schema, value, { error: inWords });
  if (result.success) return result.data;
  throw new InvalidInput(result.error.issues.flatMap(faultsOf));
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not a known field' }));
  }
  return [{ path: issue.path, message: issue.message }];
}

/**
 * A rule about several members of an object. It is checked when these members are valid, whatever else is wrong. A
 * schema would check it only once nothing is, so that the caller would see its fault in a second round.
 */
export const whenSound =
  (...names: readonly string[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(({ path: [name] = [], code }) =>
      name === undefined ? code === 'unrecognized_keys' : !names.includes(String(name)),
    );

function faultAt(path: readonly PropertyKey[], message: string): InputFault & { readonly sentence: string } {
  const names = path.map((name) => String(name).slice(0, NAME_CHARACTERS_MAX));
  const detail = message.replace(/\.$/, '');
  const pointer = names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const where = names.join('.');
  // A predicate follows the member's name; a whole sentence of a schema stands alone.
  const joined = /^[a-z]/.test(detail) ? `${where} ${detail}` : `${where}: ${detail}`;
  return { pointer, detail, sentence: where === '' ? detail : joined };
}

const NAME_CHARACTERS_MAX = 100;

/** Describes the fault of a value, as the predicate of a sentence about it. */
function inWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return `must ${bound(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'too_big':
      return `must ${bound(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not written as it has to be';
    case 'invalid_union':
      return 'has none of the allowed forms';
    default:
      return 'is not valid';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a URL',
  datetime: 'must be a time with a zone, such as 2026-11-01T12:00:00Z',
  date: 'must be a date, such as 2026-11-01',
};

function bound(origin: string, count: number, than: string): string {
  const many = (noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  if (origin === 'string')
    return count === 1 && than === 'at least' ? 'not be empty' : `have ${than} ${many('character')}`;
  if (origin === 'array' || origin === 'set') return `have ${than} ${many('item')}`;
  if (origin === 'object' || origin === 'map') return `have ${than} ${many('field')}`;
  return `be ${than} ${count}`;
}
