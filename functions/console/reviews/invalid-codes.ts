import { INVALID_CODES, INVALID_REASONS, isCodeFor } from '#shared/loyalty/invalid-codes';

const REASONS: Readonly<Record<number, string>> = INVALID_REASONS;

export const codeText = (code: number): string => REASONS[code] ?? `Code ${code}`;

/** Returns the codes that a validation of this type may have, each with its text; all codes for an unknown type. */
export const codesFor = (validationType: string): readonly (readonly [code: string, text: string])[] =>
  INVALID_CODES.filter((code) => {
    const isKnownType = validationType === 'receipt' || validationType === 'image';
    return !isKnownType || isCodeFor(validationType, code);
  }).map((code) => [String(code), INVALID_REASONS[code]] as const);
