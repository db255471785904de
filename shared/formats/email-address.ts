import * as z from 'zod';

const LOCAL_PART_CHARACTERS_MAX = 64;

/** A mail address as SMTP takes it (RFC 5321, "Size Limits and Minimums"). */
export const EmailAddress = z
  .email()
  .max(254)
  .refine((address) => address.lastIndexOf('@') <= LOCAL_PART_CHARACTERS_MAX, 'is too long before the @');
