import * as z from 'zod';
import { headerNameFault, isHeaderValue } from '../sending/header-rules.ts';
import { HEADER_CHARACTERS_MAX, type Header } from '../sending/sending.ts';
import { withoutBlanks } from './blanks.ts';
import type { ModuleId } from './module.ts';
import { replacePlaceholders, type Variables } from './placeholders.ts';

const HEADERS_MAX = 30;
const VALUE_CHARACTERS_MAX = 2_000;

export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

const Pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }));
const Members = z.custom<Record<string, string>>(
  (given) =>
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.values(given).every((value) => typeof value === 'string'),
);

/** Names with values: an object, or a list of `{name, value}`. Blanks around a value would be lost on the way. */
export const CustomHeaders = z.unknown().transform((given, context): readonly CustomHeader[] => {
  const fail = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const headers = pairsIn(given ?? {});
  if (!headers) return fail('must be an object of names and texts, or a list of {name, value}');
  if (headers.length > HEADERS_MAX) return fail(`must be at most ${HEADERS_MAX}`);
  const seen = new Set<string>();
  for (const { name, value } of headers) {
    const fault = headerNameFault(name) ?? valueFault(value) ?? (seen.has(name.toLowerCase()) ? 'is given twice' : '');
    if (fault) return fail(`${name.slice(0, 100)} ${fault}`);
    seen.add(name.toLowerCase());
  }
  return headers;
});

function pairsIn(given: unknown): readonly CustomHeader[] | undefined {
  const pairs = Pairs.safeParse(given);
  if (pairs.success) return pairs.data.map(trimmed);
  const members = Members.safeParse(given);
  if (!members.success) return undefined;
  return Object.entries(members.data).map(([name, value]) => trimmed({ name, value }));
}

const trimmed = ({ name, value }: CustomHeader) => ({ name, value: withoutBlanks(value, ' \t') });

function valueFault(value: string): string | undefined {
  if (!isHeaderValue(value))
    return 'has a value that no header can carry: Latin-1 without line breaks and control characters';
  if (value.length > VALUE_CHARACTERS_MAX) return `must have a value of at most ${VALUE_CHARACTERS_MAX} characters`;
  return undefined;
}

/**
 * The custom headers of a run. Only consent rules have placeholders in them; in other modules they are sent as entered.
 * A visitor may have chosen what a placeholder inserts, and must not be able to prevent the run.
 */
export function customHeaders(
  headers: readonly CustomHeader[],
  module: ModuleId,
  variables: Variables,
): readonly Header[] {
  if (module !== 'consent') return headers.map(({ name, value }) => [name, value]);
  const replaced = (value: string) => replacePlaceholders(value, variables, HEADER_CHARACTERS_MAX);
  return headers.map(({ name, value }) => [name, sendable(replaced(value))]);
}

/**
 * The text as a header can carry it: without control characters, percent-encoded in UTF-8 where it is not Latin-1, and not
 * longer than is sent.
 */
function sendable(text: string): string {
  let value = '';
  for (const character of text.toWellFormed()) {
    if (/\p{Cc}/u.test(character)) continue;
    const carried = isHeaderValue(character) ? character : encodeURIComponent(character);
    if (value.length + carried.length > HEADER_CHARACTERS_MAX) break;
    value += carried;
  }
  return withoutBlanks(value, ' ');
}
