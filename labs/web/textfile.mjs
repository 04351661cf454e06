/** Files that a person opens, or drops on a field: they stay in the page. */

export const LARGEST = 8e6; // byte; a log of a week's runs is smaller

/**
 * Return a file's text: UTF-8, or UTF-16 where it says so, as shells on Windows write it.
 * @param {File} file
 * @returns {Promise<string>}
 * @throws {Error} a sentence for the person
 */
export async function readText(file) {
  if (file.size > LARGEST) throw new Error(`expected a file of at most 8 MB, found ${(file.size / 1e6).toFixed(1)} MB`);
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`expected a file that can be read, found that the browser can't read ${file.name}`);
  }
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Let a field take files beside what is typed.
 * @param {HTMLElement} element holds an `input[type=file]`
 * @param {HTMLTextAreaElement} field
 * @param {() => void} changed called when a file's text is in the field
 * @param {(sentence: string) => void} refuse called with why it is not
 */
export function takeFiles(element, field, changed, refuse) {
  const take = async (file) => {
    try {
      field.value = await readText(file);
      changed();
    } catch (error) {
      refuse(error.message);
    }
  };
  const opener = element.querySelector("input[type=file]");
  opener.disabled = false;
  opener.addEventListener("change", () => {
    if (opener.files.length) take(opener.files[0]);
    opener.value = ""; // the same file may be opened again
  });
  const holdsFile = ({ dataTransfer }) => [...dataTransfer.types].includes("Files");
  field.addEventListener("dragover", (event) => holdsFile(event) && event.preventDefault());
  field.addEventListener("drop", (event) => {
    if (!holdsFile(event)) return; // a text that is dragged goes where the browser puts it
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
