/** Returns the URI that authenticator apps read from a QR code (Key Uri Format). @param name the name of the person */
export function keyUriOf(secret: string, name: string): string {
  const query = new URLSearchParams({ secret, issuer: ISSUER });
  return `otpauth://totp/${encodeURIComponent(ISSUER)}:${encodeURIComponent(name)}?${query.toString().replaceAll('+', '%20')}`;
}

const ISSUER = 'Five Services';

/** Formats a secret in groups, to be typed. */
export const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Returns whether a text is a secret of at least 160 bits. It is checked because the form sends the secret back. */
export const isSecret = (text: string): boolean => /^[A-Z2-7]{32,128}$/.test(text);
