import type { Alteration } from '../alteration/alteration.ts';
import type { OpenedPicture, Unopened } from '../pictures/format.ts';

/** All that is learnt from the bytes of a file: nothing reads them again. */
export interface OpenedFile extends OpenedPicture {
  readonly alteration: Alteration;
  /** When the camera says it took the picture. */
  readonly takenAt: string | undefined;
}

/** Opens files of strangers. */
export interface FileOpener {
  readonly open: (bytes: Uint8Array) => Promise<OpenedFile | Unopened>;
}
