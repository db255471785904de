import { Refusal } from '#shared/errors';
import type { HttpEvent, HttpResult } from './http-handler.ts';

/** A request that is about to change something. */
export interface RequestedChange<Caller> {
  readonly event: HttpEvent;
  readonly caller: Caller;
  /** Names of the fields that the body contains and the schema knows. */
  readonly fields: readonly string[];
  /** The values of those of them that cannot hold a secret, as text. */
  readonly values: Readonly<Record<string, string>>;
  readonly now: number;
}

/** Adds the outcome of the change to the record. Must not fail. */
export type RecordEnd = (status: number, result?: HttpResult) => Promise<void>;

/** Returns whether a request of this method changes something. */
export const isChange = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** Makes a change and then records its outcome: made, refused or failed. */
export async function endingRecord(end: RecordEnd, make: () => Promise<HttpResult>): Promise<HttpResult> {
  let result: HttpResult;
  try {
    result = await make();
  } catch (error) {
    await end(error instanceof Refusal ? error.status : 500);
    throw error;
  }
  await end(result.statusCode ?? 200, result);
  return result;
}

/** Members of the parsed body that the caller sent: defaults and members unknown to the schema are left out. */
export function sentFields(rawBody: unknown, body: unknown): string[] {
  if (!isObject(rawBody) || !isObject(body)) return [];
  // A schema may gather members: a verdict and what belongs to it.
  const names = Object.entries(body).flatMap(([name, value]) => [name, ...(isObject(value) ? Object.keys(value) : [])]);
  return [...new Set(names)].filter((name) => Object.hasOwn(rawBody, name));
}

/** Members whose schemas take a few words, an amount or a time only. */
const WORDS = new Set(['role', 'plan', 'status', 'mode', 'amount', 'from', 'to', 'startsAt', 'endsAt', 'expiresAt']);

/** A word, an amount or a time. A schema may have such a member and a text of the same name in another place. */
const PLAIN = /^[\w.:+-]{1,40}$/;

/**
 * The values, as they were sent, of fields that are numbers, yes or no, words of a choice, amounts or times: other texts
 * can be secret or personal.
 */
export function plainValues(rawBody: unknown, fields: readonly string[]): Record<string, string> {
  const values = rawBody as Readonly<Record<string, unknown>>;
  const isPlain = (name: string) => {
    const value = values[name];
    return (
      ['boolean', 'number'].includes(typeof value) ||
      (WORDS.has(name) && typeof value === 'string' && PLAIN.test(value))
    );
  };
  return Object.fromEntries(fields.filter(isPlain).map((name) => [name, String(values[name])]));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
