// A JSON string contains no raw line end, so every scan ends there at the latest. Past the end of the bytes no
// comparison is true, and `!(byte > LINE_FEED)` ends the scan.
const LINE_FEED = 10;
const BLANK = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** A longer run of bytes is copied by a call, a shorter one byte by byte. */
const SHORT_COPY_BYTES = 32;

/** The number of slots, several times the number of fields, so that few keys share a slot. */
const SLOTS = 512;

/** A line of JSON, from its `{` to its line end, which must exist. */
interface LineBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the chosen members of the line from `used` on, and returns where they end: never more bytes than the line has.
 */
export type CutMembers = (line: LineBytes, out: Buffer, used: number) => number;

/**
 * Copies members out of stored records byte by byte, several times as fast as parsing and writing them. The members
 * keep their order, and the last member of every record must be among the chosen ones. Relies on the form that
 * `JSON.stringify` writes, and throws on any other.
 */
export function memberCutter(names: readonly string[]): CutMembers {
  const isChosen = chosen(names);

  return ({ bytes, start, end }, out, used) => {
    let to = used;
    let at = start;
    // Adjacent chosen members are copied together; each with the comma after it, or with the end of the line.
    let run = -1;
    if (bytes[at] !== OPEN_OBJECT) throw unlikeStored();
    out[to++] = OPEN_OBJECT;
    do {
      at += 1;
      if (bytes[at] !== QUOTE) throw unlikeStored();
      const keyEnd = stringEnd(bytes, at + 1);
      if (bytes[keyEnd] !== COLON) throw unlikeStored();
      if (isChosen(bytes, at + 1, keyEnd - 1)) {
        if (run < 0) run = at;
      } else if (run >= 0) {
        to = copy(bytes, run, at, out, to);
        run = -1;
      }
      at = valueEnd(bytes, keyEnd + 1);
    } while (bytes[at] === COMMA);
    if (bytes[at] !== CLOSE_OBJECT || at + 1 !== end || run < 0) throw unlikeStored();
    return copy(bytes, run, end + 1, out, to);
  };
}

/** Looks keys up in a table of slots, by their length, first and last byte, before comparing all of a key. */
function chosen(names: readonly string[]): (bytes: Buffer, from: number, until: number) => boolean {
  const slots: (Buffer | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  for (const name of names) {
    const key = Buffer.from(JSON.stringify(name).slice(1, -1));
    let slot = slotOf(key, 0, key.length);
    while (slots[slot] !== undefined) slot = (slot + 1) % SLOTS;
    slots[slot] = key;
  }
  return (bytes, from, until) => {
    for (let slot = slotOf(bytes, from, until); ; slot = (slot + 1) % SLOTS) {
      const key = slots[slot];
      if (key === undefined) return false;
      if (isSame(bytes, from, until, key)) return true;
    }
  };
}

function slotOf(bytes: Buffer, from: number, until: number): number {
  return ((until - from) * 31 + bytes[from]! * 7 + bytes[until - 1]!) % SLOTS;
}

function isSame(bytes: Buffer, from: number, until: number, key: Buffer): boolean {
  if (until - from !== key.length) return false;
  for (let at = 0; at < key.length; at += 1) if (bytes[from + at] !== key[at]) return false;
  return true;
}

/** The offset after the value that begins here. */
function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start + 1);
  if (first === OPEN_LIST || first === OPEN_OBJECT) return nestedEnd(bytes, start + 1);
  let at = start;
  while (bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT) {
    if (!(bytes[at]! > BLANK)) throw unlikeStored();
    at += 1;
  }
  return at;
}

/** The offset after the list or object that was opened just before. */
function nestedEnd(bytes: Buffer, start: number): number {
  let depth = 1;
  let at = start;
  while (depth > 0) {
    const byte = bytes[at++]!;
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (!(byte > LINE_FEED)) throw unlikeStored();
  }
  return at;
}

/** The offset after the closing quote of a string whose text begins here. */
function stringEnd(bytes: Buffer, start: number): number {
  let at = start;
  let byte = bytes[at++]!;
  while (byte !== QUOTE) {
    if (byte === BACKSLASH) at += 1;
    else if (!(byte > LINE_FEED)) throw unlikeStored();
    byte = bytes[at++]!;
  }
  return at;
}

function copy(bytes: Buffer, from: number, until: number, out: Buffer, used: number): number {
  if (until - from > SHORT_COPY_BYTES) return used + bytes.copy(out, used, from, until);
  let to = used;
  for (let at = from; at < until; at += 1) out[to++] = bytes[at]!;
  return to;
}

const unlikeStored = () => new Error('A record is not in the form in which records are stored.');
