import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import {
  type Instant,
  instantOf,
  type LocalTime,
  notATime,
  type Reading,
  type Writing,
  zonedTimeOf,
} from './instant.ts';

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'offset';

interface Part {
  /** The letters of the pattern, or the literal text. */
  readonly text: string;
  /** The field of the time; absent for literal text. */
  readonly field?: Field;
  /** The texts that the field may have. */
  readonly expected?: RegExp;
}

export interface Pattern {
  readonly text: string;
  readonly parts: readonly Part[];
}

const TOKENS: Readonly<Record<string, { readonly field: Field; readonly expected: RegExp }>> = {
  yyyy: { field: 'year', expected: /\d{4}/y },
  MM: { field: 'month', expected: /\d{2}/y },
  M: { field: 'month', expected: /\d{1,2}/y },
  dd: { field: 'day', expected: /\d{2}/y },
  d: { field: 'day', expected: /\d{1,2}/y },
  HH: { field: 'hour', expected: /\d{2}/y },
  H: { field: 'hour', expected: /\d{1,2}/y },
  mm: { field: 'minute', expected: /\d{2}/y },
  ss: { field: 'second', expected: /\d{2}/y },
  ZZ: { field: 'offset', expected: /Z|[+-]\d{2}:?\d{2}/y },
};

export const isPattern = (text: string): boolean => text.includes('yyyy');

/** A pattern is matched part by part, each at most once, so that no text makes it backtrack. */
export function patternOf(text: string): Pattern {
  const parts = (text.match(/([A-Za-z])\1*|[^A-Za-z]/g) ?? []).map((part): Part => {
    if (part === 'T' || /^[^A-Za-z]$/.test(part)) return { text: part };
    if (Object.hasOwn(TOKENS, part)) return { text: part, ...TOKENS[part] };
    throw new ItemRefusal('unsupported-conversion', `${quoteForMessage(part)} means nothing in a pattern of times.`);
  });
  const fields = parts.flatMap(({ field }) => field ?? []);
  if (
    new Set(fields).size < fields.length ||
    !['year', 'month', 'day'].every((each) => fields.includes(each as Field))
  ) {
    throw new ItemRefusal(
      'unsupported-conversion',
      `The pattern ${quoteForMessage(text)} needs year, month and day, and every part once.`,
    );
  }
  return { text, parts };
}

export function readPattern(text: string, { text: pattern, parts }: Pattern, reading: Reading): Instant {
  const values = new Map<Field, string>();
  let at = 0;
  for (const part of parts) {
    const value = valueAt(text, at, part);
    if (value === undefined) throw notATime(text, pattern);
    if (part.field) values.set(part.field, value);
    at += value.length;
  }
  if (at < text.length) throw notATime(text, pattern);
  const number = (field: Field) => Number(values.get(field) ?? 0);
  const local: LocalTime = {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
    fraction: '',
    offset: values.get('offset'),
  };
  return instantOf(local, text, reading);
}

function valueAt(text: string, at: number, { text: literal, expected }: Part): string | undefined {
  if (expected === undefined) return text.startsWith(literal, at) ? literal : undefined;
  expected.lastIndex = at;
  return expected.exec(text)?.[0];
}

export function writePattern(instant: Instant, { parts }: Pattern, writing: Writing): string {
  const { time } = zonedTimeOf(instant, 0, { ...writing, rounding: 'down' });
  return parts.map(({ text, field }) => (field === undefined ? text : time.toFormat(text))).join('');
}
