/** What authenticator apps read from a QR code (Key Uri Format). @param name of the person */
export function keyUriOf(secret: string, name: string): string {
  const query = new URLSearchParams({ secret, issuer: ISSUER });
  return `otpauth://totp/${encodeURIComponent(ISSUER)}:${encodeURIComponent(name)}?${query.toString().replaceAll('+', '%20')}`;
}

const ISSUER = 'Five Services';

/** A secret as people type it. */
export const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** 160 bits at least; the page shows a secret again that its own form has brought back. */
export const isSecret = (text: string): boolean => /^[A-Z2-7]{32,128}$/.test(text);
