import { quoteForMessage } from '../../items/item-refusal.ts';
import { type Reading, read, unreadable } from './reading.ts';
import { plainText } from './tidy.ts';

const BATHS = 'ba|bas|bath|baths|bathroom|bathrooms|badezimmer|bäder|bad';
const BEDS = 'bd|bds|bed|beds|br|brs|bdrm|bdrms|bedroom|bedrooms|schlafzimmer';
const ROOMS = 'rm|rms|room|rooms|zimmer|zi';

const WORDS: Readonly<Record<RoomKind, RegExp>> = {
  baths: new RegExp(`^(${BATHS})$`),
  beds: new RegExp(`^(${BEDS})$`),
  rooms: new RegExp(`^(${ROOMS})$`),
};

export type RoomKind = 'baths' | 'beds' | 'rooms';

/** Matches `1`, `2.5`, `2,5`, `2 1/2` and the expansion of `2½`. */
const COUNT = /^(\d{1,4})(?:[.,](\d{1,2})| (\d)[/⁄](\d))?(?: ?-? ?([\p{L}]+)\.?)?$/u;
const HALVES: Readonly<Record<string, string>> = { '1/2': '.5', '1/4': '.25', '3/4': '.75' };

/** Reads a number of rooms of one kind, such as `2.5 ba` or `3 bedrooms`, as decimal text. */
export function readRoomCount(text: string, kind: RoomKind): Reading<string> {
  const written = plainText(text.replace(/(?<=\d)(?=[½¼¾])/g, ' ')).toLowerCase();
  const [, count, decimals, over, under, word] = written.length > 40 ? [] : (COUNT.exec(written) ?? []);
  if (count === undefined) return unreadable(`${quoteForMessage(text)} is not a number of ${kind}.`);
  if (word !== undefined && !WORDS[kind].test(word))
    return unreadable(
      `${quoteForMessage(text)} does not count ${kind}: ${quoteForMessage(word)} means something else.`,
    );
  const fraction = over === undefined ? '' : HALVES[`${over}/${under}`];
  if (fraction === undefined) return unreadable(`${quoteForMessage(text)} is not a number of ${kind}.`);
  const places = (decimals ?? '').replace(/0+$/, '');
  return read(count.replace(/^0+(?=\d)/, '') + (places === '' ? fraction : `.${places}`));
}
