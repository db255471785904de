/** Decides from the arguments of `npm run restore` what it restores. */
import { z } from 'zod';
import { wrongCall } from '#shared/command/command-line';
import { VERSION_RETENTION_DAYS } from './constructs/version-retention.ts';
import type { DOMAIN_TABLES } from './domain-tables.ts';
import { IMPORT_BUCKETS } from './import-buckets.ts';

export type Domain = keyof typeof DOMAIN_TABLES;

interface SourceOptions {
  readonly domain: Domain;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export type RestoreSource =
  | { readonly kind: 'table'; readonly from: string }
  /** The bucket with this output, as it was at a time in milliseconds since 1970. */
  | { readonly kind: 'bucket'; readonly output: string; readonly to: number };

const DAY_MILLIS = 24 * 3_600_000;

/** Throws if the arguments name no source that can be restored completely. */
export function restoreSource({ domain, from, to }: SourceOptions, now: number): RestoreSource {
  if (from !== undefined && to === undefined) return { kind: 'table', from };
  if (to !== undefined && from === undefined) return { kind: 'bucket', output: bucketOf(domain), to: timeIn(to, now) };
  throw wrongCall('Name either a table with --from or a time with --to.');
}

function bucketOf(domain: Domain): string {
  const buckets: Partial<Record<Domain, string>> = IMPORT_BUCKETS;
  const bucket = buckets[domain];
  if (bucket !== undefined) return bucket;
  throw wrongCall(`${domain} has no imported files: choose ${Object.keys(IMPORT_BUCKETS).join(' or ')}.`);
}

function timeIn(text: string, now: number): number {
  const time = z.iso.datetime({ offset: true }).safeParse(text);
  if (!time.success) throw wrongCall(`--to is "${text}", which is no time such as 2026-11-26T14:00:00Z.`);
  const at = Date.parse(time.data);
  if (at >= now - VERSION_RETENTION_DAYS * DAY_MILLIS) return at;
  throw wrongCall(`--to is more than ${VERSION_RETENTION_DAYS} days ago: versions of that time are deleted.`);
}
