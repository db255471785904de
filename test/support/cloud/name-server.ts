import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** By name: its addresses, how it fails, or `silent`. */
export type Zone = Readonly<Record<string, readonly string[] | 'silent' | 'silent about IPv6' | 'broken'>>;

export interface NameServer {
  /** `address:port`. */
  readonly server: string;
  /** Questions that came in. */
  asked: number;
  close(): void;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
const HEADER_BYTES = 12;

/** Answers questions for addresses over UDP (RFC 1035), about the names of a zone. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const nameServer = {
    server: `127.0.0.1:${socket.address().port}`,
    asked: 0,
    close: () => socket.close(),
  };
  socket.on('message', (query, { address, port }) => {
    nameServer.asked += 1;
    const answer = answerTo(query, zone);
    if (answer) socket.send(answer, port, address);
  });
  return nameServer;
}

function answerTo(query: Buffer, zone: Zone): Buffer | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  const type = query.readUInt16BE(at + 1);
  const entry = zone[labels.join('.').toLowerCase()];
  if (entry === 'silent' || (entry === 'silent about IPv6' && type === TYPE_AAAA)) return undefined;
  if (entry === undefined || entry === 'broken') {
    return message(query, question, { code: entry ? SERVER_FAILURE : NO_SUCH_NAME, records: [] });
  }
  const addresses = entry === 'silent about IPv6' ? ['198.51.100.7'] : entry;
  const ofType = addresses.filter((address) => (address.includes(':') ? TYPE_AAAA : TYPE_A) === type);
  return message(query, question, { code: 0, records: ofType.map((address) => record(type, address)) });
}

function message(query: Buffer, question: Buffer, { code, records }: { code: number; records: Buffer[] }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // An answer, recursion wanted and available.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/** IPv6 addresses must be written without `::`. */
function record(type: number, address: string): Buffer {
  const data =
    type === TYPE_A
      ? Buffer.from(address.split('.').map(Number))
      : Buffer.from(
          address
            .split(':')
            .map((group) => group.padStart(4, '0'))
            .join(''),
          'hex',
        );
  const head = Buffer.alloc(12);
  // The name is the question's.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
