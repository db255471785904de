import { alterationOf } from '../alteration/alteration.ts';
import { metadataOf } from '../alteration/metadata.sharp.ts';
import { pdfFacts } from '../alteration/pdf-facts.ts';
import { pastedPrint } from '../alteration/recompression.sharp.ts';
import type { PictureFormat, Unopened } from '../pictures/format.ts';
import { openPicture } from '../pictures/open-picture.sharp.ts';
import type { OpenedFile } from './opened-file.ts';

/**
 * Runs every decoder over the bytes, in this process and without bounds of memory and time. Functions open files with
 * `fileOpener`, which runs this in a process that may die.
 */
export async function openFile(bytes: Uint8Array): Promise<OpenedFile | Unopened> {
  const opened = await openPicture(bytes);
  return typeof opened === 'string' ? opened : { ...opened, ...(await originOf(bytes, opened.format)) };
}

async function originOf(bytes: Uint8Array, format: PictureFormat): Promise<Pick<OpenedFile, 'alteration' | 'takenAt'>> {
  const { programs, takenAt } = await metadataOf(bytes, format);
  const pdf = format === 'pdf' ? pdfFacts(bytes) : undefined;
  // Other formats keep no trace of how often they were compressed.
  const hottest = format === 'jpeg' ? await pastedPrint(bytes) : undefined;
  const traces = {
    programs,
    pdfPrograms: pdf?.programs ?? [],
    pdfUpdated: pdf?.updated ?? false,
    pastedPrint: hottest,
  };
  return { alteration: alterationOf(traces), takenAt };
}
