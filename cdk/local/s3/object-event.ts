/** What S3 tells about its objects. */

export interface ObjectCreated {
  readonly bucket: string;
  /** As the caller named it, not URL-encoded. */
  readonly key: string;
  readonly size: number;
  /** Without quotes, as in S3's own events. */
  readonly etag: string;
  /** Orders the events of one key: compare as text. */
  readonly sequencer: string;
  readonly reason: 'PutObject' | 'CompleteMultipartUpload' | 'CopyObject' | 'POST Object';
  /** The caller's ARN. */
  readonly requester: string;
}

export interface ObjectRemoved {
  readonly bucket: string;
  readonly key: string;
  readonly sequencer: string;
  readonly reason: 'DeleteObject' | 'Lifecycle Expiration';
  readonly requester: string;
}
