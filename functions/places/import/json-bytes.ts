/** Bytes of JSON with a meaning outside strings. */
export const BRACE = 0x7b;
export const BRACE_END = 0x7d;
export const LIST = 0x5b;
export const LIST_END = 0x5d;
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LF = 0x0a;
export const CR = 0x0d;

/** True if the byte is white space in JSON. */
export const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === LF || byte === CR || byte === 0x09;
