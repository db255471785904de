/** `If-Match` and the other conditional headers. */
import { CallRefusal } from '../endpoint/call-refusal.ts';

export interface Preconditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
  readonly ifUnmodifiedSince?: string;
}

interface Existing {
  readonly etag: string;
  readonly modifiedAt: Date;
}

type Headers = Readonly<Record<string, string>>;

/** @param prefix `x-amz-copy-source-` for the conditions on the source of a copy. */
export function preconditionsIn(headers: Headers, prefix = ''): Preconditions {
  return {
    ifMatch: headers[`${prefix}if-match`],
    ifNoneMatch: headers[`${prefix}if-none-match`],
    ifModifiedSince: headers[`${prefix}if-modified-since`],
    ifUnmodifiedSince: headers[`${prefix}if-unmodified-since`],
  };
}

/** Throws unless the object may be written over; `existing` is what is there now. */
export function checkWrite({ ifMatch, ifNoneMatch }: Preconditions, existing: Existing | undefined): void {
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new CallRefusal(
      501,
      'NotImplemented',
      'A header you provided implies functionality that is not implemented: If-None-Match with a value other than *',
    );
  }
  if (ifNoneMatch === '*' && existing) throw failed('If-None-Match');
  if (ifMatch === undefined) return;
  if (!existing) throw new CallRefusal(404, 'NoSuchKey', 'The specified key does not exist.');
  if (!names(ifMatch, existing.etag)) throw failed('If-Match');
}

/** Returns the outcome of a conditional read. `If-Match` outweighs `If-Unmodified-Since`, `If-None-Match` `If-Modified-Since`. */
export function readOutcome(conditions: Preconditions, existing: Existing): 'send' | 'not-modified' {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  if (ifMatch !== undefined && !names(ifMatch, existing.etag)) throw failed('If-Match');
  if (ifMatch === undefined && isModifiedSince(existing, ifUnmodifiedSince) === true)
    throw failed('If-Unmodified-Since');
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, existing.etag) ? 'not-modified' : 'send';
  return isModifiedSince(existing, ifModifiedSince) === false ? 'not-modified' : 'send';
}

export function failed(condition: string): CallRefusal {
  return new CallRefusal(
    412,
    'PreconditionFailed',
    `At least one of the pre-conditions you specified did not hold: ${condition}`,
  );
}

function names(header: string, etag: string): boolean {
  return header.split(',').some((part) => {
    const name = part.trim().replace(/^W\//, '').replaceAll('"', '');
    return name === '*' || name === etag;
  });
}

/** HTTP dates have whole seconds. Undefined when no usable date was given. */
function isModifiedSince({ modifiedAt }: Existing, date: string | undefined): boolean | undefined {
  const since = Date.parse(date ?? '');
  return Number.isNaN(since) ? undefined : Math.floor(modifiedAt.getTime() / 1000) * 1000 > since;
}
