/** Numbers and names as WebAssembly writes them. */

export class Reader {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at where to begin
   */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** Return an unsigned number: seven bits to a byte, the lowest first, the eighth bit where more follow. */
  number() {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  /** Pass over numbers, signed or not. */
  skip(count = 1) {
    for (let i = 0; i < count; i += 1) while (this.byte() >= 128);
  }

  name() {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

/** Return a number as WebAssembly writes it. */
export function encode(number) {
  const bytes = [];
  for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  return Uint8Array.of(...bytes, number);
}

/** Return several runs of bytes as one. */
export function join(runs) {
  return new Uint8Array(Buffer.concat(runs));
}
