/**
 * Makes secondary indexes follow their tables late, as on AWS: a read of an index shows what was written shortly before as
 * it was. What was deleted shortly before is gone at once, and counts without items are not late.
 */
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, objectsIn } from '../endpoint/json.ts';

/**
 * The time that an index lags behind. On AWS it is mostly a few milliseconds. It also ends with the next response of the
 * HTTP API, because the next action of a person takes longer.
 */
const LATE_MILLIS = 100;

interface LateItem {
  readonly writtenAt: number;
  /** The item before it was written; undefined if there was none. */
  readonly before: JsonObject | undefined;
}

export class LateIndexes {
  private readonly now: () => Date;
  private readonly late = new Map<string, LateItem>();

  constructor(now: () => Date) {
    this.now = now;
  }

  /** @param name of the item, the same for all its versions */
  note(name: string, before: JsonObject | undefined): void {
    if (!this.isLate(name)) this.late.set(name, { writtenAt: this.now().getTime(), before });
  }

  /** Lets the indexes show everything that was written until now. */
  catchUp(): void {
    this.late.clear();
  }

  /**
   * Returns the answer to a read of an index as the index knows the items.
   * @param partition the attribute by which the index is partitioned
   */
  seen(answer: JsonObject, partition: string, nameOf: (item: JsonObject) => string): JsonObject {
    if (answer['Items'] === undefined) return answer;
    const items = objectsIn(answer, 'Items').flatMap((item) => this.itemSeen(item, partition, nameOf(item)));
    return { ...answer, Items: items, Count: items.length };
  }

  private itemSeen(item: JsonObject, partition: string, name: string): JsonObject[] {
    if (!this.isLate(name)) return [item];
    const before = this.late.get(name)?.before;
    if (!before || !isDeepStrictEqual(before[partition], item[partition])) return [];
    const projected = Object.entries(before).filter(([attribute]) => attribute in item);
    return [Object.fromEntries(projected)];
  }

  private isLate(name: string): boolean {
    const late = this.late.get(name);
    if (!late) return false;
    if (this.now().getTime() - late.writtenAt < LATE_MILLIS) return true;
    this.late.delete(name);
    return false;
  }
}
