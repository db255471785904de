/** The attributes that callers attach to a message: their size, checksum and selection. */
import { createHash } from 'node:crypto';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { isObject, type JsonObject, textIn } from '../endpoint/json.ts';

export const MESSAGE_BYTES_MAX = 1_048_576;
const ATTRIBUTES_MAX = 10;

export function checkMessageAttributes(attributes: JsonObject): void {
  if (Object.keys(attributes).length > ATTRIBUTES_MAX) {
    throw invalid(
      `Number of message attributes [${Object.keys(attributes).length}] exceeds the allowed maximum [${ATTRIBUTES_MAX}].`,
    );
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    const type = isObject(attribute) ? (textIn(attribute, 'DataType') ?? '') : '';
    if (!/^(String|Number|Binary)(\..+)?$/.test(type)) {
      throw invalid(
        `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
      );
    }
    if (!isObject(attribute) || valueBytes(attribute).length === 0) {
      throw invalid(`Message (user) attribute '${name}' must contain a non-empty value of type '${type}'.`);
    }
  }
}

/** Returns the bytes that count against the limit of a message. */
export function messageBytes(body: string, attributes: JsonObject): number {
  let bytes = Buffer.byteLength(body);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!isObject(attribute)) continue;
    bytes +=
      Buffer.byteLength(name) + Buffer.byteLength(textIn(attribute, 'DataType') ?? '') + valueBytes(attribute).length;
  }
  return bytes;
}

/** SQS's own checksum, which SDKs compare. */
export function md5OfAttributes(attributes: JsonObject): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const withLength = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name];
    if (!isObject(attribute)) continue;
    withLength(Buffer.from(name));
    withLength(Buffer.from(textIn(attribute, 'DataType') ?? ''));
    hash.update(Buffer.from([isBinary(attribute) ? 2 : 1]));
    withLength(valueBytes(attribute));
  }
  return hash.digest('hex');
}

/** @param names Names, `All`, or prefixes as `order.*`. */
export function selectedAttributes(attributes: JsonObject, names: readonly string[]): JsonObject {
  const isWanted = (name: string) =>
    names.some(
      (want) => want === name || want === 'All' || (want.endsWith('.*') && name.startsWith(want.slice(0, -2))),
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name)));
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function isBinary(attribute: JsonObject): boolean {
  return (textIn(attribute, 'DataType') ?? '').startsWith('Binary');
}

function valueBytes(attribute: JsonObject): Buffer {
  return isBinary(attribute)
    ? Buffer.from(textIn(attribute, 'BinaryValue') ?? '', 'base64')
    : Buffer.from(textIn(attribute, 'StringValue') ?? '');
}

function invalid(message: string): CallRefusal {
  return new CallRefusal(400, 'InvalidParameterValue', message);
}
