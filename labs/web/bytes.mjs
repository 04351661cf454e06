/** From what travels to bytes: gzip over http, gzip as base64 text from disk. */

/** A part that is not what was built, with a sentence for the person. */
export class PartError extends Error {}

/**
 * Return the bytes that a base64 text stands for.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromBase64(text) {
  // Half a second faster than the rest for our sizes, and not yet in every browser.
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * Open one part as a stream of the unzipped bytes, while they arrive.
 * @param {string} name for messages
 * @param {{url: string} | {text: string}} part where it is, or what it is
 * @param {() => void} progress called as bytes arrive
 * @returns {Promise<ReadableStream<Uint8Array>>}
 */
export async function openPart(name, part, progress) {
  const zipped = part.url ? await download(name, part.url) : [fromBase64(part.text)];
  const unzip = new DecompressionStream("gzip");
  feed(zipped, unzip.writable.getWriter(), progress);
  return unzip.readable;
}

/**
 * Return the bytes of a part.
 * @param {string} name for messages
 * @param {{url: string} | {text: string}} part where it is, or what it is
 * @param {() => void} progress called as bytes arrive
 * @returns {Promise<Uint8Array>}
 */
export async function unzip(name, part, progress) {
  return whole(name, collect(await openPart(name, part, progress)));
}

/** Give a stream its input by hand: a chain of streams is half as fast. Its reader hears of any failure. */
async function feed(chunks, writer, progress) {
  try {
    for await (const chunk of chunksOf(chunks)) {
      progress();
      await writer.ready;
      writer.write(chunk).catch(() => {});
    }
    await writer.close();
  } catch (error) {
    writer.abort(error).catch(() => {});
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(source) {
  if (Array.isArray(source)) {
    yield* source;
    return;
  }
  const reader = source.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Return all that a stream gives, in one piece. */
async function collect(stream) {
  const chunks = [];
  let length = 0;
  for await (const chunk of chunksOf(stream)) {
    chunks.push(chunk);
    length += chunk.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Return what `work` gives; any failure of it means that the part is not whole (gzip carries a checksum and a length).
 * @template T
 * @param {string} name
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whole(name, work) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PartError) throw error;
    throw new PartError(`A part of the lab (${name}) arrived damaged or cut short.`, { cause: error });
  }
}

async function download(name, url) {
  const file = url.slice(url.lastIndexOf("/") + 1);
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new PartError(`A part of the lab (${name}, ${file}) did not load: the connection failed.`, { cause: error });
  }
  if (!response.ok) {
    throw new PartError(`A part of the lab (${name}, ${file}) is missing: the host answered ${response.status}.`);
  }
  return response.body;
}
