import { Refusal } from '#shared/errors';
import type { HttpEvent, HttpResult } from './http-handler.ts';

/** A request that is about to change something. */
export interface RequestedChange<Caller> {
  readonly event: HttpEvent;
  readonly caller: Caller;
  /** Names of the fields that the body states and the schema knows. */
  readonly fields: readonly string[];
  readonly now: number;
}

/** Adds to the record how the change ended. Must not fail. */
export type RecordEnd = (status: number, result?: HttpResult) => Promise<void>;

/** Requests of other methods change nothing. */
export const isChange = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** Makes a change, and then records how it ended, whether it was made, refused or failed. */
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

/** Members of the parsed body that the caller stated: defaults are left out, and so is what the schema does not know. */
export function statedFields(stated: unknown, body: unknown): string[] {
  if (!isObject(stated) || !isObject(body)) return [];
  return Object.keys(body).filter((name) => Object.hasOwn(stated, name));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
