/** An object that was written, as S3 announces it. */
export interface ObjectCreated {
  readonly bucket: string;
  /** The key as the caller named it, not URL-encoded. */
  readonly key: string;
  readonly size: number;
  /** The ETag without quotes, as in S3's own events. */
  readonly etag: string;
  /** Undefined unless the bucket keeps versions. */
  readonly versionId: string | undefined;
  /** Orders the events of one key: compare as text. */
  readonly sequencer: string;
  readonly reason: 'PutObject' | 'CompleteMultipartUpload' | 'CopyObject' | 'POST Object';
  /** The caller's ARN. */
  readonly requester: string;
}
