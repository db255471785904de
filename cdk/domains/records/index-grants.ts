import type { PREFIX } from '../../../functions/records/index/segments.s3.ts';
import { setting } from '../../constructs/functions/bindings.ts';

const SEGMENTS: readonly (typeof PREFIX)[] = ['segments/'];

export const readsIndex = { actions: ['GetObject'], prefixes: SEGMENTS } as const;
export const writesIndex = { actions: ['GetObject', 'PutObject', 'AbortMultipartUpload'], prefixes: SEGMENTS } as const;
export const removesFromIndex = { actions: ['DeleteObject'], prefixes: SEGMENTS } as const;

/** The part of the index that a function with 1,769 MiB may cache in memory. */
export const cacheBytes = setting(700 * 1024 * 1024);

/** The longest timeout that Lambda allows: workers of long work pass on the rest before it is over. */
export const LONGEST_SECONDS = 900;
