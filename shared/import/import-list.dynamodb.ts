import type { Page, PageQuery } from '#shared/http/page';
import { getItem, getItems, listItems, type Table } from '#shared/table/table.dynamodb';
import { Entry, entryKey, importKey, listOf, type WatchedJob, watchedJobIn } from './import-items.dynamodb.ts';

import { importsOf } from './import-store.dynamodb.ts';

/** The imports of an owner, running and finished. */
export const importList = (table: Table) => ({
  /** A page of imports, newest first (strongly consistent). */
  async page(owner: string, page: PageQuery): Promise<Page<WatchedJob>> {
    const { items: entries, ...rest } = await listItems(table, listOf(owner), page);
    const jobs = await getItems(
      table,
      entries.map((entry) => importKey(Entry.parse(entry).object)),
    );
    return { ...rest, items: jobs.map(watchedJobIn).toSorted(newestFirst) };
  },

  /** The imports of the object with this key, newest first, at most 100. They may be of any owner. */
  async ofKey(key: string): Promise<Page<WatchedJob>> {
    return { items: await importsOf(table, key) };
  },

  /** Undefined if there is none, or if it belongs to another owner. */
  async byId(owner: string, id: string): Promise<WatchedJob | undefined> {
    const item = await getItem(table, entryKey(id));
    const entry = item && Entry.parse(item);
    if (entry?.owner !== owner) return undefined;
    const job = await getItem(table, importKey(entry.object));
    return job && watchedJobIn(job);
  },
});

const positionOf = ({ startedAt, id }: WatchedJob) => `${startedAt}#${id}`;
const newestFirst = (a: WatchedJob, b: WatchedJob) => (positionOf(a) < positionOf(b) ? 1 : -1);
