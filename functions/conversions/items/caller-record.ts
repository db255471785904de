import * as z from 'zod';
import { isExactNumber } from '#shared/formats/exact-json';

export const RECORD_TYPES = ['business', 'product', 'property'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** An object as the caller sent it. Its values are any JSON; numbers that JavaScript would change are raw JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** A caller's record. It is checked but not copied, because a copy by zod loses a member named `__proto__`. */
export const CallerRecord = z
  .unknown()
  .refine(isJsonObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: true }) as z.ZodType as z.ZodType<JsonObject>;
