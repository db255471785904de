/** Encryption context: names and values that decryption needs. It is bound to the ciphertext, not kept in it. */
export type EncryptionContext = Readonly<Record<string, string>>;

/** The same text for the same pairs, in whatever order they come, and for no others. */
export function canonicalContext(context: EncryptionContext): string {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(pairs);
}

/** Returns the condition keys that policies can use about a context. */
export function contextConditions(context: EncryptionContext): Record<string, readonly string[]> {
  const names = Object.keys(context);
  if (names.length === 0) return {};
  const conditions = new Map<string, string[]>();
  for (const [name, value] of Object.entries(context)) {
    // Names of condition keys are case-insensitive, so two pairs may share one key.
    const key = `kms:EncryptionContext:${name}`.toLowerCase();
    conditions.set(key, [...(conditions.get(key) ?? []), value]);
  }
  return { ...Object.fromEntries(conditions), 'kms:EncryptionContextKeys': names };
}
