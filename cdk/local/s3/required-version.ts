/** The version that a request reads, or the refusal if there is none. */
import type { Principal } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { deleteMarkerHeaders } from './object-headers.ts';
import type { StoredObject, StoredVersion, VersionAddress } from './objects.ts';
import { permissionToKnow } from './permissions.ts';
import type { S3Store } from './store.ts';
import { checkedVersionId } from './version-ids.ts';

export function requireVersion(
  store: S3Store,
  address: VersionAddress,
  { principal, isCopied }: { readonly principal: Principal; readonly isCopied: boolean },
): StoredObject {
  const { bucket, key, versionId } = address;
  store.buckets.check(bucket);
  if (versionId !== undefined) checkedVersionId(versionId);
  const version = store.objects.version(address);
  if (version && !version.isDeleteMarker) return version;
  if (version && versionId !== undefined) throw isCopied ? markerAsSource() : markerAsObject(version);
  if (!store.allows(principal, permissionToKnow(bucket))) throw unknownToCaller(address, principal);
  if (versionId !== undefined)
    throw new CallRefusal(404, 'NoSuchVersion', `The specified version does not exist: ${versionId} of ${key}`);
  throw new CallRefusal(404, 'NoSuchKey', `The specified key does not exist: ${key}`, {
    headers: version && !isCopied ? deleteMarkerHeaders(version) : {},
  });
}

function markerAsSource(): CallRefusal {
  return new CallRefusal(
    400,
    'InvalidRequest',
    'The source of a copy request may not specifically refer to a delete marker by version id.',
  );
}

function markerAsObject(marker: StoredVersion): CallRefusal {
  return new CallRefusal(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    headers: {
      ...deleteMarkerHeaders(marker),
      allow: 'DELETE',
      'last-modified': marker.modifiedAt.toUTCString(),
    },
  });
}

function unknownToCaller({ bucket, key }: VersionAddress, { arn }: Principal): CallRefusal {
  return new CallRefusal(
    403,
    'AccessDenied',
    `User: ${arn} is not authorized to perform: s3:ListBucket on resource: arn:aws:s3:::${bucket}, so it is not told whether ${key} exists`,
  );
}
