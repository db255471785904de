/**
 * Remembers the items that time to live has deleted, so that stream records can name DynamoDB as the deleter, as on
 * AWS. Consumers use this to tell an expired item from one that a call removed.
 */
import { isObject, type Json, type JsonObject, numberIn, objectIn, objectsIn, textIn } from '../endpoint/json.ts';

/** Streams keep their records for this time. */
const RETENTION_MS = 24 * 3600 * 1000;
/** Engines round the time of a record, one of them to the minute. */
const ROUNDING_MS = 61_000;

const SERVICE = { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' };

export class ExpiredItems {
  /** Table and key, then when it went, by the machine's clock, which is also the engine's. */
  private readonly deletedAt = new Map<string, number>();

  note(table: string, key: JsonObject): void {
    const now = Date.now();
    for (const [name, at] of this.deletedAt) {
      if (at > now - RETENTION_MS) break;
      this.deletedAt.delete(name);
    }
    const name = nameOf(table, key);
    // Deleted and set again, so that the map stays ordered by age.
    this.deletedAt.delete(name);
    this.deletedAt.set(name, now);
  }

  /** The answer to GetRecords with DynamoDB named in the records of expired items. */
  named(table: string, result: JsonObject): JsonObject {
    if (this.deletedAt.size === 0 || result['Records'] === undefined) return result;
    const Records = objectsIn(result, 'Records').map((record) =>
      this.isOfExpired(table, record) ? { ...record, userIdentity: SERVICE } : record,
    );
    return { ...result, Records };
  }

  private isOfExpired(table: string, record: JsonObject): boolean {
    if (textIn(record, 'eventName') !== 'REMOVE') return false;
    const change = objectIn(record, 'dynamodb');
    const at = this.deletedAt.get(nameOf(table, objectIn(change, 'Keys')));
    const seconds = numberIn(change, 'ApproximateCreationDateTime') ?? Number.NaN;
    return at !== undefined && Math.abs(at - seconds * 1000) < ROUNDING_MS;
  }
}

function nameOf(table: string, key: JsonObject): string {
  const parts = Object.entries(key).map(([attribute, value]) => `${attribute}=${scalar(value)}`);
  return [table, ...parts.sort((a, b) => (a < b ? -1 : 1))].join('\n');
}

function scalar(value: Json | undefined): string {
  return isObject(value) ? JSON.stringify(value) : '';
}
