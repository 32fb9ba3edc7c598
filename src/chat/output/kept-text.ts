/**
 * Collects an answer's text while it streams. Pieces are joined in blocks, because each concatenation costs a hundred bytes until the text
 * is read; long texts are compressed, and the length is bounded so that a flood cannot fill the memory.
 */

/** The most that is kept of one answer, for log and checks; more than any model's largest output. */
export const KEPT_CHARACTERS = 1_000_000;

/**
 * Pieces are joined into blocks, and this many blocks into larger ones: appending each block to one string would leave many copies behind.
 */
const JOINED_PIECES = 16;
const JOINED_BLOCKS = 16;
const PACKED_CHARACTERS = 64 * 1024;
/** Large pieces are compressed at once; otherwise the large strings of many floods would fragment the memory. */
const LARGE_PIECE = 4 * 1024;
const FASTEST = { level: 1 };

export type KeptText = {
  pieces: string[];
  blocks: string[];
  whole: string;
  packed: Uint8Array[];
  length: number;
};

export const createKeptText = (): KeptText => ({ pieces: [], blocks: [], whole: "", packed: [], length: 0 });

/** False if the limit is reached and the piece was not kept. */
export const keepPiece = (text: KeptText, piece: string): boolean => {
  if (text.length >= KEPT_CHARACTERS) return false;
  text.length += piece.length;
  const isLarge = piece.length >= LARGE_PIECE;
  if (text.pieces.push(piece) >= JOINED_PIECES || isLarge) join(text, isLarge);
  return true;
};

export const readKept = (text: KeptText): string => {
  const packed = text.packed.length === 0 ? "" : unpack(text.packed);
  text.whole = [packed, text.whole, ...text.blocks, ...text.pieces].join("");
  text.pieces = [];
  text.blocks = [];
  text.packed = [];
  return text.whole;
};

/** Reading it takes much memory. */
export const isLong = ({ length }: KeptText): boolean => length > PACKED_CHARACTERS;

const join = (text: KeptText, isLarge: boolean): void => {
  text.blocks.push(text.pieces.join(""));
  text.pieces = [];
  if (text.blocks.length < JOINED_BLOCKS && !isLarge) return;
  const whole = [text.whole, ...text.blocks].join("");
  text.whole = whole;
  text.blocks = [];
  if (whole.length < PACKED_CHARACTERS && !isLarge) return;
  // A surrogate waits for its other half.
  const end = isHalf(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length;
  text.packed.push(pack(whole.slice(0, end)));
  text.whole = whole.slice(end);
};

/** As UTF-8, so that ASCII text comes back as one byte per character. */
const pack = (text: string): Uint8Array => Bun.zstdCompressSync(Buffer.from(text), FASTEST);
/** All at once, so that the memory is free again immediately: many long answers may be read in a row before the garbage collector runs. */
const unpack = (packed: readonly Uint8Array[]): string => {
  const blocks = packed.map((bytes) => Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>).buffer as ArrayBuffer);
  const whole = Bun.concatArrayBuffers(blocks);
  const text = Buffer.from(whole).toString("utf8");
  for (const buffer of [...blocks, whole]) buffer.transfer(0);
  return text;
};

const isHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
