import { alterationOf } from '../alteration/alteration.ts';
import { metadataOf } from '../alteration/metadata.sharp.ts';
import { pdfFacts } from '../alteration/pdf-facts.ts';
import { pastedPrint } from '../alteration/recompression.sharp.ts';
import type { PictureFormat, Unopened } from '../pictures/format.ts';
import { openPicture } from '../pictures/open-picture.sharp.ts';
import type { OpenedFile } from './opened-file.ts';

/**
 * Runs the decoders in this process, with no limits on memory or time. Functions use `fileOpener`, which runs this in a
 * process that can be killed.
 */
export async function openFile(bytes: Uint8Array): Promise<OpenedFile | Unopened> {
  const opened = await openPicture(bytes);
  return typeof opened === 'string' ? opened : { ...opened, ...(await originOf(bytes, opened.format)) };
}

async function originOf(bytes: Uint8Array, format: PictureFormat): Promise<Pick<OpenedFile, 'alteration' | 'takenAt'>> {
  const { programs, takenAt } = await metadataOf(bytes, format);
  const pdf = format === 'pdf' ? pdfFacts(bytes) : undefined;
  // Other formats leave no trace of repeated compression.
  const hottest = format === 'jpeg' ? await pastedPrint(bytes) : undefined;
  const traces = {
    programs,
    pdfPrograms: pdf?.programs ?? [],
    pdfUpdated: pdf?.updated ?? false,
    pastedPrint: hottest,
  };
  return { alteration: alterationOf(traces), takenAt };
}
