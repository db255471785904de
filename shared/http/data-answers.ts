import * as z from 'zod/mini';
import { named } from './answer-schemas.ts';

/** A time of `/v3`, in UTC: month and day are not padded (specification 000, section 2). */
export const DataTime = named(
  'DataTime',
  z.string().check(z.regex(/^\d{4}-\d{1,2}-\d{1,2} \d{2}:\d{2}:\d{2}$/)),
  'A time in UTC, such as `2026-11-5 09:03:07`: month and day are not padded.',
);
