/** The ids of versions. An id has the position of its version, so that a listing continues behind one that is gone. */
import { randomBytes } from 'node:crypto';
import { CallRefusal } from '../endpoint/call-refusal.ts';

/** The id of what was written while its bucket kept no versions. */
export const NULL_VERSION = 'null';

const SEQUENCE_DIGITS = 14;
const RANDOM_BYTES = 9;
const VERSION_ID = new RegExp(`^[0-9a-f]{${SEQUENCE_DIGITS + 2 * RANDOM_BYTES}}$`);

export function newVersionId(sequence: number): string {
  return sequence.toString(16).padStart(SEQUENCE_DIGITS, '0') + randomBytes(RANDOM_BYTES).toString('hex');
}

/** Returns the id if it is one that a version can have. */
export function checkedVersionId(id: string): string {
  if (id === NULL_VERSION || VERSION_ID.test(id)) return id;
  throw new CallRefusal(400, 'InvalidArgument', 'Invalid version id specified');
}

/** Returns the sequence of the version with this id; undefined for the null version, whose id does not have it. */
export function sequenceIn(id: string): number | undefined {
  return id === NULL_VERSION ? undefined : Number.parseInt(id.slice(0, SEQUENCE_DIGITS), 16);
}
