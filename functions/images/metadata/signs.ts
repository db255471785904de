import { isSign } from '../alteration/alteration.ts';

const PROGRAM = /(?:CreatorTool|softwareAgent)(?:="([^"<]{1,200})"|>([^<]{1,200})<)/g;
/** Generators of pictures declare themselves with these IPTC terms. */
const GENERATED = /compositeSynthetic|compositeWithTrainedAlgorithmicMedia|trainedAlgorithmicMedia/;

/**
 * Names of programs that paint or write pictures. They are signs of alteration, so they must survive the removal of
 * metadata. Undefined if there are none.
 * @param packets texts that may contain XMP
 */
export function signsIn(software: readonly (string | undefined)[], packets: readonly string[]): string | undefined {
  const programs = packets.flatMap((packet) => [
    ...[...packet.matchAll(PROGRAM)].map(([, attribute, element]) => attribute ?? element ?? ''),
    ...(GENERATED.exec(packet) ?? []),
  ]);
  const signs = [...software, ...programs].filter((text) => text !== undefined && isSign(text));
  return signs.length === 0 ? undefined : [...new Set(signs)].join('; ');
}
