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
 * Open one part as a response whose body is the unzipped bytes, streaming while they arrive.
 * @param {string} name for messages
 * @param {{url: string} | {text: string}} part where it is, or what it is
 * @param {string} type its content type; WebAssembly compiles while it streams only with the right one
 * @param {() => void} progress called as bytes arrive
 * @returns {Promise<Response>}
 */
export async function openPart(name, part, type, progress) {
  const zipped = part.url ? await download(name, part.url) : new Blob([fromBase64(part.text)]).stream();
  const watch = new TransformStream({
    transform(chunk, controller) {
      progress();
      controller.enqueue(chunk);
    },
  });
  const body = zipped.pipeThrough(watch).pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "content-type": type } });
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
