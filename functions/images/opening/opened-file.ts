import type { Alteration } from '../alteration/alteration.ts';
import type { OpenedPicture, Unopened } from '../pictures/format.ts';

/** Everything that is learnt from a file's bytes; they are not read again. */
export interface OpenedFile extends OpenedPicture {
  readonly alteration: Alteration;
  /** The time at which the camera claims to have taken the picture. */
  readonly takenAt: string | undefined;
}

/** Opens untrusted files. */
export interface FileOpener {
  readonly open: (bytes: Uint8Array) => Promise<OpenedFile | Unopened>;
}
