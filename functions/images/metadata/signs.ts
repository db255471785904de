import { isSign } from '../alteration/alteration.ts';

const PROGRAM = /(?:CreatorTool|softwareAgent)(?:="([^"<]{1,200})"|>([^<]{1,200})<)/g;
/** Statement of a generator of pictures, in the words of the IPTC. */
const GENERATED = /compositeSynthetic|compositeWithTrainedAlgorithmicMedia|trainedAlgorithmicMedia/;

/**
 * Programs that paint or write pictures, of those that the metadata names: signs of alteration, which must outlive the
 * metadata. Undefined if there are none.
 * @param packets texts in which XMP may stand
 */
export function signsIn(software: readonly (string | undefined)[], packets: readonly string[]): string | undefined {
  const programs = packets.flatMap((packet) => [
    ...[...packet.matchAll(PROGRAM)].map(([, attribute, element]) => attribute ?? element ?? ''),
    ...(GENERATED.exec(packet) ?? []),
  ]);
  const signs = [...software, ...programs].filter((text) => text !== undefined && isSign(text));
  return signs.length === 0 ? undefined : [...new Set(signs)].join('; ');
}
