import * as z from 'zod';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import { Numeric } from '../items/numeric.ts';
import { Options } from '../items/options.ts';
import { nearest } from '../values/quantities/nearest.ts';
import { isPattern, patternOf, readPattern, writePattern } from './date-pattern.ts';
import { DATETIME_FORMATS, type DatetimeFormat, readDatetime, writeDatetime } from './datetime-formats.ts';
import type { Instant, Reading, Writing } from './instant.ts';
import { base, type Context, roundedBy } from './item-base.ts';

const Format = z
  .string()
  .min(1)
  .max(60)
  .meta({
    description: `One of ${DATETIME_FORMATS.join(', ')}; or a pattern of yyyy, MM, M, dd, d, HH, H, mm, ss and ZZ, such as dd/MM/yyyy.`,
    examples: ['iso8601', 'unix', 'dd/MM/yyyy HH:mm'],
  });

export const DatetimeItem = z.strictObject({
  kind: z.literal('datetime'),
  value: Numeric.meta({ description: 'A time in the format `from`.', examples: ['1700000000'] }),
  from: Format,
  to: Format,
  timezone: Options.shape.timezone.meta({
    description: 'IANA zone of times without an offset, and of the answer. Default: the option of this name.',
  }),
  ...base,
});

export async function convertDatetimeItem(item: z.output<typeof DatetimeItem>, { options }: Context) {
  const luxon = await import('luxon');
  const timezone = item.timezone ?? options.timezone;
  const text = item.value.trim();
  if (text.length > TEXT_MAX)
    throw new ItemRefusal('unparseable-value', `${quoteForMessage(text)} is too long for a time.`);
  const from = formatOf(item.from);
  const to = formatOf(item.to);
  const reading: Reading = { luxon, timezone };
  const instant: Instant = from.pattern
    ? readPattern(text, from.pattern, reading)
    : readDatetime(text, from.name, reading);
  const writing: Writing = { luxon, timezone: timezone ?? instant.offset ?? 'UTC', ...roundedBy(item, options) };
  return { value: to.pattern ? writePattern(instant, to.pattern, writing) : writeDatetime(instant, to.name, writing) };
}

/** The longest text of a time. No format needs more, and numbers of 400 digits are far outside the calendar. */
const TEXT_MAX = 120;

type Format =
  | { readonly name: DatetimeFormat; readonly pattern?: undefined }
  | { readonly name?: undefined; readonly pattern: ReturnType<typeof patternOf> };

function formatOf(text: string): Format {
  const name = DATETIME_FORMATS.find((each) => each === text.toLowerCase());
  if (name) return { name };
  if (isPattern(text)) return { pattern: patternOf(text) };
  const choices = [
    ...DATETIME_FORMATS.map((each): [string, string] => [each, each]),
    ['iso', 'iso8601'] as [string, string],
  ];
  const suggestion = nearest(text.toLowerCase(), choices, 3);
  throw new ItemRefusal(
    'unsupported-conversion',
    `There is no format ${quoteForMessage(text)} of times. Choose ${DATETIME_FORMATS.join(', ')}, or a pattern such as dd/MM/yyyy.`,
    suggestion === undefined ? {} : { suggestion },
  );
}
