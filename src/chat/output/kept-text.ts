/**
 * An answer's text while it comes, read once it is over: joined in blocks, because a chain of concatenations costs a hundred bytes a
 * piece until it is read, packed where it grows long, and bounded, so that a flood does not fill the memory.
 */

/** Of one answer, for the log and the checks; more than any model's largest output. */
export const KEPT_CHARACTERS = 1_000_000;

/** Pieces are joined to blocks, and so many blocks to what is whole: a text copied for each block would leave several times itself behind. */
const JOINED_PIECES = 16;
const JOINED_BLOCKS = 16;
const PACKED_CHARACTERS = 64 * 1024;
/** Packed at once: of floods, hundreds of large strings would lie scattered in memory, and none of what lies between them could be given back. */
const LARGE_PIECE = 4 * 1024;
const FASTEST = { level: 1 };

export type KeptText = {
  /** False where there was no room left: then it is not kept. */
  add(piece: string): boolean;
  read(): string;
  /** To read it takes much memory. */
  isLong(): boolean;
};

export const createKeptText = (mostCharacters = KEPT_CHARACTERS): KeptText => {
  let pieces: string[] = [];
  let blocks: string[] = [];
  let whole = "";
  let packed: Uint8Array[] = [];
  let length = 0;

  const join = (isLarge: boolean): void => {
    blocks.push(pieces.join(""));
    pieces = [];
    if (blocks.length < JOINED_BLOCKS && !isLarge) return;
    whole = [whole, ...blocks].join("");
    blocks = [];
    if (whole.length < PACKED_CHARACTERS && !isLarge) return;
    // Half a character waits for its other half.
    const end = isHalf(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length;
    packed.push(pack(whole.slice(0, end)));
    whole = whole.slice(end);
  };
  return {
    add: (piece) => {
      if (length >= mostCharacters) return false;
      length += piece.length;
      const isLarge = piece.length >= LARGE_PIECE;
      if (pieces.push(piece) >= JOINED_PIECES || isLarge) join(isLarge);
      return true;
    },
    read: () => {
      whole = [unpack(packed), whole, ...blocks, ...pieces].join("");
      pieces = [];
      blocks = [];
      packed = [];
      return whole;
    },
    isLong: () => length > PACKED_CHARACTERS,
  };
};

/** As UTF-8, so that a text of plain letters comes back at one byte a letter. */
const pack = (text: string): Uint8Array => Bun.zstdCompressSync(Buffer.from(text), FASTEST);
/** At once, and what it took is free again: many long answers may be read one after the other, before the collector sees any of it. */
const unpack = (packed: readonly Uint8Array[]): string => {
  const blocks = packed.map((bytes) => Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>).buffer as ArrayBuffer);
  const whole = Bun.concatArrayBuffers(blocks);
  const text = Buffer.from(whole).toString("utf8");
  for (const buffer of [...blocks, whole]) buffer.transfer(0);
  return text;
};

const isHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
