import { convertDecimal } from '../../../functions/conversions/values/quantities/convert-decimal.ts';
import {
  decimalOf,
  exactText,
  type FormattedNumber,
  formatExact,
  readDecimal,
} from '../../../functions/conversions/values/quantities/decimal.ts';
import { conversionNamed } from '../../../functions/conversions/values/quantities/named-conversion.ts';
import { convertQuantity } from '../../../functions/conversions/values/quantities/quantity.ts';
import { compare, multiply } from '../../../functions/conversions/values/quantities/rational.ts';
import { unitOf } from '../../../functions/conversions/values/quantities/unit-lookup.ts';
import { DEFINITIONS, type Definition } from '../../conversions/values/quantities/definitions.ts';
import { PEERS, type Peer } from './conversion-peers.ts';

/** The slowest that ours may be, as a multiple of the faster peer's speed. */
const TARGET_RATIO = 1;
const VALUES_PER_DEFINITION = 50;
const ROUNDS = 7;
const ROUND_MILLISECONDS = 150;
const EXACT = { rounding: 'half-even' } as const;

/** Conversions of a number in digits to a number in digits: how many are right to the last digit, and how many a second. */
export async function benchConversions(): Promise<void> {
  console.log(`\nConversions: ${DEFINITIONS.length} definitions (NIST SP 811, UCUM), right to the last digit`);
  console.table([oursByDigits(), ...PEERS.map(peerByDigits)]);

  const shared = DEFINITIONS.filter(({ from, to }) => PEERS.every(({ units }) => units.has(from) && units.has(to)));
  const cases = shared.flatMap((definition) => variationsOf(definition));
  const wrong = cases.filter(({ value, from, to }) => ours(value, from, to).value !== byFractions(value, from, to));
  if (wrong.length > 0) throw new Error(`${wrong.length} answers differ from those by fractions`);
  const { ending = [], endless = [] } = Object.groupBy(cases, ({ value, from, to }) =>
    ours(value, from, to).exact === undefined ? 'endless' : 'ending',
  );
  console.log(
    `Digits in, digits out: ${ending.length} values of the ${shared.length} definitions that all have units for`,
  );
  console.table(speeds(ending));
  console.log(
    `${endless.length} values whose digits have no end: ours gives 20 of them and the fraction, the others a double`,
  );
  console.table(speeds(endless));
  await Promise.resolve();
}

const ours = (value: string, from: string, to: string): FormattedNumber =>
  convertDecimal(value, conversionNamed(from, to), EXACT);

const byFractions = (value: string, from: string, to: string): string =>
  formatExact(convertQuantity(decimalOf(value), unitOf(from), unitOf(to)), EXACT).value;

interface Digits {
  readonly library: string;
  readonly 'definitions it has units for': number;
  readonly 'right to the last digit': number;
  readonly 'of those, %': string;
  readonly 'of all, %': string;
  /** Off by more than rounding explains: the unit means something else there, or its factor is wrong. */
  readonly 'off by more than 1e-4': number;
  readonly example: string;
}

const percent = (part: number, of: number): string => ((part / of) * 100).toFixed(1);

function oursByDigits(): Digits {
  const right = DEFINITIONS.filter(({ value, from, to, expected }) => ours(value, from, to).exact === expected).length;
  return digits('ours', { definitions: DEFINITIONS.length, right, off: 0, example: '' });
}

function peerByDigits(peer: Peer): Digits {
  const covered = DEFINITIONS.filter(({ from, to }) => peer.units.has(from) && peer.units.has(to));
  const wrong = covered.filter((definition) => !isRight(definition, answerOf(peer, definition)));
  const off = wrong.filter((definition) => {
    const expected = Number(definition.expected);
    return Math.abs(answerOf(peer, definition) - expected) > 1e-4 * Math.max(Math.abs(expected), 1e-6);
  });
  const [first] = off.length > 0 ? off : wrong;
  const example = first
    ? `${first.value} ${first.from} = ${answerOf(peer, first)} ${first.to}, not ${first.expected}`
    : '';
  return digits(peer.name, {
    definitions: covered.length,
    right: covered.length - wrong.length,
    off: off.length,
    example,
  });
}

interface Count {
  readonly definitions: number;
  readonly right: number;
  readonly off: number;
  readonly example: string;
}

const digits = (library: string, { definitions, right, off, example }: Count): Digits => ({
  library,
  'definitions it has units for': definitions,
  'right to the last digit': right,
  'of those, %': percent(right, definitions),
  'of all, %': percent(right, DEFINITIONS.length),
  'off by more than 1e-4': off,
  example,
});

const answerOf = ({ units, convert }: Peer, { value, from, to }: Definition): number =>
  convert(Number(value), units.get(from) ?? '', units.get(to) ?? '');

/** However the number is written: 1e-7 is 0.0000001. */
function isRight({ expected }: Definition, answer: number): boolean {
  const read = readDecimal(String(answer));
  return typeof read === 'object' && compare(read, decimalOf(expected)) === 0;
}

/** Multiples of the value of the definition, many, so that no cache of the engine answers for the libraries. */
function variationsOf({ value, from, to }: Definition): Definition[] {
  return Array.from({ length: VALUES_PER_DEFINITION }, (_, nth) => {
    const factor = { numerator: BigInt(1 + ((nth * 7919) % 997)), denominator: 10n ** BigInt(nth % 3) };
    const varied = exactText(multiply(decimalOf(value), factor)) ?? value;
    return { value: varied, from, to, expected: '' };
  });
}

interface Speed {
  readonly library: string;
  readonly 'conversions per second': number;
  readonly 'ours is faster by': string;
  readonly 'without text, per second': number | string;
}

function speeds(cases: readonly Definition[]): Speed[] {
  const text = new Map<string, () => unknown>([
    ['ours', () => each(cases, ({ value, from, to }) => ours(value, from, to))],
    ...PEERS.map((peer): [string, () => unknown] => [peer.name, () => each(named(cases, peer), textWith(peer))]),
  ]);
  const numbers = new Map(
    PEERS.map((peer): [string, () => unknown] => [peer.name, () => each(named(cases, peer), numberWith(peer))]),
  );
  const perSecond = measure(text, cases.length);
  const asNumbers = measure(numbers, cases.length);
  const own = perSecond.get('ours') ?? 0;
  return [...perSecond].map(([library, speed]) => ({
    library,
    'conversions per second': speed,
    'ours is faster by': library === 'ours' ? `(target ${TARGET_RATIO})` : (own / speed).toFixed(2),
    'without text, per second': asNumbers.get(library) ?? '',
  }));
}

interface Named extends Definition {
  readonly number: number;
}

const prepared = new Map<readonly Definition[], Map<Peer, readonly Named[]>>();
/** The names of the peer are looked up before the clock runs. */
function named(cases: readonly Definition[], peer: Peer): readonly Named[] {
  const byPeer = prepared.get(cases) ?? new Map<Peer, readonly Named[]>();
  prepared.set(cases, byPeer);
  const cached = byPeer.get(peer);
  if (cached) return cached;
  const made = cases.map(({ value, from, to }) => ({
    value,
    number: Number(value),
    from: peer.units.get(from) ?? '',
    to: peer.units.get(to) ?? '',
    expected: '',
  }));
  byPeer.set(peer, made);
  return made;
}

const textWith =
  ({ convert }: Peer) =>
  ({ value, from, to }: Named): unknown =>
    String(convert(Number(value), from, to));

const numberWith =
  ({ convert }: Peer) =>
  ({ number, from, to }: Named): unknown =>
    convert(number, from, to);

function each<T>(cases: readonly T[], work: (one: T) => unknown): unknown {
  let last: unknown;
  for (const one of cases) last = work(one);
  return last;
}

/** The median of rounds in which the libraries take turns, so that a busy machine slows all alike. */
function measure(works: ReadonlyMap<string, () => unknown>, size: number): Map<string, number> {
  const rounds = new Map([...works.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, work] of works) {
      const start = performance.now();
      let times = 0;
      for (; performance.now() - start < ROUND_MILLISECONDS; times++) work();
      // The first round warms up.
      if (round > 0) rounds.get(name)?.push((times * size * 1_000) / (performance.now() - start));
    }
  }
  return new Map([...rounds].map(([name, each]) => [name, Math.round(each.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0)]));
}
