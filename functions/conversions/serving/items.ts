import * as z from 'zod';
import { Refusal } from '#shared/errors';
import { isExactNumber } from '#shared/formats/exact-json';
import { ItemRefusal } from '../items/item-refusal.ts';
import { Options } from '../items/options.ts';
import { DATA_VERSION } from './data-version.ts';
import { Problem } from './problem.ts';
import { escaped, invalidRequest } from './read-json.ts';

export const ITEMS_MAX = 100;
const ERRORS_SHOWN = 20;

/** A metered route of items: the work on one item, and the schemas of items and results. */
export interface ItemRoute<Item, Result> {
  readonly item: z.ZodType<Item>;
  readonly result: z.ZodType<Result>;
  readonly work: (item: Item, context: { readonly options: Options; readonly now: number }) => Promise<Result>;
}

/** The id of an item within its batch. */
export const ItemId = z.string().min(1).max(100).meta({ description: 'Names the item; its result carries the same.' });

interface Request<Item> {
  readonly options: Options;
  /** True if the item was sent alone, not in a list. */
  readonly isSingle: boolean;
  readonly items: readonly { readonly id?: string; readonly item: Item }[];
}

/**
 * Reads one item, or `{items: [...]}`, with options beside it. All faults are reported together, each with its pointer.
 */
export function requestIn<Item>({ item }: ItemRoute<Item, unknown>, body: unknown): Request<Item> {
  if (!isObject(body)) throw invalidRequest('', 'must be an object');
  const { options: stated = {}, ...rest } = body;
  const errors: ItemError[] = [];
  const options = checked(Options, stated, { pointer: '/options', errors });
  const isSingle = !Object.hasOwn(rest, 'items');
  const items = isSingle ? [{ item: checked(item, rest, { pointer: '', errors }) }] : listIn(item, rest, errors);
  if (errors.length > 0 || options === undefined) throw mistakes(errors);
  return {
    options,
    isSingle,
    items: items.flatMap(({ id, item }) => (item === undefined ? [] : [{ ...(id !== undefined && { id }), item }])),
  };
}

interface Candidate<Item> {
  readonly id?: string | undefined;
  /** The parsed item; undefined if it has faults. */
  readonly item?: Item | undefined;
}

function listIn<Item>(
  schema: z.ZodType<Item>,
  { items, ...others }: Record<string, unknown>,
  errors: ItemError[],
): Candidate<Item>[] {
  for (const name of Object.keys(others))
    errors.push({ pointer: `/${escaped(name)}`, detail: 'is not a member of a list of items' });
  if (!Array.isArray(items) || items.length === 0 || items.length > ITEMS_MAX) {
    errors.push({ pointer: '/items', detail: `must be a list of 1 to ${ITEMS_MAX} items` });
    return [];
  }
  return items.map((one: unknown, index) => {
    const pointer = `/items/${index}`;
    if (!isObject(one)) {
      errors.push({ pointer, detail: 'must be an object' });
      return {};
    }
    const { id: rawId, ...rest } = one;
    const id = rawId === undefined ? undefined : checked(ItemId, rawId, { pointer: `${pointer}/id`, errors });
    return { id, item: checked(schema, rest, { pointer, errors }) };
  });
}

interface ItemError {
  readonly pointer: string;
  readonly detail: string;
}

function checked<T>(
  schema: z.ZodType<T>,
  value: unknown,
  { pointer, errors }: { pointer: string; errors: ItemError[] },
) {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    errors.push({ pointer: [pointer, ...path.map((name) => escaped(String(name)))].join('/'), detail: message });
  }
  return undefined;
}

const mistakes = (errors: readonly ItemError[]) => {
  const [first] = errors;
  const others = errors.length - 1;
  const more = others === 0 ? '' : others === 1 ? ' There is one more mistake.' : ` There are ${others} more mistakes.`;
  const detail = `${first?.pointer || 'The body'}: ${first?.detail}.${more}`;
  return new Problem(400, 'invalid-request', detail, { members: { errors: errors.slice(0, ERRORS_SHOWN) } });
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

export interface Deadline {
  readonly now: number;
  /** Throws once the time of the request is over. */
  readonly check: () => void;
}

/** The body of the answer. A list answers 200 as soon as one item succeeded; a failed item has its error in its place. */
export async function answerTo<Item, Result>(
  route: ItemRoute<Item, Result>,
  { options, isSingle, items }: Request<Item>,
  { now, check }: Deadline,
): Promise<object> {
  const results: object[] = [];
  let failures = 0;
  for (const { id, item } of items) {
    check();
    try {
      const result = await route.work(item, { options, now });
      results.push({ ...(id !== undefined && { id }), ...(!isSingle && { status: 'ok' }), ...result });
    } catch (error) {
      if (!(error instanceof ItemRefusal)) throw error;
      if (isSingle) throw aloneRefused(error);
      failures += 1;
      const { code, detail, facts } = error;
      results.push({ ...(id !== undefined && { id }), status: 'error', error: { code, detail, ...facts } });
    }
  }
  if (isSingle) return { ...results[0], dataVersion: DATA_VERSION };
  if (failures < items.length) return { results, dataVersion: DATA_VERSION };
  throw new Problem(422, 'all-items-failed', `None of the ${items.length} items could be worked on.`, {
    members: { results, dataVersion: DATA_VERSION },
  });
}

const aloneRefused = ({ status, code, detail, facts }: ItemRefusal) =>
  new Problem(status, code, detail, { members: { ...facts } });

/** Returns whether the handler's answer counts: content errors do, faults do not. */
export const isCountable = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 400 || error.status === 422);
