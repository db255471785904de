import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { newId } from '#shared/ids';
import { shardOf } from '#shared/table/sharded-lists';
import { boundTable, type Key, putNewItem, type Table } from '#shared/table/table.dynamodb';
import { assignment, EXISTS, updateItem } from '#shared/table/writes.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import {
  AUDIT,
  AUDIT_MILLIS,
  AUDIT_SHARDS,
  AUDITS,
  type AuditEnd,
  type AuditLine,
  type AuditWriter,
} from './audit-line.ts';

export function auditWriter(table: Table, idOf: () => string = () => newId('aud')): AuditWriter {
  return {
    async begin(change, now) {
      const line: AuditLine = { ...change, id: idOf(), time: isoTime(now) };
      const key = keyOf(line);
      try {
        await putNewItem(table, {
          ...key,
          ...line,
          list: `${AUDITS}${shardOf(line.id, AUDIT_SHARDS)}`,
          position: key.sk,
          ttl: Math.ceil((now + AUDIT_MILLIS) / 1_000),
        });
      } catch (cause) {
        const detail = 'Changes cannot be recorded at the moment, so none is made. Try again in a minute.';
        throw new Refusal(503, 'unavailable', detail, { cause });
      }
      return { end: (end) => addEnd(table, key, end) };
    },
  };
}

/** A writer to the table that a handler is bound to. */
export const boundAuditWriter = (name: string): AuditWriter => auditWriter(boundTable(name));

const keyOf = ({ tenant, time, id }: AuditLine): Key => ({ pk: `${AUDIT}${tenant}`, sk: `${time}#${id}` });

async function addEnd(table: Table, key: Key, { outcome, status, createdId }: AuditEnd): Promise<void> {
  try {
    const end = { outcome, status, ...(createdId !== undefined && { createdId }) };
    const { done } = await updateItem(table, key, { ...EXISTS, ...assignment(end) });
    if (!done) throw new Error('The line of the change is gone.');
  } catch (error) {
    log.error('end of a change not recorded', { error });
    countFault();
  }
}
