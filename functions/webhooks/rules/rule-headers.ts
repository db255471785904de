import * as z from 'zod';
import type { ModuleId } from '../modules/module.ts';
import { headerNameFault, isHeaderValue } from '../sending/header-rules.ts';
import { HEADER_CHARACTERS_MAX, type Header } from '../sending/sending.ts';
import { replacePlaceholders, type Variables } from './placeholders.ts';
import { trimCharacters } from './trim-characters.ts';

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

/**
 * Custom headers as an object or a list of `{name, value}`. Surrounding spaces of a value are removed, because HTTP
 * strips them.
 */
export const CustomHeaders = z
  .unknown()
  .transform((given, context): readonly CustomHeader[] => {
    const fail = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const headers = pairsIn(given ?? {});
    if (!headers) return fail('must be an object of names and strings, or a list of {name, value}');
    if (headers.length > HEADERS_MAX) return fail(`must have at most ${HEADERS_MAX} headers`);
    const names = new Set<string>();
    for (const { name, value } of headers) {
      const fault =
        headerNameFault(name) ?? valueFault(value) ?? (names.has(name.toLowerCase()) ? 'is given twice' : '');
      if (fault) return fail(`${name.slice(0, 100)} ${fault}`);
      names.add(name.toLowerCase());
    }
    return headers;
  })
  .meta({
    anyOf: [
      { type: 'object', additionalProperties: { type: 'string' } },
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, value: { type: 'string' } },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
      { type: 'null' },
    ],
    description: `At most ${HEADERS_MAX} headers, as an object of names and values or as a list of pairs.`,
  });

function pairsIn(given: unknown): readonly CustomHeader[] | undefined {
  const pairs = Pairs.safeParse(given);
  if (pairs.success) return pairs.data.map(trimmed);
  const members = Members.safeParse(given);
  if (!members.success) return undefined;
  return Object.entries(members.data).map(([name, value]) => trimmed({ name, value }));
}

const trimmed = ({ name, value }: CustomHeader) => ({ name, value: trimCharacters(value, ' \t') });

function valueFault(value: string): string | undefined {
  if (!isHeaderValue(value)) return 'must have a value in Latin-1 without line breaks and control characters';
  if (value.length > VALUE_CHARACTERS_MAX) return `must have a value of at most ${VALUE_CHARACTERS_MAX} characters`;
  return undefined;
}

/**
 * The custom headers of a run. Placeholders are replaced for consent rules only; other modules send the headers as
 * entered. Inserted text may come from a visitor, who must not be able to prevent the run.
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
 * Converts a text to a valid header value: without control characters, percent-encoded in UTF-8 where it is not
 * Latin-1, and cut to the length limit.
 */
function sendable(text: string): string {
  let value = '';
  for (const character of text.toWellFormed()) {
    if (/\p{Cc}/u.test(character)) continue;
    const carried = isHeaderValue(character) ? character : encodeURIComponent(character);
    if (value.length + carried.length > HEADER_CHARACTERS_MAX) break;
    value += carried;
  }
  return trimCharacters(value, ' ');
}
