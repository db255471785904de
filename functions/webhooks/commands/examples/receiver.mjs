/**
 * Receives webhooks and prints each once: `node receiver.mjs PORT`, in a folder with key.pem and cert.pem.
 * The first lines of a receiver of your own: nothing here comes from this project.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

/** A webhook may come again, after an answer that was lost. A real receiver stores these keys. */
const received = new Set();

const certificate = { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') };

createServer(certificate, async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const key = request.headers['x-service-idempotency-key'];
  if (!received.has(key)) {
    received.add(key);
    console.log(Buffer.concat(chunks).toString());
  }
  // Any status but 2xx, and no answer in time, make the service try again.
  response.writeHead(200).end('thanks');
}).listen(Number(process.argv[2]), '127.0.0.1');
