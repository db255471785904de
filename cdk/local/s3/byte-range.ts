/** The `Range` header. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { ByteRange } from './blobs.ts';

/** @returns undefined for the whole object: also when the header is not one that S3 understands, or asks for several ranges. */
export function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw unsatisfiable(size);
  return { start, end };
}

function suffix(length: number, size: number): ByteRange {
  if (length === 0 || size === 0) throw unsatisfiable(size);
  return { start: Math.max(size - length, 0), end: size - 1 };
}

function unsatisfiable(size: number): CallRefusal {
  return new CallRefusal(416, 'InvalidRange', 'The requested range is not satisfiable', {
    headers: { 'content-range': `bytes */${size}` },
  });
}
