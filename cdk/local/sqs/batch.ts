/** The batch forms: each entry succeeds or fails by itself. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type JsonObject, objectsIn, textIn } from '../endpoint/json.ts';

const ENTRIES_MAX = 10;

export function batched(request: JsonObject, one: (entry: JsonObject) => JsonObject): JsonObject {
  const entries = checkedEntries(request);
  const Successful: JsonObject[] = [];
  const Failed: JsonObject[] = [];
  for (const entry of entries) {
    const Id = textIn(entry, 'Id') ?? '';
    try {
      Successful.push({ Id, ...one(entry) });
    } catch (error) {
      if (!(error instanceof CallRefusal)) throw error;
      Failed.push({ Id, Code: error.code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful, Failed };
}

function checkedEntries(request: JsonObject): JsonObject[] {
  const entries = objectsIn(request, 'Entries');
  const ids = entries.map((entry) => textIn(entry, 'Id') ?? '');
  if (entries.length === 0)
    throw new CallRefusal(400, 'EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > ENTRIES_MAX) {
    throw new CallRefusal(
      400,
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${entries.length}.`,
    );
  }
  if (ids.some((id) => !/^[A-Za-z0-9_-]{1,80}$/.test(id))) {
    throw new CallRefusal(
      400,
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    );
  }
  if (new Set(ids).size < ids.length) {
    throw new CallRefusal(
      400,
      'BatchEntryIdsNotDistinct',
      `Two or more batch entries in the request have the same Id.`,
    );
  }
  return entries;
}
